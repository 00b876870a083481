//! Decides when a search is looked at, so that nothing is measured where nothing goes wrong.

use std::time::{Duration, Instant};

use super::SearchEvidence;
use super::batch_scheduling::PromptScheduling;
use super::cpu_snapshot::{CpuSnapshot, time_suspended};

/// A first look that is due sooner than this could itself be late by a tick of the scheduler, so the thread is prompt
/// from the beginning of such a search.
const SHORT_SEARCH: Duration = Duration::from_millis(5);

/// The watch over the search that goes on, or over the last one.
#[derive(Debug, Default)]
pub(super) struct SearchWatch {
    /// The delay asked for.
    delay: Option<Duration>,
    began: Option<Instant>,
    /// When the first look is due.
    due: Option<Instant>,
    first: Option<CpuSnapshot>,
    /// From the first look to the end of the search, the answer is read as soon as it comes.
    prompt: Option<PromptScheduling>,
    suspended_before: Duration,
}

impl SearchWatch {
    /// Asks for a first look at the next search when it has lasted so long.
    pub(super) fn arm(&mut self, delay: Duration) {
        *self =
            SearchWatch { delay: Some(delay), suspended_before: time_suspended(), ..SearchWatch::default() };
    }

    /// A search began.
    pub(super) fn begin(&mut self, at: Instant) {
        self.began = Some(at);
        self.prompt =
            self.delay.filter(|delay| *delay < SHORT_SEARCH).and_then(|_| PromptScheduling::begin());
        self.due = self.delay.take().map(|delay| at + delay);
        self.first = None;
    }

    /// When to look; `None` when that is done or was not asked for.
    pub(super) fn checkpoint(&self) -> Option<Instant> {
        self.due.filter(|_| self.first.is_none())
    }

    /// Takes the first look.
    pub(super) fn look(&mut self, engine: Option<u32>) {
        if self.prompt.is_none() {
            self.prompt = PromptScheduling::begin();
        }
        self.first = Some(CpuSnapshot::take(engine));
    }

    /// The search is over.
    pub(super) fn end(&mut self) {
        self.prompt = None;
    }

    /// What is known by now.
    pub(super) fn evidence(&self, engine: Option<u32>) -> SearchEvidence {
        let now = CpuSnapshot::take(engine);
        let first = self.first.as_ref();
        let looked = first.map_or(now.at, |first| first.at);
        SearchEvidence {
            elapsed: self.began.map(|began| now.at.saturating_duration_since(began)).unwrap_or_default(),
            watched: first.map(|first| now.at.saturating_duration_since(first.at)),
            overdue: self.due.map(|due| looked.saturating_duration_since(due)).unwrap_or_default(),
            engine: now.engine_since(first),
            runner: now.own_since(first),
            stolen: now.stolen_since(first),
            suspended: time_suspended().saturating_sub(self.suspended_before),
        }
    }
}
