//! Keeps as many workers running as the control of the run asks for.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Builder;

use super::CorePlan;
use super::permit::Permit;
use super::ready_engines::IdleEngines;
use super::worker::{Shared, Worker, WorkerMessage};
use super::worker_thread::WorkerThread;
use crate::machine::NoiseWatch;
use crate::{Affinity, Event, RunConfig, StopLevel};

/// Games without their own cores share threads: with more than this many for each core, more threads only cost memory
/// and time. Up to that number each worker has its own thread.
const THREADS_PER_CORE: usize = 4;

#[derive(Debug)]
pub(crate) struct Supervisor {
    pub(crate) shared: Shared,
    pub(crate) cores: Option<Arc<CorePlan>>,
    /// The thread of the first worker, if it is already running.
    pub(crate) first: Option<WorkerThread>,
}

impl Supervisor {
    /// Works on its own thread until the run has ended, and returns how its workers ended.
    pub(crate) fn run(mut self) -> io::Result<()> {
        // Waiting for the control needs neither timers nor input.
        let runtime = Builder::new_current_thread().build()?;
        let mut listener = self.shared.control.listener();
        let mut threads = WorkerThreads::new(&self.shared.config, self.cores.clone(), self.first.take());
        let messages = self.shared.messages.clone();
        let noise_watch = NoiseWatch::of_run(&self.shared.config, move |noise| {
            let (noise, at) = (Some(noise).filter(|noise| noise.is_noisy()), crate::now());
            // If the collector is gone, the run is being stopped.
            let _ = messages.blocking_send(WorkerMessage::of(Event::MachineNoise { noise, at }));
        })?;
        let mut pace = self.shared.control.pace();
        let mut given = Ok(());
        loop {
            while let Some(permit) = Permit::take(&self.shared.control) {
                given = threads.give(self.worker(permit));
                if given.is_err() {
                    // The system cannot provide another thread. The games in progress are finished.
                    self.shared.control.raise(StopLevel::Finish);
                }
            }
            if self.shared.control.pace() != pace {
                pace = self.shared.control.pace();
                let (paused, concurrency) = (pace.paused, pace.concurrency);
                let event = Event::PaceChanged { paused, concurrency, at: crate::now() };
                // If the collector is gone, the run is being stopped.
                let _ = self.shared.messages.blocking_send(WorkerMessage::of(event));
            }
            if self.shared.control.is_winding_up() {
                break;
            }
            // It only fails when every handle of the control is gone, and this is one.
            let _ = runtime.block_on(listener.changed());
        }
        drop(self.shared);
        let ended = threads.join();
        drop(noise_watch);
        ended.and(given)
    }

    fn worker(&self, permit: Permit) -> Worker {
        Worker {
            shared: self.shared.clone(),
            permit,
            idle: IdleEngines::with_capacity(self.shared.config.idle_engines),
            introduced: IdleEngines::default(),
        }
    }
}

/// The threads that play, started as they are needed.
struct WorkerThreads {
    /// The plan of the threads' cores, if games have their own.
    plan: Option<Arc<CorePlan>>,
    /// The most threads.
    limit: usize,
    running: BTreeMap<usize, WorkerThread>,
}

impl WorkerThreads {
    fn new(config: &RunConfig, plan: Option<Arc<CorePlan>>, first: Option<WorkerThread>) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // A game with its own cores is bound to them through its thread.
        let limit =
            if config.affinity == Affinity::Pinned(false) { THREADS_PER_CORE * cores } else { usize::MAX };
        WorkerThreads { plan, limit, running: first.map(|first| (0, first)).into_iter().collect() }
    }

    /// Gives a worker to the thread that belongs to its permit.
    fn give(&mut self, worker: Worker) -> io::Result<()> {
        let number = worker.permit.number % self.limit;
        let thread = match self.running.entry(number) {
            Entry::Occupied(running) => running.into_mut(),
            Entry::Vacant(place) => place.insert(WorkerThread::start(self.plan.clone(), number)?),
        };
        thread.give(worker)
    }

    fn join(self) -> io::Result<()> {
        let threads: Vec<_> = self.running.into_values().map(|thread| thread.handle).collect();
        let ends = threads.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread that plays games panicked")))
        });
        let ends: Vec<io::Result<()>> = ends.collect();
        ends.into_iter().collect()
    }
}
