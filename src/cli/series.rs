//! Runs that belong together and are played one after the other, each in a run folder of its own.
//!
//! Every run can be interrupted and goes on where it was, as any run does; which runs there are is for those to know
//! who ask for them.

use std::io;
use std::path::Path;

#[cfg(unix)]
use super::control::ControlSocket;
use super::control::Desk;
use super::error::{Blame, CliError};
use super::interrupts::{self, AtPlay, OrderedRun};
use super::match_args::ConclusionArgs;
use super::{books, console, engines, play, run_file};
use crate::cli::books::AskedBy;
use crate::report::{ReportError, Reporter, RunFolder, Summary, Terminal};
use crate::runner::{CorePlan, FinishReason, GameRecord, Run, RunConfig, StopLevel};

/// A series that is going on.
#[derive(Debug)]
pub struct Series {
    at_play: AtPlay,
    conclusion: ConclusionArgs,
}

/// How a run of a series ended.
#[derive(Debug)]
pub struct PlayedRun {
    /// Its numbers.
    pub summary: Summary,
    /// Why it ended.
    pub reason: FinishReason,
}

impl Series {
    /// Begins to listen to signals.
    ///
    /// # Errors
    /// The system does not let us.
    pub fn begin(conclusion: ConclusionArgs) -> io::Result<Series> {
        let at_play = AtPlay::default();
        interrupts::watch_series(at_play.clone())?;
        Ok(Series { at_play, conclusion })
    }

    /// Plays a run, or what is missing of it, in `folder`. One that is over already is only read.
    ///
    /// # Errors
    /// An engine, the book or the folder is not as it should be.
    pub fn play(&self, config: &RunConfig, folder: &Path) -> Result<PlayedRun, CliError> {
        let book = books::load(&config.book, config.variant, AskedBy::File).usage()?;
        let has_begun = folder.join(run_file::NAME).is_file();
        let (run, folder) = if has_begun {
            let config = play::read_config(folder).usage()?;
            let run = Run::resume(config.clone(), book, folder).usage()?;
            if !run.is_over() {
                engines::check_unchanged(&config.engines).usage()?;
            }
            let finished: Vec<GameRecord> = run.finished().cloned().collect();
            let folder = RunFolder::resume(folder, &config, finished).fault()?;
            (run, folder)
        } else {
            // Killed in its very first moment, a run has left a folder and nothing in it that counts.
            if folder.exists() {
                std::fs::remove_dir_all(folder).fault()?;
            }
            let mut config = config.clone();
            play::introduce(&mut config).usage()?;
            config.validate().usage()?;
            let files = RunFolder::create(folder, &config).fault()?;
            (Run::start(config, book, folder).fault()?, files)
        };
        self.execute(run, folder)
    }

    fn execute(&self, run: Run, mut folder: RunFolder) -> Result<PlayedRun, CliError> {
        let mut terminal =
            Terminal::stderr(run.config(), run.finished(), console::wants_colour(&io::stderr()));
        let control = run.control();
        let cores = CorePlan::of_run(run.config()).fault()?;
        let desk = Desk::new(control.clone(), terminal.progress(), folder.path()).with_cores(cores);
        #[cfg(unix)]
        let _socket = ControlSocket::open(folder.path(), desk.clone())
            .inspect_err(|error| console::note(&format!("no control from other terminals: {error:#}")));
        self.at_play.set(Some(OrderedRun { control: control.clone(), desk, speaker: terminal.speaker() }));
        let mut broken: Option<ReportError> = None;
        let reason = run.execute(|event| {
            if let Err(error) = folder.on_event(event) {
                broken.get_or_insert(error);
                control.raise(StopLevel::Abandon);
            }
            // A terminal that was closed is no reason to stop.
            let _ = terminal.on_event(event);
        });
        self.at_play.set(None);
        let reason = reason.fault()?;
        if let Some(error) = broken {
            return Err(error).fault();
        }
        if self.conclusion.report() {
            play::write_report(folder.path());
        }
        Ok(PlayedRun { summary: folder.summary(), reason })
    }
}
