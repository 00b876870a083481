//! What one thread keeps from one search to the next.

use super::correction_history::CorrectionHistory;
use super::history::History;
use super::reductions::Reductions;
use crate::eval::Evaluator;

/// The histories and caches of a thread. The TT is shared and not part of it.
#[derive(Debug, Default)]
pub struct ThreadData {
    pub(super) history: History,
    pub(super) correction_history: CorrectionHistory,
    pub(super) evaluator: Evaluator,
    pub(super) reductions: Reductions,
}

impl ThreadData {
    /// Empty histories and caches.
    pub fn new() -> ThreadData {
        ThreadData::default()
    }

    /// Clears the histories for a new game. The caches of the evaluator stay valid.
    pub fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }
}
