//! Sees to it that there are as many slots as the control of the run asks for.

use std::collections::BTreeMap;
use std::io;
use std::thread::{self, Scope, ScopedJoinHandle};

use jiff::Timestamp;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{Sender, UnboundedSender, unbounded_channel};

use super::CorePlan;
use super::idle_engines::IdleEngines;
use super::seat::Seat;
use super::slot::{Notice, Slot};
use super::slot_thread::SlotThread;
use crate::machine::NoiseWatch;
use crate::tournament::GameQueue;
use crate::{Event, LiveFeed, RunConfig, RunControl, TableJudge};

/// Games for which the machine has no cores share threads: beyond so many for each core, more threads only cost memory
/// and time. Up to there each slot has a thread of its own.
const THREADS_PER_CORE: usize = 4;

/// Starts slots whenever there are games and free seats, until neither will come any more.
#[derive(Debug)]
pub(crate) struct Supervisor<'env> {
    pub(crate) config: &'env RunConfig,
    pub(crate) cores: Option<&'env CorePlan>,
    pub(crate) queue: &'env GameQueue,
    pub(crate) tables: Option<TableJudge>,
    pub(crate) control: &'env RunControl,
    pub(crate) live: LiveFeed,
    pub(crate) notices: Sender<Notice>,
}

impl<'env> Supervisor<'env> {
    /// Works on a thread of its own until the run is over, and returns how its slots ended.
    pub(crate) fn run<'scope>(self, scope: &'scope Scope<'scope, 'env>) -> io::Result<()> {
        // Waiting for the control needs neither timers nor input.
        let runtime = Builder::new_current_thread().build()?;
        let mut listener = self.control.listener();
        let mut threads = SlotThreads::new(self.config, self.cores, self.control);
        let noise_watch = self.watch_machine(scope);
        let mut pace = self.control.pace();
        loop {
            while let Some(seat) = Seat::take(self.control) {
                threads.give(self.slot(seat), scope);
            }
            if self.control.pace() != pace {
                pace = self.control.pace();
                let (paused, concurrency) = (pace.paused, pace.concurrency);
                let event = Event::PaceChanged { paused, concurrency, at: Timestamp::now() };
                // If the collector is gone, the run is being stopped.
                let _ = self.notices.blocking_send(Notice::of(event));
            }
            if self.control.is_winding_up() {
                break;
            }
            runtime.block_on(listener.changed());
        }
        drop(self.notices);
        let ended = threads.join();
        drop(noise_watch);
        ended
    }

    /// Lets a thread look at the machine now and then until what is returned is dropped.
    fn watch_machine<'scope>(&self, scope: &'scope Scope<'scope, 'env>) -> Option<NoiseWatch> {
        let (watch, watching) = NoiseWatch::of_run(self.config)?;
        let notices = self.notices.clone();
        scope.spawn(move || {
            watching.run(|state| {
                let noise = state.noise();
                // If the collector is gone, the run is being stopped.
                let _ =
                    notices.blocking_send(Notice::of(Event::MachineNoise { noise, at: Timestamp::now() }));
            });
        });
        Some(watch)
    }

    fn slot(&self, seat: Seat<'env>) -> Slot<'env> {
        Slot {
            config: self.config,
            queue: self.queue,
            control: self.control.clone(),
            seat,
            notices: self.notices.clone(),
            tables: self.tables.clone(),
            live: self.live.clone(),
            idle: IdleEngines::with_room_for(self.config.idle_engines),
        }
    }
}

/// The threads that play, started as they are needed.
struct SlotThreads<'scope, 'env> {
    /// Which cores each of them has, if that is to be.
    plan: Option<&'env CorePlan>,
    control: &'env RunControl,
    /// How many there may be.
    limit: usize,
    running: BTreeMap<usize, (UnboundedSender<Slot<'env>>, ScopedJoinHandle<'scope, io::Result<()>>)>,
}

impl<'scope, 'env> SlotThreads<'scope, 'env> {
    fn new(config: &'env RunConfig, plan: Option<&'env CorePlan>, control: &'env RunControl) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // A game that has cores of its own has them by its thread.
        let limit = if config.affinity { usize::MAX } else { THREADS_PER_CORE * cores };
        SlotThreads { plan, control, limit, running: BTreeMap::new() }
    }

    /// Lets the thread run the slot to which its seat belongs.
    fn give(&mut self, slot: Slot<'env>, scope: &'scope Scope<'scope, 'env>) {
        let number = slot.seat.number() % self.limit;
        let (cores, control) = (self.plan, self.control);
        let (slots, _) = self.running.entry(number).or_insert_with(|| {
            let (sender, slots) = unbounded_channel();
            let thread = SlotThread { cores, control, number, slots };
            (sender, scope.spawn(move || thread.run()))
        });
        // A thread that could not work has ended the run already, and the slot gives its seat back.
        let _ = slots.send(slot);
    }

    /// Waits for all of them, whatever becomes of the first.
    fn join(self) -> io::Result<()> {
        let (slots, threads): (Vec<_>, Vec<_>) = self.running.into_values().unzip();
        drop(slots);
        let ends = threads.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread that plays games panicked")))
        });
        let ends: Vec<io::Result<()>> = ends.collect();
        ends.into_iter().collect()
    }
}
