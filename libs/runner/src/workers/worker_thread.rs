//! A thread that plays the games of one worker, or of several.

use std::io;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::UnboundedReceiver;

use super::CorePlan;
use super::worker::Worker;
use crate::process::schedule_as_batch;
use crate::{RunControl, StopLevel};

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
