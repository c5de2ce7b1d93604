//! The only place that writes to the terminal: results to stdout, everything for people to stderr.

use std::io::{IsTerminal, Write};

use anyhow::Context;

use crate::output::Unusable;

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Volume {
    /// Errors only.
    Quiet,
    /// What a user needs to judge a result.
    Normal,
    /// Also how it came about.
    Verbose,
}

/// Writes for people and programs.
#[derive(Debug)]
pub struct Ui {
    volume: Volume,
    progress: bool,
}

impl Ui {
    /// Progress is shown only on a terminal.
    pub fn new(volume: Volume) -> Self {
        Self {
            volume,
            progress: volume != Volume::Quiet && std::io::stderr().is_terminal(),
        }
    }

    /// A line, or lines, of output of the program.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn print(&self, text: &str) -> anyhow::Result<()> {
        self.write(&format!("{text}\n"))
    }

    /// Output of the program as it stands.
    ///
    /// # Errors
    /// When stdout cannot be written. A reader that went away counts as one that has read enough.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        let mut stdout = std::io::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            result => result
                .context("cannot write to standard output")
                .context(Unusable),
        }
    }

    /// A remark that a user needs to judge a result.
    pub fn note(&self, text: &str) {
        if self.volume >= Volume::Normal {
            say(text);
        }
    }

    /// How a result came about.
    pub fn detail(&self, text: &str) {
        if self.volume >= Volume::Verbose {
            say(text);
        }
    }

    /// An error, and what to do about it, each on one line.
    pub fn error(&self, text: &str, hint: Option<&str>) {
        say(&format!("img2fen: error: {}", one_line(text)));
        if let Some(text) = hint {
            self::hint(text);
        }
    }

    /// A line that overwrites itself.
    pub fn progress(&self, text: &str) {
        if self.progress {
            let _ = write!(std::io::stderr(), "\r{}\x1b[K", printable(text));
        }
    }

    /// Removes the progress line.
    pub fn progress_done(&self) {
        if self.progress {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// What to do about an error that was said.
pub fn hint(text: &str) {
    say(&format!("hint: {}", one_line(text)));
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// Text with characters escaped that could steer a terminal or turn the direction of writing; names of files may hold
/// any. Line ends stay.
pub fn printable(text: &str) -> String {
    let is_bidi = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() && c != '\n') || is_bidi(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// `scan.tif, page 2`, or the name alone.
pub fn place(name: &str, page: Option<usize>) -> String {
    page.map_or_else(|| name.to_owned(), |page| format!("{name}, page {page}"))
}

/// [`printable`] text on one line.
pub fn one_line(text: &str) -> String {
    printable(text).replace('\n', "\\n")
}

/// The beginning of a text that was given, long enough to know it again.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{excerpt, one_line, printable};

    #[test]
    fn an_excerpt_is_short_and_shows_that_it_is_one() {
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "…");
    }

    #[test]
    fn names_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\x1b[31mb\u{202e}c\nd\te"),
            "a\\u{1b}[31mb\\u{202e}c\nd\\te"
        );
        assert_eq!(one_line("a\n\x1bb\r\nc"), "a\\n\\u{1b}b\\r\\nc");
    }
}
