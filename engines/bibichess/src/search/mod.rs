//! The search (§1 and §2).
//!
//! [`Search::run`] deepens iteration by iteration (`iterations`), each of them alpha-beta with principal variation
//! search (`alpha_beta`) that ends in `quiescence`. The search never prints: it hands a [`Report`] to a callback.

mod alpha_beta;
mod extensions;
mod futility;
mod iterations;
mod last_move;
mod null_move;
mod quiescence;
mod report;
mod variations;

pub use extensions::deserves_extension;
pub use last_move::LastMove;
#[cfg(test)]
pub use quiescence::captures;
pub use report::{Outcome, Report};

use chess::{Move, Position};
use uci::server::SearchBudget;

use self::variations::Variations;
use crate::hash_table::HashTable;
use crate::ply::Ply;
use crate::technique::Techniques;
use crate::value::Value;

/// One search of one position.
pub struct Search<'a> {
    /// What is switched on.
    techniques: Techniques,
    /// What a quiet position is worth to the side to move.
    evaluation: fn(&Position) -> Value,
    /// When to stop.
    budget: &'a SearchBudget<'a>,
    table: &'a mut HashTable,
    /// The moves that may be played at the root; none means all.
    root_moves: &'a [Move],
    nodes: u64,
    /// The ply that no line has gone beyond.
    deepest: Ply,
    variations: Variations,
}

/// The budget is spent: the search ends, and what it has not finished is worth nothing.
#[derive(Clone, Copy, Debug)]
struct Interrupted;

impl<'a> Search<'a> {
    /// A search with these means; `root_moves` are the moves allowed at the root, none for all.
    pub fn new(
        techniques: Techniques,
        evaluation: fn(&Position) -> Value,
        budget: &'a SearchBudget<'a>,
        table: &'a mut HashTable,
        root_moves: &'a [Move],
    ) -> Search<'a> {
        Search {
            techniques,
            evaluation,
            budget,
            table,
            root_moves,
            nodes: 0,
            deepest: Ply::ROOT,
            variations: Variations::new(),
        }
    }

    /// Enters a node: counts it, if the budget has one more.
    fn enter(&mut self, ply: Ply) -> Result<(), Interrupted> {
        if self.budget.is_spent(self.nodes) {
            return Err(Interrupted);
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.variations.clear(ply);
        Ok(())
    }
}
