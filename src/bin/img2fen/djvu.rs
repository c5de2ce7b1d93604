//! Pages of DjVu files, drawn by the programs of DjVuLibre where they are installed.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use image::DynamicImage;
use img2fen::{Error, ErrorKind, Limits, input};

/// Number of pages.
///
/// # Errors
/// When DjVuLibre is not installed or cannot read the file.
pub fn page_count(file: &Path, timeout: Duration) -> img2fen::Result<usize> {
    let output = output_of(
        Command::new("djvused").args(["-e", "n"]).arg(file),
        1 << 10,
        timeout,
    )?;
    let text = String::from_utf8_lossy(&output);
    match text.trim().parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Error::new(
            ErrorKind::Decode,
            "the file is not a readable DjVu document",
        )
        .with_hint("open it in a DjVu viewer and save it again")),
    }
}

/// The page `number`, from 1, at its own resolution.
///
/// # Errors
/// When DjVuLibre cannot draw it within the limits.
pub fn page(
    file: &Path,
    number: usize,
    limits: &Limits,
    timeout: Duration,
) -> img2fen::Result<DynamicImage> {
    let page = format!("-page={number}");
    let mut command = Command::new("ddjvu");
    // A PNM of three bytes a pixel and a short head.
    let most = limits.max_pixels.saturating_mul(3).saturating_add(64);
    let bytes = output_of(
        command.args(["-format=ppm", &page]).arg(file),
        most,
        timeout,
    )?;
    input::decode(&bytes, limits).map(DynamicImage::ImageRgb8)
}

/// What a program writes to stdout, within limits.
fn output_of(command: &mut Command, most: u64, timeout: Duration) -> img2fen::Result<Vec<u8>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|error| {
        Error::new(ErrorKind::UnsupportedFormat, format!("`{program}` cannot be started: {error}"))
            .with_hint("DjVu files need DjVuLibre: install the package `djvulibre-bin`, or convert the file to PDF")
    })?;
    let reader = child.stdout.take().map(|stdout| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stdout
                .take(most.saturating_add(1))
                .read_to_end(&mut bytes)
                .map(|_| bytes)
        })
    });
    let started = Instant::now();
    let fails = |message: String| Error::new(ErrorKind::Decode, format!("`{program}` {message}"));
    let reader = reader.ok_or_else(|| fails("has no output".to_owned()))?;
    while !reader.is_finished() {
        if started.elapsed() > timeout {
            let _ = child.kill();
            let _ = child.wait();
            let message = format!("took longer than the limit of {} s", timeout.as_secs());
            return Err(
                Error::new(ErrorKind::LimitExceeded, format!("`{program}` {message}"))
                    .with_hint("raise `--timeout`"),
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let bytes = reader
        .join()
        .map_err(|_| fails("could not be read".to_owned()))?;
    let bytes = bytes.map_err(|error| fails(format!("could not be read: {error}")))?;
    if bytes.len() as u64 > most {
        let _ = child.kill();
        let _ = child.wait();
        return Err(Error::new(
            ErrorKind::LimitExceeded,
            format!("the page is larger than the limit of {most} bytes"),
        ));
    }
    let status = child
        .wait()
        .map_err(|error| fails(format!("could not be awaited: {error}")))?;
    if status.success() {
        Ok(bytes)
    } else {
        Err(fails(format!("failed: {status}")))
    }
}
