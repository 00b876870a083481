//! The progress display: a bar on a terminal; elsewhere a line every minute, on standard error.

use std::io;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    next_line: Instant,
}

impl Progress {
    /// Starts with `done` of `all` items.
    pub fn new(done: u64, all: u64) -> Progress {
        let style = ProgressStyle::with_template("  {bar:24} {percent:>3}%  {msg}");
        let bar = io::stderr().is_terminal().then(|| {
            ProgressBar::new(all).with_style(style.expect("a template with known keys")).with_position(done)
        });
        Progress { bar, next_line: Instant::now() + BETWEEN_LINES }
    }

    /// Shows that `done` items are done.
    pub fn show(&mut self, done: u64, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text());
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + BETWEEN_LINES;
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "  {}", text());
        }
    }

    /// Hides the bar while something is printed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
