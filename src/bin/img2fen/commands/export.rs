//! `img2fen export DIR`: the documents of a batch again, with the corrections of a person applied.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use img2fen::report::{self, Record};
use img2fen::wording::counted;
use img2fen::{Error, ErrorKind};

use crate::commands::batch::{Format, SUMMARY};
use crate::corrections::{self, Corrections};
use crate::exit::Exit;
use crate::journal;
use crate::output::{Document, OutputFolder, Unusable};
use crate::ui::Ui;

/// The folder of a batch, and where the corrected documents go.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0  the documents are written
  2  wrong usage
  3  the readings or the corrections cannot be read
  4  the documents cannot be written")]
pub struct ExportArgs {
    /// Folder that a batch wrote
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Folder for the corrected documents [default: DIR/corrected]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// File with the corrections [default: DIR/corrections.jsonl]
    #[arg(long, value_name = "FILE")]
    corrections: Option<PathBuf>,
    /// Documents to write; those of an earlier export in the folder are written anew too
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMATS", default_values_t = EXPORTED)]
    write: Vec<Format>,
}

const EXPORTED: [Format; 5] = [
    Format::Jsonl,
    Format::Fen,
    Format::Epd,
    Format::Pgn,
    Format::Csv,
];

/// Runs the command.
pub fn run(args: &ExportArgs, ui: &Ui) -> anyhow::Result<Exit> {
    if args.write.contains(&Format::Html) {
        let error = Error::new(ErrorKind::InvalidArgument, "the report is not exported");
        return Err(error
            .with_hint("`img2fen review` shows it with the corrections")
            .into());
    }
    let corrections_file = args
        .corrections
        .clone()
        .unwrap_or_else(|| args.folder.join(corrections::FILE_NAME));
    if args.corrections.is_some() && !corrections_file.exists() {
        let message = format!("there is no file {}", corrections_file.display());
        return Err(Error::new(ErrorKind::Io, message)
            .with_hint("check the name")
            .into());
    }
    let corrections = Corrections::read(&corrections_file)?;
    let readings = open_readings(&args.folder)?;
    let target = args
        .output
        .clone()
        .unwrap_or_else(|| args.folder.join("corrected"));
    let output = OutputFolder::open(&target).context(Unusable)?;
    let mut documents: Vec<(Format, Document)> = Vec::new();
    // What a batch wrote is its own: only what is asked for takes its place.
    let formats = match output.file(SUMMARY).exists() {
        true => args.write.clone(),
        false => Format::written(&args.write, &EXPORTED, output.path(), ui),
    };
    for format in &formats {
        let mut document = output.create(format.file_name()).context(Unusable)?;
        if *format == Format::Csv {
            document
                .write_all(report::csv_header().as_bytes())
                .context(Unusable)?;
        }
        documents.push((*format, document));
    }
    let (mut boards, mut corrected, mut left_out) = (0, 0, 0);
    for line in readings {
        let line = line?;
        let mut texts = Vec::new();
        match record_of(&line)? {
            None => texts.push((Format::Jsonl, format!("{line}\n"))),
            Some(mut record) => {
                if let Some(correction) = corrections.of(&record.source) {
                    if correction.source.sha256 != record.source.sha256 {
                        let path = &record.source.path;
                        ui.note(&format!("{path}: the file was another one when it was corrected; the correction is not used"));
                    } else if correction.left_out {
                        left_out += 1;
                        continue;
                    } else {
                        correction.apply(&mut record)?;
                        corrected += 1;
                    }
                }
                boards += 1;
                texts.push((
                    Format::Jsonl,
                    format!("{}\n", serde_json::to_string(&record)?),
                ));
                texts.push((Format::Fen, report::fen_line(&record)));
                texts.push((Format::Epd, report::epd_line(&record)));
                texts.push((Format::Pgn, report::pgn_game(&record)));
                texts.push((Format::Csv, report::csv_row(&record)));
            }
        }
        for (format, text) in texts {
            for (_, document) in documents.iter_mut().filter(|(wanted, _)| *wanted == format) {
                document.write_all(text.as_bytes()).context(Unusable)?;
            }
        }
    }
    for (_, document) in documents {
        document.finish().context(Unusable)?;
    }
    ui.note(&format!(
        "{}: {}, {corrected} reviewed by a person, {left_out} left out",
        target.display(),
        counted(boards, "board")
    ));
    Ok(Exit::Success)
}

/// The lines of a batch's readings.
///
/// # Errors
/// When the folder holds none.
pub fn open_readings(
    folder: &std::path::Path,
) -> anyhow::Result<impl Iterator<Item = std::io::Result<String>> + use<>> {
    let path = folder.join(Format::Jsonl.file_name());
    let file = File::open(&path).map_err(|error| {
        let unreadable = |message: String| Error::new(ErrorKind::Io, message);
        if folder.join(journal::FILE_NAME).is_file() && !path.exists() {
            let message = format!("{}: the batch has not written its readings", folder.display());
            return unreadable(message).with_hint(
                "let the same `img2fen batch` command come to its end, with `jsonl` among its documents",
            );
        }
        unreadable(format!("cannot read {}: {error}", path.display()))
            .with_hint("name the folder that `img2fen batch` wrote, with `jsonl` among its documents")
    })?;
    Ok(BufReader::new(file).lines())
}

/// The board that a line of the readings is about; `None` for an input without one.
///
/// # Errors
/// When the line is not what a batch writes.
pub fn record_of(line: &str) -> anyhow::Result<Option<Record>> {
    let value: serde_json::Value =
        serde_json::from_str(line).context("readings.jsonl holds a line that is not JSON")?;
    if value.get("type").and_then(serde_json::Value::as_str) != Some("reading") {
        return Ok(None);
    }
    serde_json::from_value(value)
        .context("readings.jsonl holds a line of another version of img2fen")
        .map(Some)
}
