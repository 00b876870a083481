//! The progress display.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::state::Epoch;
use super::trainer::Step;
use crate::number_text::grouped;

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_mins(1);

/// A bar on a terminal; elsewhere a line every minute, on standard error.
#[derive(Debug)]
pub struct Progress {
    began: Instant,
    /// The positions used before this process, and the total.
    before: u64,
    all: u64,
    held_out: Option<f64>,
    bar: Option<ProgressBar>,
    next_line: Instant,
}

impl Progress {
    /// Starts from the present state of the training.
    ///
    /// # Panics
    /// Never: the template is a constant.
    pub fn new(before: u64, all: u64, last: Option<&Epoch>) -> Progress {
        let style = ProgressStyle::with_template("  {bar:24} {percent:>3}%  {msg}");
        let bar = io::stderr().is_terminal().then(|| {
            ProgressBar::new(all).with_style(style.expect("a template with known keys")).with_position(before)
        });
        let began = Instant::now();
        let held_out = last.map(|epoch| epoch.held_out);
        Progress { began, before, all, held_out, bar, next_line: began + BETWEEN_LINES }
    }

    /// Shows a step.
    pub fn hear(&mut self, step: Step) {
        if let Some(bar) = &self.bar {
            bar.set_position(step.positions);
            bar.set_message(self.text(step));
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + BETWEEN_LINES;
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "  {}", self.text(step));
        }
    }

    /// Prints the losses of an epoch.
    pub fn hear_epoch(&mut self, epoch: &Epoch) {
        self.held_out = Some(epoch.held_out);
    }

    /// Hides the bar while something is printed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn text(&self, step: Step) -> String {
        let rate = (step.positions - self.before) as f64 / self.began.elapsed().as_secs_f64();
        let left = HumanDuration(Duration::from_secs_f64((self.all - step.positions) as f64 / rate.max(1.0)));
        let held_out = self.held_out.map(|loss| format!(", held out {loss:.6}")).unwrap_or_default();
        format!(
            "epoch {}, {} positions/s, loss {:.6}{held_out}, {left} left",
            step.epoch,
            grouped(rate as u64),
            step.loss
        )
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
