//! What one thread remembers from one search to the next.

use super::correction_history::CorrectionHistory;
use super::history::History;
use super::reductions::Reductions;
use crate::eval::Evaluator;

/// What a thread keeps from search to search; the transposition table is shared and not part of it.
#[derive(Debug, Default)]
pub struct ThreadData {
    pub(super) history: History,
    pub(super) corrections: CorrectionHistory,
    pub(super) evaluator: Evaluator,
    pub(super) reductions: Reductions,
}

impl ThreadData {
    /// Nothing yet.
    pub fn new() -> ThreadData {
        ThreadData::default()
    }

    /// Forgets what belongs to a game. What the evaluator remembers is true in any.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}
