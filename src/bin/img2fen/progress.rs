//! How far a long run is: a bar with rate and time left on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use img2fen::wording::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::ui::Ui;

/// Seconds between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// Counts finished pages and their boards.
#[derive(Debug)]
pub struct Progress<'a> {
    bar: ProgressBar,
    ui: &'a Ui,
    lines: bool,
    said: Instant,
    boards: usize,
}

impl<'a> Progress<'a> {
    /// Starts counting towards `pages`.
    pub fn new(pages: usize, ui: &'a Ui, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal && !quiet {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(pages as u64), target);
        let template = "{bar:30} page {pos}/{len}, {msg}, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message("0 boards");
        Self {
            bar,
            ui,
            lines: !terminal && !quiet,
            said: Instant::now(),
            boards: 0,
        }
    }

    /// A page is finished.
    pub fn page_done(&mut self, boards: usize) {
        self.boards += boards;
        self.bar.set_message(counted(self.boards, "board"));
        self.bar.inc(1);
        if self.lines && self.said.elapsed() >= LINE_EVERY {
            self.said = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            self.ui.note(&format!(
                "{done} of {}, {}, {} left",
                counted(all, "page"),
                counted(self.boards, "board"),
                duration(self.bar.eta())
            ));
        }
    }

    /// Says something without disturbing the bar.
    pub fn say(&self, say: impl FnOnce(&Ui)) {
        self.bar.suspend(|| say(self.ui));
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// A time that is estimated: whole seconds, or minutes from two minutes on.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    if seconds < 120 {
        counted(seconds, "second")
    } else {
        counted((seconds + 30) / 60, "minute")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_seconds_or_minutes() {
        for (seconds, text) in [
            (0.2, "0 seconds"),
            (0.6, "1 second"),
            (6.935_036_769, "7 seconds"),
            (119.4, "119 seconds"),
            (119.6, "2 minutes"),
            (7289.9, "122 minutes"),
        ] {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), text);
        }
    }
}
