//! A run from its first game to its last, across any number of interruptions.

mod collector;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, thread};

use tokio::sync::mpsc;

use self::collector::Collector;
use crate::pool::{OwnReport, PoolLink};
use crate::process::ProcessReaper;
use crate::tournament::GameQueue;
use crate::workers::{Patience, Shared, Supervisor, WorkerMessage};
use crate::{
    CorePlan, Event, FinishReason, GameRecord, JOURNAL_FILE, Journal, LiveEntrance, LiveFeed, Machine,
    Machines, RunConfig, RunControl, RunError, RunPlan, Schedule, ScheduledOpenings, StopLevel,
    available_memory,
};
use referee::TablebaseError;
use referee::openings::Book;

/// The most messages that wait for the collector. If hundreds of games are played at once it gets the smallest share of
/// the processor; then the workers wait for it, which limits the memory.
const BACKLOG: usize = 32;

/// A run that is ready to be executed.
#[derive(Debug)]
pub struct Run {
    plan: RunPlan,
    schedule: Schedule,
    openings: ScheduledOpenings,
    /// `None` if nothing is written to disk.
    folder: Option<PathBuf>,
    journal: Journal,
    /// The earlier events of a continued run, in the journal's order, with each repeated game only once. Empty for a new
    /// run, whose first event is still to come.
    pub past: Vec<Event>,
    /// The start of the run, if it has just been written to the journal; otherwise [`execute`](Self::execute) records a
    /// resume.
    began: Option<Event>,
    /// The report of this shard to the others, if there is a pool.
    own: Option<OwnReport>,
    /// The machines that played games of the run or were to play some.
    pub machines: Machines,
    /// The number of the machine that plays from now on.
    machine: u32,
    /// Whether the journal lacks this machine or its benches.
    joins: bool,
    control: RunControl,
    live: LiveFeed,
}

impl RunPlan {
    /// A new run whose journal is created in `folder`, which has to exist.
    ///
    /// # Errors
    /// [`RunError`] if there is a journal already, or it cannot be written.
    pub fn start(self, book: Book, folder: &Path) -> Result<Run, RunError> {
        Run::of_plan(self, book, Some(folder))
    }
}

impl Run {
    pub(crate) fn of_plan(plan: RunPlan, book: Book, folder: Option<&Path>) -> Result<Run, RunError> {
        let create = |folder: &Path| Journal::create(&folder.join(JOURNAL_FILE));
        let journal = folder.map_or_else(|| Ok(Journal::in_memory()), create)?;
        let mut run = Run::with_journal(plan, book, folder, journal);
        run.say_that_it_began()?;
        Ok(run)
    }

    /// Continues a run. If a crash left the journal without a complete first line, it begins anew.
    ///
    /// Nothing is added to the journal before [`execute`](Self::execute); only an incomplete last line is removed.
    ///
    /// # Errors
    /// [`RunError`] if the journal cannot be read, is in use, or belongs to another configuration.
    pub fn resume(config: RunConfig, book: Book, folder: &Path) -> Result<Run, RunError> {
        let plan = RunPlan::new(config)?;
        let (journal, events) = Journal::open_for_resume(&folder.join(JOURNAL_FILE))?;
        let mut run = Run::with_journal(plan, book, Some(folder), journal);
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

    fn with_journal(plan: RunPlan, book: Book, folder: Option<&Path>, journal: Journal) -> Run {
        let config = &plan.config;
        Run {
            schedule: Schedule::new(config),
            openings: ScheduledOpenings::new(config, book),
            folder: folder.map(Path::to_owned),
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
        // This is checked last, since a knockout's game may be known only by results that are after it in the journal.
        let fits = |record: &&GameRecord| self.schedule.has(record.game, [record.white, record.black]);
        match self.finished().find(|record| !fits(record)) {
            None => Ok(()),
            Some(stranger) => {
                let folder = self.folder.clone().unwrap_or_default();
                Err(RunError::OtherGame { folder, game: stranger.game + 1 })
            }
        }
    }

    /// The configuration of the run.
    pub fn config(&self) -> &Arc<RunConfig> {
        &self.plan.config
    }

    /// The cores of each game, if games have their own cores.
    pub fn cores(&self) -> Option<&CorePlan> {
        self.plan.cores.as_deref()
    }

    /// Opens the Syzygy tablebases unless they are open, so that an error shows before games are played. Returns a
    /// [complaint](crate::TablebaseAdjudicator::complaint) if there is one.
    ///
    /// # Errors
    /// A folder has no tablebases.
    pub fn open_tables(&mut self) -> Result<Option<String>, TablebaseError> {
        self.plan.open_tables()
    }

    /// The number of games that are known so far, finished games included.
    pub fn games(&self) -> u32 {
        self.schedule.games()
    }

    /// The games that count so far, in the order in which they ended.
    pub fn finished(&self) -> impl Iterator<Item = &GameRecord> {
        finished_games(&self.past)
    }

    /// Whether nothing is left to play: every game was played, or the sequential test has decided.
    pub fn is_over(&self) -> bool {
        self.schedule.is_over()
    }

    /// Sets the machine on which the games are played from now on; by default, the one on which the run was started.
    pub fn play_on(&mut self, machine: &Machine) {
        let known = self.machines.clone();
        self.machine = self.machines.join(machine);
        self.joins = self.machines != known;
    }

    /// A handle that pauses the run, changes its pace, or ends it early.
    pub fn control(&self) -> RunControl {
        self.control.clone()
    }

    /// A handle through which others can watch the games.
    pub fn live(&self) -> LiveEntrance {
        self.live.entrance()
    }

    /// Plays the missing games. Every event goes to the journal first and then to `sink`, always on this thread.
    ///
    /// # Errors
    /// [`RunError`] if something outside the engines fails, such as a full disk; the games in progress are then abandoned.
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
        let queue = Arc::new(GameQueue::new(
            &config,
            self.schedule,
            self.openings,
            available_memory().unwrap_or(u64::MAX),
        ));
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
        // A command of the pool may have been running until now.
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
