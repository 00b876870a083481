//! A run from its first game to its last, over as many interruptions as it takes.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::{fs, io, thread};

use jiff::Timestamp;
use thiserror::Error;

use super::slot::{GameQueue, Notice, Slot};
use super::standing::Standing;
use super::{
    ConfigError, CorePlan, CorePlanError, Event, FinishReason, GameRecord, Journal, JournalError, RunConfig,
    Schedule, ScheduledOpenings, StopHandle, StopLevel,
};
use crate::openings::Book;

/// The name of the journal in the folder of a run.
pub const JOURNAL_FILE: &str = "events.jsonl";

/// The folder in the folder of a run for the protocol logs of games that ended badly.
const BAD_GAMES_FOLDER: &str = "bad";

/// A run that is ready to be executed.
#[derive(Debug)]
pub struct Run {
    config: RunConfig,
    schedule: Schedule,
    openings: ScheduledOpenings,
    folder: PathBuf,
    journal: Journal,
    /// The games that count so far, by their index.
    finished: BTreeMap<u32, GameRecord>,
    /// That the run began or goes on; in the journal already.
    first_event: Event,
    stop: StopHandle,
}

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The games cannot have cores of their own.
    #[error(transparent)]
    Cores(#[from] CorePlanError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal is that of another run.
    #[error("{}: the journal belongs to a run with another configuration; expected the same", folder.display())]
    OtherRun {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// Another file cannot be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A thread to play games in cannot be made ready.
    #[error("cannot set up a place to play: {0}")]
    Slot(#[source] io::Error),
}

impl Run {
    /// A new run whose journal is made in `folder`, which has to exist.
    ///
    /// # Errors
    /// [`RunError`] when the configuration makes no sense or there is a journal already.
    pub fn start(config: RunConfig, book: Book, folder: &Path) -> Result<Run, RunError> {
        config.validate()?;
        CorePlan::of_run(&config)?;
        let journal = Journal::create(&folder.join(JOURNAL_FILE))?;
        let mut run = Run::with_journal(config, book, folder, journal);
        run.journal.append([&run.first_event])?;
        Ok(run)
    }

    /// Goes on with a run. A journal that a crash cut off before its first line was whole begins anew.
    ///
    /// # Errors
    /// [`RunError`] when the journal cannot be read or belongs to another configuration.
    pub fn resume(config: RunConfig, book: Book, folder: &Path) -> Result<Run, RunError> {
        config.validate()?;
        CorePlan::of_run(&config)?;
        let (journal, events) = Journal::open_for_resume(&folder.join(JOURNAL_FILE))?;
        let mut run = Run::with_journal(config, book, folder, journal);
        match events.first() {
            None => {}
            Some(Event::RunStarted { config, .. }) if config.asks_for_the_same_as(&run.config) => {
                run.take_finished(events);
                let finished = run.finished.len() as u32;
                run.first_event = Event::RunResumed { finished, at: Timestamp::now() };
            }
            Some(_) => return Err(RunError::OtherRun { folder: folder.to_owned() }),
        }
        run.journal.append([&run.first_event])?;
        Ok(run)
    }

    fn with_journal(config: RunConfig, book: Book, folder: &Path, journal: Journal) -> Run {
        let schedule = Schedule::new(&config);
        let first_event = Event::RunStarted {
            config: Box::new(config.clone()),
            games: schedule.games(),
            at: Timestamp::now(),
        };
        Run {
            schedule,
            openings: ScheduledOpenings::new(&config, book),
            folder: folder.to_owned(),
            journal,
            finished: BTreeMap::new(),
            first_event,
            stop: StopHandle::default(),
            config,
        }
    }

    fn take_finished(&mut self, events: Vec<Event>) {
        for event in events {
            if let Event::GameFinished(record) = event
                && record.is_counted()
            {
                self.finished.entry(record.game).or_insert(*record);
            }
        }
    }

    /// What the run was asked for.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// How many games the schedule has, finished ones included.
    pub fn games(&self) -> u32 {
        self.schedule.games()
    }

    /// The games that count so far, in the order of the schedule.
    pub fn finished(&self) -> impl Iterator<Item = &GameRecord> {
        self.finished.values()
    }

    /// A handle that ends the run early.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Plays the games that are missing. Every event goes to the journal first and then to `sink`, always on this
    /// thread.
    ///
    /// # Errors
    /// [`RunError`] when something of our own fails, as a full disk does; the games in progress are abandoned then.
    pub fn execute(self, mut sink: impl FnMut(&Event)) -> Result<FinishReason, RunError> {
        let Run { config, schedule, openings, folder, journal, finished, first_event, stop } = self;
        sink(&first_event);
        let mut standing = Standing::new(&config);
        for record in finished.values() {
            standing.add(record);
        }
        standing.forget_failed_starts();
        let pairings: VecDeque<_> =
            schedule.pairings().filter(|pairing| !finished.contains_key(&pairing.game)).collect();
        let slots = if standing.verdict().is_some() { 0 } else { config.concurrency.min(pairings.len()) };
        let mut missing = pairings.len();
        let queue = Mutex::new(GameQueue { pairings, openings });
        let mut collector = Collector { journal, folder, standing, stop: &stop, missing: &mut missing };

        let played = thread::scope(|scope| {
            let (notices, received) = mpsc::channel();
            let workers: Vec<_> = (0..slots)
                .map(|seat| Slot {
                    config: &config,
                    seat,
                    queue: &queue,
                    stop: stop.clone(),
                    notices: notices.clone(),
                    idle: Vec::new(),
                })
                .map(|slot| scope.spawn(|| slot.run()))
                .collect();
            drop(notices);
            let collected = collector.collect(&received, &mut sink);
            if collected.is_err() {
                stop.raise(StopLevel::Abandon);
            }
            drop(received);
            let results = workers.into_iter().map(|worker| {
                worker.join().unwrap_or_else(|_| Err(io::Error::other("a thread that plays games panicked")))
            });
            let finished: io::Result<Vec<()>> = results.collect();
            collected.and(finished.map(drop).map_err(RunError::Slot))
        });
        played?;
        collector.finish(&mut sink)
    }
}

/// Receives what the slots report, in whatever order the games end.
struct Collector<'a> {
    journal: Journal,
    folder: PathBuf,
    standing: Standing,
    stop: &'a StopHandle,
    /// How many games of the schedule have no result yet.
    missing: &'a mut usize,
}

impl Collector<'_> {
    /// Writes everything down until all slots are done.
    fn collect(
        &mut self,
        received: &Receiver<Notice>,
        sink: &mut impl FnMut(&Event),
    ) -> Result<(), RunError> {
        while let Ok(first) = received.recv() {
            // What came in while the disk was busy is synced at one go.
            let batch: Vec<Notice> = std::iter::once(first).chain(received.try_iter()).collect();
            for notice in &batch {
                self.keep_log(notice)?;
            }
            self.journal.append(batch.iter().map(|notice| &notice.event))?;
            for Notice { event, .. } in &batch {
                if let Event::GameFinished(record) = event {
                    *self.missing -= usize::from(record.is_counted());
                    self.standing.add(record);
                }
                sink(event);
            }
            if self.standing.verdict().is_some() {
                self.stop.raise(StopLevel::Finish);
            }
        }
        Ok(())
    }

    fn keep_log(&self, notice: &Notice) -> Result<(), RunError> {
        let (Some(log), Event::GameFinished(record)) = (&notice.log, &notice.event) else { return Ok(()) };
        let folder = self.folder.join(BAD_GAMES_FOLDER);
        // By the number that people see in the display, the table and the PGN, which count from 1.
        let path = folder.join(format!("{}.log", record.game + 1));
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, log));
        written.map_err(|source| RunError::File { path, source })
    }

    /// Says why the run is over.
    fn finish(mut self, sink: &mut impl FnMut(&Event)) -> Result<FinishReason, RunError> {
        let reason = match self.standing.verdict() {
            Some(reason) => reason.clone(),
            None if *self.missing == 0 => FinishReason::AllGamesPlayed,
            None => FinishReason::Requested,
        };
        let event = Event::RunFinished { reason: reason.clone(), at: Timestamp::now() };
        self.journal.append([&event])?;
        sink(&event);
        Ok(reason)
    }
}
