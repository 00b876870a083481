//! A series of runs, played one after the other, each in its own run folder.
//!
//! Each run can be interrupted and resumed like any other. The caller decides which runs there are.

use std::io;
use std::path::Path;

use super::playing::{KeptRun, Played};
use super::{playing, run_file};
use crate::cli::{Blame, CliError, ExitCode, console};
use crate::engines;
use crate::files::forget_drafts;
use crate::files::new_folder;
use crate::live::control::CurrentRun;
use crate::live::control::signals;
use crate::options::ConclusionArgs;
use crate::options::books;
use crate::options::books::AskedBy;
use crate::results::RecordedRun;
use runner::{Run, RunConfig, RunPlan};

#[derive(Debug)]
pub struct Series {
    /// How the user continues it.
    continuation: String,
    at_play: CurrentRun,
    conclusion: ConclusionArgs,
}

impl Series {
    /// Begins to listen to signals. `folder` is what `arbiter resume` takes to continue the series.
    pub fn begin(folder: &Path, conclusion: ConclusionArgs) -> io::Result<Series> {
        Series::continued_by(format!("arbiter resume {}", folder.display()), conclusion)
    }

    /// The same for a series that the user continues in another way than by `arbiter resume`.
    pub fn continued_by(continuation: String, conclusion: ConclusionArgs) -> io::Result<Series> {
        let at_play = CurrentRun::default();
        let said = continuation.clone();
        signals::watch_series(at_play.clone(), move || say_how_to_continue(&said))?;
        Ok(Series { continuation, at_play, conclusion })
    }

    /// Says how to continue a series that the user has stopped. Returns how the command ends.
    pub fn interrupted(&self) -> ExitCode {
        say_how_to_continue(&self.continuation);
        ExitCode::Inconclusive
    }

    /// Plays a run, or what is missing of it, in `folder`. One that is over already is only read.
    pub fn play(&self, config: &RunConfig, folder: &Path) -> Result<Played, CliError> {
        let book = books::load(&config.book, config.variant, AskedBy::File).usage()?;
        let has_begun = folder.join(run_file::NAME).is_file();
        let with_page = self.conclusion.report();
        let kept = if has_begun {
            let config = playing::read_config(folder).usage()?;
            let run = Run::resume(config.clone(), book, folder).usage()?;
            if !run.is_over() {
                engines::check_unchanged(&config.engines).usage()?;
            }
            KeptRun::resume(run, folder, with_page)?
        } else {
            // Killed in its very first moment, a run has left at most a draft of its configuration.
            forget_drafts(&folder.join(run_file::NAME));
            if folder.exists() {
                new_folder::check_out(folder).usage()?;
            }
            let mut plan = RunPlan::new(config.clone()).usage()?;
            playing::introduce(&mut plan).usage()?;
            KeptRun::create(plan, book, folder, with_page)?
        };
        let conducted = playing::conduct(kept, |ordered| {
            self.at_play.set(Some(ordered));
            Ok(())
        });
        self.at_play.set(None);
        let conducted = conducted?;
        let played = conducted.played();
        if with_page {
            playing::write_report(RecordedRun::just_played(conducted.state, folder));
        }
        Ok(played)
    }
}

fn say_how_to_continue(continuation: &str) {
    console::note(&format!("saved; continue with: {continuation}"));
}
