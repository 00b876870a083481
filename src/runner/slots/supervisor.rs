//! Sees to it that there are as many slots as the control of the run asks for.

use std::io;
use std::sync::mpsc::SyncSender;
use std::thread::{self, Scope};

use jiff::Timestamp;
use tokio::runtime::Builder;

use super::idle_engines::IdleEngines;
use super::slot::{Notice, Slot};
use crate::runner::machine::NoiseWatch;
use crate::runner::tournament::GameQueue;
use crate::runner::{Event, RunConfig, RunControl, StopLevel, TableJudge};

/// Starts slots whenever there are games and free seats, until neither will come any more.
#[derive(Debug)]
pub(in crate::runner) struct Supervisor<'env> {
    pub(in crate::runner) config: &'env RunConfig,
    pub(in crate::runner) queue: &'env GameQueue,
    pub(in crate::runner) tables: Option<TableJudge>,
    pub(in crate::runner) control: &'env RunControl,
    pub(in crate::runner) notices: SyncSender<Notice>,
}

impl<'env> Supervisor<'env> {
    /// Works on a thread of its own until the run is over, and returns how its slots ended.
    pub(in crate::runner) fn run<'scope>(self, scope: &'scope Scope<'scope, 'env>) -> io::Result<()> {
        // Waiting for the control needs neither timers nor input.
        let runtime = Builder::new_current_thread().build()?;
        let mut listener = self.control.listener();
        let mut slots = Vec::new();
        let noise_watch = self.watch_machine(scope);
        let mut pace = self.control.pace();
        loop {
            while let Some(seat) = self.control.take_seat() {
                let slot = self.slot(seat);
                let seat = Seat { number: seat, control: self.control };
                slots.push(scope.spawn(move || seat.play(slot)));
            }
            if self.control.pace() != pace {
                pace = self.control.pace();
                let (paused, concurrency) = (pace.paused, pace.concurrency);
                let event = Event::PaceChanged { paused, concurrency, at: Timestamp::now() };
                // If the collector is gone, the run is being stopped.
                let _ = self.notices.send(Notice::of(event));
            }
            if self.control.is_winding_up() {
                break;
            }
            runtime.block_on(listener.changed());
        }
        drop(self.notices);
        let ends = slots.into_iter().map(|slot| {
            slot.join().unwrap_or_else(|_| Err(io::Error::other("a thread that plays games panicked")))
        });
        // All of them are waited for, whatever becomes of the first.
        let ends: Vec<io::Result<()>> = ends.collect();
        drop(noise_watch);
        ends.into_iter().collect()
    }

    /// Lets a thread look at the machine now and then until what is returned is dropped.
    fn watch_machine<'scope>(&self, scope: &'scope Scope<'scope, 'env>) -> Option<NoiseWatch> {
        let (watch, watching) = NoiseWatch::of_run(self.config)?;
        let notices = self.notices.clone();
        scope.spawn(move || {
            watching.run(|state| {
                let noise = state.noise();
                // If the collector is gone, the run is being stopped.
                let _ = notices.send(Notice::of(Event::MachineNoise { noise, at: Timestamp::now() }));
            });
        });
        Some(watch)
    }

    fn slot(&self, seat: usize) -> Slot<'env> {
        Slot {
            config: self.config,
            queue: self.queue,
            control: self.control.clone(),
            seat,
            notices: self.notices.clone(),
            tables: self.tables.clone(),
            idle: IdleEngines::with_room_for(self.config.idle_engines),
        }
    }
}

/// A seat that is given back however its slot ends.
struct Seat<'env> {
    number: usize,
    control: &'env RunControl,
}

impl Seat<'_> {
    /// A slot that cannot work at all ends the run, or another would be put in its place again and again.
    fn play(self, slot: Slot<'_>) -> io::Result<()> {
        let played = slot.run();
        if played.is_err() {
            self.control.raise(StopLevel::Finish);
        }
        played
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.control.raise(StopLevel::Finish);
        }
        self.control.leave_seat(self.number);
    }
}
