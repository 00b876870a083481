//! The progress display.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::data_file::Counts;
use super::generate::Target;
use crate::number_text::grouped;

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// A bar on a terminal; elsewhere a line every minute, on standard error.
#[derive(Debug)]
pub struct Progress {
    target: Target,
    began: Instant,
    /// The counts at the start.
    before: Counts,
    bar: Option<ProgressBar>,
    next_line: Instant,
}

impl Progress {
    /// Starts from these counts.
    ///
    /// # Panics
    /// Never: the template is a constant.
    pub fn new(target: Target, counts: Counts) -> Progress {
        let (done, wanted) = target.progress(counts);
        let style = ProgressStyle::with_template("  {bar:24} {percent:>3}%  {msg}");
        let bar = io::stderr().is_terminal().then(|| {
            ProgressBar::new(wanted)
                .with_style(style.expect("a template with known keys"))
                .with_position(done)
        });
        let began = Instant::now();
        Progress { target, began, before: counts, bar, next_line: began + BETWEEN_LINES }
    }

    /// Shows the present counts.
    pub fn hear(&mut self, counts: Counts) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.target.progress(counts).0);
            bar.set_message(self.text(counts));
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + BETWEEN_LINES;
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "  {}", self.text(counts));
        }
    }

    /// Games, positions, and positions per hour since the start.
    pub fn text(&self, counts: Counts) -> String {
        let hours = self.began.elapsed().as_secs_f64() / 3600.0;
        let rate = (counts.positions - self.before.positions) as f64 / hours;
        let [games, positions, rate] = [counts.games, counts.positions, rate as u64].map(grouped);
        format!("{games} games, {positions} positions, {rate} positions an hour")
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
