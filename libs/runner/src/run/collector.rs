//! The collector of a run: it writes down what the workers report, and then passes it on.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use tokio::sync::mpsc::Receiver;

use super::{BACKLOG, finished_games};
use crate::pool::OwnReport;
use crate::record::untrusted_files::{create_anew, refuse_link};
use crate::tournament::GameQueue;
use crate::workers::WorkerMessage;
use crate::{Event, FinishReason, Journal, PoolDecision, RunControl, RunError, WarningKind};

/// Receives the workers' messages, in whatever order the games end.
pub(super) struct Collector<'a> {
    pub(super) journal: Journal,
    pub(super) folder: Option<PathBuf>,
    pub(super) machine: u32,
    /// The kinds of warnings that were recorded for each engine; the game records have the rest.
    pub(super) warned: BTreeSet<(usize, WarningKind)>,
    /// The unreadable Syzygy tablebases that were recorded, as error texts.
    pub(super) unreadable_tables: BTreeSet<String>,
    pub(super) own: Option<OwnReport>,
    pub(super) control: &'a RunControl,
    pub(super) queue: &'a GameQueue,
}

impl Collector<'_> {
    /// Writes everything down until all workers have ended.
    pub(super) fn collect(
        &mut self,
        received: &mut Receiver<WorkerMessage>,
        sink: &mut impl FnMut(&Event),
    ) -> Result<(), RunError> {
        let mut batch = Vec::new();
        // What came in while the disk was busy is synced in one go.
        while received.blocking_recv_many(&mut batch, BACKLOG) > 0 {
            self.take(std::mem::take(&mut batch), sink)?;
        }
        Ok(())
    }

    /// Writes the messages to the journal, and then passes the events on.
    pub(super) fn take(
        &mut self,
        batch: Vec<WorkerMessage>,
        sink: &mut impl FnMut(&Event),
    ) -> Result<(), RunError> {
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

    /// The decision of the pool, if what was just read decides the test.
    fn decided_by(&self, event: &Event) -> Option<Event> {
        let Event::PoolRead(view) = event else { return None };
        let reason = self.queue.schedule(|schedule| schedule.take_pool(view.counts))?;
        let decision = PoolDecision { reason, counts: view.counts, games: view.games.clone() };
        self.decide(&decision).then(|| Event::PoolDecided { decision: Box::new(decision), at: crate::now() })
    }

    /// Accepts the decision of the pool. Returns whether it is the first and its counts support it.
    fn decide(&self, decision: &PoolDecision) -> bool {
        let is_news = self.queue.schedule(|schedule| schedule.decide(decision));
        self.own.iter().filter(|_| is_news).for_each(|own| own.decide(decision));
        is_news
    }

    /// Updates the report to the other shards with what the journal has now.
    pub(super) fn tell<'e>(&self, events: impl IntoIterator<Item = &'e Event>) {
        let Some(own) = &self.own else { return };
        finished_games(events).for_each(|game| own.add(game));
        own.set_counts(self.queue.schedule(|schedule| schedule.own_counts()));
    }

    fn keep_logs(&self, message: &WorkerMessage) -> Result<(), RunError> {
        let Some(run_folder) = &self.folder else { return Ok(()) };
        for (file, log) in &message.logs {
            let path = run_folder.join(file);
            let folder = path.parent().unwrap_or(run_folder);
            let written = refuse_link(folder)
                .and_then(|()| fs::create_dir_all(folder))
                .and_then(|()| create_anew(&path)?.write_all(log));
            written.map_err(|source| RunError::File { path, source })?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self, sink: &mut impl FnMut(&Event)) -> Result<FinishReason, RunError> {
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
