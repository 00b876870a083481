//! Runs that are played one after the other.

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::playing::{NestedRun, conduct, prepare};
use crate::cli::{CliError, ExitCode, console};
use crate::live::control::{self, CurrentRun};
use crate::options::ConclusionArgs;
use runner::{RunConfig, StopLevel};

/// A series of runs, played one after the other, each in its own folder. It can be interrupted and resumed like a
/// single run. The caller decides which runs there are.
#[derive(Debug)]
pub struct Series {
    continuation: String,
    at_play: CurrentRun,
    conclusion: ConclusionArgs,
    deadline: Option<Instant>,
}

impl Series {
    /// Starts to listen to signals. `folder` is the argument of the `arbiter resume` that continues the series.
    pub fn begin(folder: &Path, conclusion: ConclusionArgs) -> io::Result<Series> {
        Series::continued_by(format!("arbiter resume {}", folder.display()), conclusion)
    }

    /// Like `begin`, for a series that the user continues by another command.
    pub fn continued_by(continuation: String, conclusion: ConclusionArgs) -> io::Result<Series> {
        let at_play = CurrentRun::default();
        let said = continuation.clone();
        control::watch_series(at_play.clone(), move || say_how_to_continue(&said))?;
        Ok(Series { continuation, at_play, conclusion, deadline: None })
    }

    /// Ends the series after a time. If runs are to be stopped then, their games in progress are finished.
    pub fn end_after(&mut self, time: Duration, stops_runs: bool) -> io::Result<()> {
        self.deadline = Instant::now().checked_add(time);
        if !stops_runs {
            return Ok(());
        }
        let at_play = self.at_play.clone();
        thread::Builder::new().name("deadline".to_owned()).spawn(move || {
            thread::sleep(time);
            if let Some(run) = at_play.get() {
                run.control.raise(StopLevel::Finish);
            }
        })?;
        Ok(())
    }

    pub fn is_time_up(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }

    pub fn time_left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(Instant::now()))
    }

    pub const fn signals(&self) -> &CurrentRun {
        &self.at_play
    }

    pub fn interrupted(&self) -> ExitCode {
        say_how_to_continue(&self.continuation);
        ExitCode::Inconclusive
    }

    /// Plays a run, or its missing games, in `folder`. A finished run is only read.
    pub fn play(&self, config: &RunConfig, folder: &Path) -> Result<NestedRun, CliError> {
        self.play_after(config, folder, || ())
    }

    /// Like `play`. `begun` is called when the folder exists and is in use, before the first game.
    pub fn play_after(
        &self,
        config: &RunConfig,
        folder: &Path,
        begun: impl FnOnce(),
    ) -> Result<NestedRun, CliError> {
        let with_page = self.conclusion.report();
        let kept = prepare(config, folder, with_page)?;
        begun();
        let conducted = conduct(kept, |handler| {
            let control = handler.control.clone();
            self.at_play.set(Some(handler));
            if self.is_time_up() {
                control.raise(StopLevel::Finish);
            }
            Ok(())
        });
        self.at_play.set(None);
        Ok(NestedRun::of(conducted?, with_page))
    }
}

fn say_how_to_continue(continuation: &str) {
    console::note(&format!("saved; continue with: {continuation}"));
}
