//! `img2fen export DIR`: the documents of a batch again, with the corrections of a person applied.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use img2fen::report;
use img2fen::wording::counted;
use img2fen::{Error, ErrorKind};

use crate::commands::batch::{Format, SUMMARY};
use crate::corrections::{self, Corrections};
use crate::exit::Exit;
use crate::output::{Document, Holder, OutputFolder, Unusable};
use crate::readings::{self, Boards};
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
    ///
    /// There is no report among them: `img2fen review` shows it with the corrections.
    #[arg(long, value_parser = exported(), value_delimiter = ',', value_name = "FORMATS", default_values_t = EXPORTED)]
    write: Vec<Format>,
}

/// Name of the folder of the corrected documents in the folder of a batch.
pub const FOLDER: &str = "corrected";

const EXPORTED: [Format; 5] = [
    Format::Jsonl,
    Format::Fen,
    Format::Epd,
    Format::Pgn,
    Format::Csv,
];

/// Reads the name of a document that can be exported.
fn exported() -> impl TypedValueParser<Value = Format> {
    let values = EXPORTED.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(values).try_map(|name| Format::from_str(&name, false))
}

/// Runs the command.
pub fn run(args: &ExportArgs, ui: &Ui) -> anyhow::Result<Exit> {
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
    let boards = Boards::of(&args.folder)?;
    let corrections = Corrections::read(&corrections_file, boards)?;
    let target = args
        .output
        .clone()
        .unwrap_or_else(|| args.folder.join(FOLDER));
    let output = OutputFolder::open(&target, Holder::Export).context(Unusable)?;
    let names = args.write.iter().map(|format| format.file_name());
    output.check_places(names).context(Unusable)?;
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
    for line in readings::open(&args.folder)? {
        let line = line?;
        let mut texts = Vec::new();
        match readings::record_of(&line)? {
            None => texts.push((Format::Jsonl, format!("{line}\n"))),
            Some(mut record) => {
                if let Some(correction) = corrections.of(&record.source) {
                    if correction.left_out {
                        left_out += 1;
                        continue;
                    }
                    correction.apply(&mut record)?;
                    corrected += 1;
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
    if let Some(unused) = corrections.unused() {
        ui.note(&unused);
    }
    ui.note(&format!(
        "{}: {}, {corrected} reviewed by a person, {left_out} left out",
        target.display(),
        counted(boards, "board")
    ));
    Ok(Exit::Success)
}
