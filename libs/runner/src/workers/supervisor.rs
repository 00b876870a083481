//! Sees to it that there are as many workers as the control of the run asks for.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::thread::{self, Scope, ScopedJoinHandle};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::CorePlan;
use super::worker::{IdleEngines, Worker, WorkerMessage};
use crate::machine::NoiseWatch;
use crate::process::schedule_as_batch;
use crate::tournament::GameQueue;
use crate::used_files::UsedFiles;
use crate::{Affinity, Event, LiveFeed, RunConfig, RunControl, StopLevel, TablebaseAdjudicator};

/// Games for which the machine has no cores share threads: beyond so many for each core, more threads only cost memory
/// and time. Up to there each worker has a thread of its own.
const THREADS_PER_CORE: usize = 4;

/// Starts workers whenever there are games and free permits, until neither will come any more.
#[derive(Debug)]
pub(crate) struct Supervisor<'env> {
    pub(crate) config: &'env RunConfig,
    pub(crate) cores: Option<&'env CorePlan>,
    pub(crate) queue: &'env GameQueue,
    pub(crate) tables: Option<TablebaseAdjudicator>,
    pub(crate) files: &'env UsedFiles,
    pub(crate) control: &'env RunControl,
    pub(crate) live: LiveFeed,
    pub(crate) messages: Sender<WorkerMessage>,
}

impl<'env> Supervisor<'env> {
    /// Works on a thread of its own until the run is over, and returns how its workers ended.
    pub(crate) fn run<'scope>(self, scope: &'scope Scope<'scope, 'env>) -> io::Result<()> {
        // Waiting for the control needs neither timers nor input.
        let runtime = Builder::new_current_thread().build()?;
        let mut listener = self.control.listener();
        let mut threads = WorkerThreads::new(self.config, self.cores, self.control);
        let noise_watch = self.watch_machine(scope)?;
        let mut pace = self.control.pace();
        let mut given = Ok(());
        loop {
            while let Some(permit) = Permit::take(self.control) {
                given = threads.give(self.worker(permit), scope);
                if given.is_err() {
                    // The system has no thread for us. The games in progress are finished.
                    self.control.raise(StopLevel::Finish);
                }
            }
            if self.control.pace() != pace {
                pace = self.control.pace();
                let (paused, concurrency) = (pace.paused, pace.concurrency);
                let event = Event::PaceChanged { paused, concurrency, at: Timestamp::now() };
                // If the collector is gone, the run is being stopped.
                let _ = self.messages.blocking_send(WorkerMessage::of(event));
            }
            if self.control.is_winding_up() {
                break;
            }
            runtime.block_on(listener.changed());
        }
        drop(self.messages);
        let ended = threads.join();
        drop(noise_watch);
        given.and(ended)
    }

    /// Lets a thread look at the machine now and then until what is returned is dropped.
    fn watch_machine<'scope>(&self, scope: &'scope Scope<'scope, 'env>) -> io::Result<Option<NoiseWatch>> {
        let Some((watch, watching)) = NoiseWatch::of_run(self.config) else { return Ok(None) };
        let messages = self.messages.clone();
        thread::Builder::new().spawn_scoped(scope, move || {
            watching.run(|state| {
                let noise = state.noise();
                // If the collector is gone, the run is being stopped.
                let _ = messages
                    .blocking_send(WorkerMessage::of(Event::MachineNoise { noise, at: Timestamp::now() }));
            });
        })?;
        Ok(Some(watch))
    }

    fn worker(&self, permit: Permit<'env>) -> Worker<'env> {
        Worker {
            config: self.config,
            queue: self.queue,
            control: self.control.clone(),
            permit,
            messages: self.messages.clone(),
            tables: self.tables.clone(),
            files: self.files,
            live: self.live.clone(),
            idle: IdleEngines::with_capacity(self.config.idle_engines),
        }
    }
}

/// The threads that play, started as they are needed.
struct WorkerThreads<'scope, 'env> {
    /// Which cores each of them has, if that is to be.
    plan: Option<&'env CorePlan>,
    control: &'env RunControl,
    /// How many there may be.
    limit: usize,
    running: BTreeMap<usize, (UnboundedSender<Worker<'env>>, ScopedJoinHandle<'scope, io::Result<()>>)>,
}

impl<'scope, 'env> WorkerThreads<'scope, 'env> {
    fn new(config: &'env RunConfig, plan: Option<&'env CorePlan>, control: &'env RunControl) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // A game that has cores of its own has them by its thread.
        let limit = if config.affinity == Affinity::Off { THREADS_PER_CORE * cores } else { usize::MAX };
        WorkerThreads { plan, control, limit, running: BTreeMap::new() }
    }

    /// Lets the thread run the worker to which its permit belongs.
    fn give(&mut self, worker: Worker<'env>, scope: &'scope Scope<'scope, 'env>) -> io::Result<()> {
        let number = worker.permit.number() % self.limit;
        let (workers, _) = match self.running.entry(number) {
            Entry::Occupied(running) => running.into_mut(),
            Entry::Vacant(place) => {
                let (sender, workers) = unbounded_channel();
                let thread = WorkerThread { cores: self.plan, control: self.control, number, workers };
                let handle = thread::Builder::new().spawn_scoped(scope, move || thread.run())?;
                place.insert((sender, handle))
            }
        };
        // A thread that could not work has ended the run already, and the worker gives its permit back.
        let _ = workers.send(worker);
        Ok(())
    }

    /// Waits for all of them, whatever becomes of the first.
    fn join(self) -> io::Result<()> {
        let (workers, threads): (Vec<_>, Vec<_>) = self.running.into_values().unzip();
        drop(workers);
        let ends = threads.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread that plays games panicked")))
        });
        let ends: Vec<io::Result<()>> = ends.collect();
        ends.into_iter().collect()
    }
}

/// A numbered permit in a run, given back when it is dropped. No two workers have the same at the same time.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    number: usize,
    control: &'a RunControl,
}

impl<'a> Permit<'a> {
    /// Takes a free permit; `None` while there are as many workers as the control of the run wants.
    pub(super) fn take(control: &'a RunControl) -> Option<Permit<'a>> {
        control.take_permit().map(|number| Permit { number, control })
    }

    /// Counts from 0.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Another worker would be put in its place again and again.
            self.control.raise(StopLevel::Finish);
        }
        self.control.return_permit(self.number);
    }
}

/// What a thread needs that plays games. The engines it starts live no longer than the thread.
pub(super) struct WorkerThread<'a> {
    /// The cores of all games, where they have cores of their own.
    pub(super) cores: Option<&'a CorePlan>,
    pub(super) control: &'a RunControl,
    /// With affinity the number of its only permit, which decides on the cores.
    pub(super) number: usize,
    /// The workers that are to be run.
    pub(super) workers: UnboundedReceiver<Worker<'a>>,
}

impl WorkerThread<'_> {
    /// Runs workers until there will be no more.
    pub(super) fn run(self) -> io::Result<()> {
        match self.prepare() {
            Ok(runtime) => {
                runtime.block_on(run_all(self.workers));
                Ok(())
            }
            Err(error) => {
                // A thread that cannot work at all ends the run, or another would be put in its place again and again.
                self.control.raise(StopLevel::Finish);
                Err(error)
            }
        }
    }

    fn prepare(&self) -> io::Result<Runtime> {
        if let Some(plan) = self.cores {
            plan.bind_this_thread(self.number)?;
        }
        schedule_as_batch();
        Builder::new_current_thread().enable_all().build()
    }
}

/// Runs workers side by side as they come in.
async fn run_all(mut workers: UnboundedReceiver<Worker<'_>>) {
    let mut running = FuturesUnordered::new();
    let mut more = true;
    while more || !running.is_empty() {
        tokio::select! {
            biased;
            worker = workers.recv(), if more => match worker {
                Some(worker) => running.push(worker.run()),
                None => more = false,
            },
            Some(()) = running.next(), if !running.is_empty() => {}
        }
    }
}
