//! The only place that writes to the terminal: results to stdout, everything for people to stderr.

use std::io::{IsTerminal, Write};

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

    /// Output of the program.
    ///
    /// # Errors
    /// When stdout cannot be written. A reader that went away counts as one that has read enough.
    pub fn print(&self, text: &str) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            result => result,
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

    /// An error, and what to do about it.
    pub fn error(&self, text: &str, hint: Option<&str>) {
        say(&format!("img2fen: error: {text}"));
        if let Some(hint) = hint {
            say(&format!("hint: {hint}"));
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

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// Text without characters that could steer a terminal or turn the direction of writing; names of files may hold any.
fn printable(text: &str) -> String {
    let is_bidi = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .map(|c| {
            if (c.is_control() && c != '\n') || is_bidi(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn names_cannot_steer_the_terminal() {
        assert_eq!(
            printable("a\x1b[31mb\u{202e}c\nd"),
            "a\u{fffd}[31mb\u{fffd}c\nd"
        );
    }
}
