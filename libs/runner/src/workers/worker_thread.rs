//! A thread that plays games. The engines that it starts live no longer than the thread, whose runtime has their pipes.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::{io, mem, thread};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::CorePlan;
use super::ready_engines::IdleEngines;
use super::worker::Worker;
use crate::RunConfig;
use crate::process::{EngineError, EngineInfo, schedule_as_batch};

/// A thread that takes workers. It ends when this is dropped and its workers have ended.
#[derive(Debug)]
pub(crate) struct WorkerThread {
    workers: UnboundedSender<Worker>,
    pub(super) handle: JoinHandle<io::Result<()>>,
}

impl WorkerThread {
    /// Starts a thread.
    ///
    /// If games are pinned, `number` is its only permit, which decides the cores in the plan.
    pub(super) fn start(cores: Option<Arc<CorePlan>>, number: usize) -> io::Result<WorkerThread> {
        let (workers, received) = unbounded_channel();
        let handle = thread::Builder::new().spawn(move || {
            prepare(cores.as_deref(), number)?.block_on(run_all(received, IdleEngines::default()));
            Ok(())
        })?;
        Ok(WorkerThread { workers, handle })
    }

    /// Starts the first thread of a run, which [introduces](RunConfig::introduce) all engines and keeps the processes of
    /// `first` for the first game.
    ///
    /// # Errors
    /// The [`EngineError`] of the first engine that does not get ready.
    pub(crate) fn introduce(
        config: Arc<RunConfig>,
        cores: Option<Arc<CorePlan>>,
        first: Vec<usize>,
    ) -> Result<(Vec<EngineInfo>, WorkerThread), EngineError> {
        let failed =
            |source| EngineError::Start { engine: "(any)".to_owned(), program: "(none)".into(), source };
        let (workers, received) = unbounded_channel();
        let (answer, introduced) = oneshot::channel();
        let handle = thread::Builder::new().spawn(move || {
            let runtime = match prepare(cores.as_deref(), 0) {
                Ok(runtime) => runtime,
                Err(source) => {
                    // The caller waits for it.
                    let _ = answer.send(Err(failed(source)));
                    return Ok(());
                }
            };
            runtime.block_on(async {
                let (answered, introduced) = match config.introduce(&first).await {
                    Ok((introductions, introduced)) => (answer.send(Ok(introductions)), introduced),
                    Err(error) => (answer.send(Err(error)), IdleEngines::default()),
                };
                if answered.is_ok() {
                    run_all(received, introduced).await;
                }
            });
            Ok(())
        });
        let handle = handle.map_err(failed)?;
        let introductions = introduced.blocking_recv();
        let introductions =
            introductions.unwrap_or_else(|_| Err(failed(io::Error::other("the thread panicked"))))?;
        Ok((introductions, WorkerThread { workers, handle }))
    }

    /// Gives the thread a worker to run.
    ///
    /// # Errors
    /// The thread could not be started, or has panicked; the worker has returned its permit.
    pub(super) fn give(&self, worker: Worker) -> io::Result<()> {
        self.workers.send(worker).map_err(|_| io::Error::other("a thread that plays games has ended"))
    }
}

impl RunConfig {
    /// Starts every engine once and ends it again, so that a missing program or an invalid value shows before the first game.
    /// Returns the engines' answers to `uci`, in the order of the configuration.
    ///
    /// # Errors
    /// The [`EngineError`] of the first engine that does not get ready.
    pub fn check_engines(self: &Arc<RunConfig>) -> Result<Vec<EngineInfo>, EngineError> {
        WorkerThread::introduce(Arc::clone(self), None, Vec::new()).map(|(introductions, _)| introductions)
    }
}

fn prepare(cores: Option<&CorePlan>, number: usize) -> io::Result<Runtime> {
    if let Some(plan) = cores {
        plan.bind_this_thread(number)?;
    }
    schedule_as_batch();
    crate::process::new_runtime()
}

/// Runs workers concurrently as they come in, until there will be no more.
async fn run_all(mut workers: UnboundedReceiver<Worker>, mut introduced: IdleEngines) {
    let mut running = FuturesUnordered::new();
    let mut more = true;
    while more || !running.is_empty() {
        tokio::select! {
            biased;
            worker = workers.recv(), if more => match worker {
                Some(worker) => running.push(worker.with(mem::take(&mut introduced)).run()),
                None => more = false,
            },
            Some(()) = running.next(), if !running.is_empty() => {}
        }
    }
    introduced.dismiss_all().await;
}
