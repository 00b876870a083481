//! A run from its first game to its last, over as many interruptions as it takes.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io, thread};

use thiserror::Error;
use tokio::sync::mpsc::{self, Receiver};

use super::pool::{OwnReport, PoolDecision, PoolLink};
use super::record::untrusted_files::{create_anew, refuse_link};
use super::tournament::GameQueue;
use super::workers::{Patience, Shared, Supervisor, WorkerMessage};
use super::{
    CorePlan, Event, FinishReason, GameRecord, InvalidInput, Journal, JournalError, LiveEntrance, LiveFeed,
    Machine, Machines, RunConfig, RunControl, RunPlan, Schedule, ScheduledOpenings, StopLevel, WarningKind,
};
use crate::process::ProcessReaper;
use referee::TablebaseError;
use referee::openings::Book;

/// The name of the journal in the folder of a run.
pub const JOURNAL_FILE: &str = "events.jsonl";

/// The folder in the folder of a run for the protocol logs of games that ended badly.
pub const BAD_GAMES_FOLDER: &str = "bad";

/// The folder of the compressed logs of the games that were to be logged, within the folder of a run.
pub const GAME_LOGS_FOLDER: &str = "logs";

/// The most messages that wait for the collector. Where hundreds of games are played at once it gets the smallest share of
/// the processor, and the workers that wait for it then keep the memory within bounds.
const BACKLOG: usize = 32;

/// A run that is ready to be executed.
#[derive(Debug)]
pub struct Run {
    plan: RunPlan,
    schedule: Schedule,
    openings: ScheduledOpenings,
    folder: PathBuf,
    journal: Journal,
    /// What the journal held before, each game that counts once.
    past: Vec<Event>,
    /// That it began, unless the journal has said so before; it records when games are played again.
    began: Option<Event>,
    /// What the other shards are told of this one, where there is a pool.
    own: Option<OwnReport>,
    machines: Machines,
    /// The number of the machine that plays from now on.
    machine: u32,
    /// Whether the journal does not know all of it.
    joins: bool,
    control: RunControl,
    live: LiveFeed,
}

/// Why a run cannot begin or go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration makes no sense, or the games cannot have cores of their own.
    #[error(transparent)]
    Config(#[from] InvalidInput),
    /// The book of an engine is not there.
    #[error("{}: expected the Polyglot book of an engine, found no file", .0.display())]
    NoBook(PathBuf),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal is that of another run.
    #[error("{}: the journal was written with another configuration than run.toml", folder.display())]
    OtherRun {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// The Syzygy tablebases cannot be used.
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    /// The journal has a game that the schedule does not have.
    #[error(
        "{}: the journal has a game {game} between other engines than the schedule; expected the games of run.toml",
        folder.display()
    )]
    OtherGame {
        /// The folder of the run.
        folder: PathBuf,
        /// The number of the game, from 1.
        game: u32,
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
    #[error("cannot start a worker: {0}")]
    Worker(#[source] io::Error),
}

impl Run {
    /// A new run whose journal is made in `folder`, which has to exist.
    ///
    /// # Errors
    /// [`RunError`] when the configuration makes no sense or there is a journal already.
    pub fn start(config: RunConfig, book: Book, folder: &Path) -> Result<Run, RunError> {
        RunPlan::new(config)?.start(book, folder)
    }

    pub(crate) fn of_plan(plan: RunPlan, book: Book, folder: &Path) -> Result<Run, RunError> {
        let journal = Journal::create(&folder.join(JOURNAL_FILE))?;
        let mut run = Run::with_journal(plan, book, folder, journal);
        run.say_that_it_began()?;
        Ok(run)
    }

    /// Goes on with a run. A journal that a crash cut off before its first line was whole begins anew.
    ///
    /// Nothing is added to the journal before [`execute`](Self::execute); only a torn last line is taken away.
    ///
    /// # Errors
    /// [`RunError`] when the journal cannot be read, is in use, or belongs to another configuration.
    pub fn resume(config: RunConfig, book: Book, folder: &Path) -> Result<Run, RunError> {
        let plan = RunPlan::new(config)?;
        let (journal, events) = Journal::open_for_resume(&folder.join(JOURNAL_FILE))?;
        let mut run = Run::with_journal(plan, book, folder, journal);
        match events.first() {
            None => run.say_that_it_began()?,
            Some(Event::RunStarted { config, at, .. }) if config.asks_for_the_same_as(&run.plan.config) => {
                run.own = OwnReport::of_run(&run.plan.config, *at);
                run.take_past(events)?;
            }
            Some(_) => return Err(RunError::OtherRun { folder: folder.to_owned() }),
        }
        Ok(run)
    }

    fn with_journal(plan: RunPlan, book: Book, folder: &Path, journal: Journal) -> Run {
        let config = &plan.config;
        Run {
            schedule: Schedule::new(config),
            openings: ScheduledOpenings::new(config, book),
            folder: folder.to_owned(),
            journal,
            past: Vec::new(),
            began: None,
            own: None,
            machines: Machines::of_run(config),
            machine: 0,
            joins: false,
            control: RunControl::new(config.concurrency),
            live: LiveFeed::heard_by(plan.tap.clone()),
            plan,
        }
    }

    fn say_that_it_began(&mut self) -> Result<(), RunError> {
        let at = crate::now();
        let config = Arc::clone(&self.plan.config);
        self.own = OwnReport::of_run(&config, at);
        let event = Event::RunStarted { config, games: self.schedule.games(), at };
        self.journal.append([&event])?;
        self.began = Some(event);
        Ok(())
    }

    fn take_past(&mut self, mut events: Vec<Event>) -> Result<(), RunError> {
        events.retain(|event| match event {
            Event::GameFinished(record) => record.result.is_none() || self.schedule.add(record),
            Event::PoolRead(view) => {
                self.schedule.take_pool(view.counts);
                true
            }
            Event::PoolDecided { decision, .. } => {
                let is_news = self.schedule.decide(decision);
                self.own.iter().filter(|_| is_news).for_each(|own| own.decide(decision));
                is_news
            }
            _ => true,
        });
        for event in &events {
            self.machines.update(event);
        }
        self.past = events;
        // Checked in the end, since a game of a knockout may be known by results that ended up behind its own.
        let fits = |record: &&GameRecord| {
            let pairing = self.schedule.pairing(record.game);
            pairing.is_some_and(|pairing| (pairing.white, pairing.black) == (record.white, record.black))
        };
        match self.finished().find(|record| !fits(record)) {
            None => Ok(()),
            Some(stranger) => {
                Err(RunError::OtherGame { folder: self.folder.clone(), game: stranger.game + 1 })
            }
        }
    }

    /// What the run was asked for.
    pub fn config(&self) -> &Arc<RunConfig> {
        &self.plan.config
    }

    /// How the cores are dealt out, where games have cores of their own.
    pub fn cores(&self) -> Option<&CorePlan> {
        self.plan.cores.as_deref()
    }

    /// Opens the Syzygy tablebases unless they are open, so that an error shows before games are played. Returns a
    /// [complaint](crate::TablebaseAdjudicator::complaint) if there is one.
    ///
    /// # Errors
    /// A folder has no tables.
    pub fn open_tables(&mut self) -> Result<Option<String>, TablebaseError> {
        self.plan.open_tables()
    }

    /// How many games the schedule has by what is known, finished ones included.
    pub fn games(&self) -> u32 {
        self.schedule.games()
    }

    /// The games that count so far, in the order in which they ended.
    pub fn finished(&self) -> impl Iterator<Item = &GameRecord> {
        finished_games(&self.past)
    }

    /// What the journal of a run that goes on held before, in its order; a game that was there twice is here once.
    /// Nothing for a new run, whose first event is still to come.
    pub fn past(&self) -> &[Event] {
        &self.past
    }

    /// Whether nothing is left to play, because every game was played or the sequential test has decided.
    pub fn is_over(&self) -> bool {
        self.schedule.is_over() || self.schedule.verdict().is_some()
    }

    /// The machines that played games of the run, or were to.
    pub const fn machines(&self) -> &Machines {
        &self.machines
    }

    /// Says on which machine the games are played from now on; otherwise it is the one on which the run was started.
    pub fn play_on(&mut self, machine: &Machine) {
        let known = self.machines.clone();
        self.machine = self.machines.join(machine);
        self.joins = self.machines != known;
    }

    /// A handle that pauses the run, changes its pace, or ends it early.
    pub fn control(&self) -> RunControl {
        self.control.clone()
    }

    /// The way in for those who want to watch the games.
    pub fn live(&self) -> LiveEntrance {
        self.live.entrance()
    }

    /// Plays the games that are missing. Every event goes to the journal first and then to `sink`, always on this
    /// thread.
    ///
    /// # Errors
    /// [`RunError`] when something of our own fails, as a full disk does; the games in progress are abandoned then.
    pub fn execute(mut self, mut sink: impl FnMut(&Event)) -> Result<FinishReason, RunError> {
        let (is_over, finished) = (self.is_over(), self.finished().count() as u32);
        let RunPlan { config, cores, mut tables, files, first, .. } = self.plan;
        let tables = if is_over { None } else { tables.open(&config)? };
        if let (Some(own), Some(machine)) = (&self.own, self.machines.0.get(&self.machine)) {
            own.set_machine(machine);
        }
        let began = if let Some(event) = self.began {
            event
        } else {
            let event = Event::RunResumed { finished, at: crate::now() };
            self.journal.append([&event])?;
            event
        };
        sink(&began);
        if self.joins {
            let (number, at) = (self.machine, crate::now());
            let event = Event::MachineJoined { number, machine: self.machines.0[&number].clone(), at };
            self.journal.append([&event])?;
            sink(&event);
        }
        let control = self.control;
        control.set_games_left(!is_over);
        let queue = Arc::new(GameQueue::new(&config, self.schedule, self.openings));
        let mut collector = Collector {
            journal: self.journal,
            folder: self.folder,
            machine: self.machine,
            warned: BTreeSet::new(),
            unreadable_tables: BTreeSet::new(),
            own: self.own.clone(),
            control: &control,
            queue: &queue,
        };
        collector.tell(&self.past);
        drop(self.past);
        let (messages, mut received) = mpsc::channel(BACKLOG);
        let pool =
            self.own.and_then(|own| PoolLink::start(&config, own, control.clone(), messages.downgrade()));
        let shared = Shared {
            patience: Arc::new(Patience::new(config.timeouts.stall, config.engines.len())),
            config,
            queue: Arc::clone(&queue),
            control: control.clone(),
            messages,
            tables,
            files: Arc::new(files),
            live: self.live,
        };
        let supervisor = Supervisor { shared, cores, first };
        let supervisor = thread::Builder::new().spawn(|| supervisor.run()).map_err(RunError::Worker)?;
        let collected = collector.collect(&mut received, &mut sink);
        if collected.is_err() {
            control.raise(StopLevel::Abandon);
        }
        drop(received);
        let supervised = supervisor.join();
        let supervised =
            supervised.unwrap_or_else(|_| Err(io::Error::other("the thread that starts workers panicked")));
        let played = collected.and(supervised.map_err(RunError::Worker));
        ProcessReaper::of_this_process().end_strays();
        let last_words = pool.map_or_else(Vec::new, PoolLink::finish);
        // A command of the pool may have been running before.
        ProcessReaper::of_this_process().end_strays();
        played?;
        collector.take(last_words.into_iter().map(WorkerMessage::of).collect(), &mut sink)?;
        collector.finish(&mut sink)
    }
}

/// The games among these events that count, in the order in which they ended.
fn finished_games<'e>(events: impl IntoIterator<Item = &'e Event>) -> impl Iterator<Item = &'e GameRecord> {
    events.into_iter().filter_map(|event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(&**record),
        _ => None,
    })
}

/// Receives what the workers report, in whatever order the games end.
struct Collector<'a> {
    journal: Journal,
    folder: PathBuf,
    machine: u32,
    /// What each engine was warned of already; the records of the games have the rest.
    warned: BTreeSet<(usize, WarningKind)>,
    /// The Syzygy tablebases that are known to be unreadable, in the words in which it was told.
    unreadable_tables: BTreeSet<String>,
    own: Option<OwnReport>,
    control: &'a RunControl,
    queue: &'a GameQueue,
}

impl Collector<'_> {
    /// Writes everything down until all workers are done.
    fn collect(
        &mut self,
        received: &mut Receiver<WorkerMessage>,
        sink: &mut impl FnMut(&Event),
    ) -> Result<(), RunError> {
        let mut batch = Vec::new();
        // What came in while the disk was busy is synced at one go.
        while received.blocking_recv_many(&mut batch, BACKLOG) > 0 {
            self.take(std::mem::take(&mut batch), sink)?;
        }
        Ok(())
    }

    /// Writes down what came in, and then tells it.
    fn take(&mut self, batch: Vec<WorkerMessage>, sink: &mut impl FnMut(&Event)) -> Result<(), RunError> {
        let (mut taken, mut decisive) = (Vec::with_capacity(batch.len()), None);
        for mut message in batch {
            let is_news = match &message.event {
                Event::EngineWarning { engine, kind, .. } => self.warned.insert((*engine, *kind)),
                Event::TableUnreadable { text, .. } => self.unreadable_tables.insert(text.clone()),
                Event::PoolDecided { decision, .. } => self.decide(decision),
                _ => true,
            };
            if !is_news {
                continue;
            }
            if let Event::GameFinished(record) = &mut message.event {
                record.machine = self.machine;
                self.queue.record(record, message.unready);
            }
            let decided = self.decided_by(&message.event);
            taken.push(message);
            taken.extend(decided.map(WorkerMessage::of));
            if let Some(verdict) = self.queue.verdict() {
                decisive.get_or_insert((taken.len() - 1, verdict));
            }
        }
        self.journal.append(taken.iter().map(|message| &message.event))?;
        self.tell(taken.iter().map(|message| &message.event));
        for (index, message) in taken.iter().enumerate() {
            self.keep_logs(message)?;
            if let Some((_, verdict)) = decisive.take_if(|(decisive, _)| *decisive == index) {
                self.control.decide(verdict);
            }
            sink(&message.event);
        }
        // A worker may be waiting until the messages are dropped.
        Ok(())
    }

    /// The decision of the pool, if the test has it by what was read just now.
    fn decided_by(&self, event: &Event) -> Option<Event> {
        let Event::PoolRead(view) = event else { return None };
        let reason = self.queue.schedule(|schedule| schedule.take_pool(view.counts))?;
        let decision = PoolDecision { reason, counts: view.counts, games: view.games.clone() };
        self.decide(&decision).then(|| Event::PoolDecided { decision: Box::new(decision), at: crate::now() })
    }

    /// Takes the decision of the pool. Returns whether there was none, and its counts bear it out.
    fn decide(&self, decision: &PoolDecision) -> bool {
        let is_news = self.queue.schedule(|schedule| schedule.decide(decision));
        self.own.iter().filter(|_| is_news).for_each(|own| own.decide(decision));
        is_news
    }

    /// Lets the other shards know what the journal has now.
    fn tell<'e>(&self, events: impl IntoIterator<Item = &'e Event>) {
        let Some(own) = &self.own else { return };
        finished_games(events).for_each(|game| own.add(game));
        self.queue
            .schedule(|schedule| schedule.own_counts())
            .into_iter()
            .for_each(|counts| own.set_counts(counts));
    }

    fn keep_logs(&self, message: &WorkerMessage) -> Result<(), RunError> {
        for (file, log) in &message.logs {
            let path = self.folder.join(file);
            let folder = path.parent().unwrap_or(&self.folder);
            let written = refuse_link(folder)
                .and_then(|()| fs::create_dir_all(folder))
                .and_then(|()| create_anew(&path)?.write_all(log));
            written.map_err(|source| RunError::File { path, source })?;
        }
        Ok(())
    }

    fn finish(mut self, sink: &mut impl FnMut(&Event)) -> Result<FinishReason, RunError> {
        let reason = match self.queue.verdict() {
            Some(reason) => reason,
            None if self.queue.schedule(|schedule| schedule.is_over()) => FinishReason::AllGamesPlayed,
            None => FinishReason::Requested,
        };
        let event = Event::RunFinished { reason: reason.clone(), at: crate::now() };
        self.journal.append([&event])?;
        sink(&event);
        Ok(reason)
    }
}
