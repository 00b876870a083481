//! What one thread remembers from one search to the next.

use super::correction_history::CorrectionHistory;
use super::history::History;
use crate::eval::Evaluator;

/// The memory of a thread, apart from the table that all share.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) history: History,
    pub(super) corrections: CorrectionHistory,
    pub(super) evaluator: Evaluator,
}

impl Memory {
    /// Nothing yet.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Forgets what belongs to a game. What the evaluator remembers is true in any.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}
