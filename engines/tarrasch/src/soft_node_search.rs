//! Searches that end between iterations, so that the same number of nodes gives whole iterations.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::nnue::Network;
use super::search::{Searcher, ThreadData};
use super::transposition_table::Bound;
use super::{Limits, Nodes, SearchControl, TranspositionTable, Value};
use chess::{Move, Position, ZobristKey};

/// A searcher with a table of its own, on the thread that calls it.
#[derive(Debug)]
pub struct SoftNodeSearch {
    table: TranspositionTable,
    thread_data: ThreadData,
    network: Arc<Network>,
}

impl SoftNodeSearch {
    /// One with an empty table of so many units of 2²⁰ bytes, and a network to evaluate with.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(hash_mib: usize, network: Arc<Network>) -> io::Result<SoftNodeSearch> {
        let table = TranspositionTable::new(hash_mib)?;
        Ok(SoftNodeSearch { table, thread_data: ThreadData::new(), network })
    }

    /// Forgets everything: what follows depends on nothing before it.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.thread_data.clear();
    }

    /// The best move by the last iteration that was finished, and its value for the side to move. After `soft` nodes no
    /// other iteration is begun, and one that has been begun is given up after `hard`. `before` are the keys of the
    /// positions before this one.
    ///
    /// # Panics
    /// The position has no legal move.
    pub fn search(
        &mut self,
        position: &Position,
        before: &[ZobristKey],
        soft: Nodes,
        hard: Nodes,
    ) -> (Move, Value) {
        let limits = Limits { network: self.network.clone(), ..Limits::nodes(hard) };
        let control = SearchControl::new(Instant::now(), false);
        let table = self.table.begin_search();
        let mut finished = None;
        let mut searcher = Searcher::new(position, before, &limits, &control, table, &mut self.thread_data);
        let outcome = searcher.run(position, &mut |report| {
            if report.bound == Bound::Exact {
                finished = report.line.first().map(|&mv| (mv, report.value));
                if report.nodes >= soft {
                    control.stop();
                }
            }
        });
        finished
            .or_else(|| outcome.line.first().map(|&mv| (mv, outcome.value)))
            .expect("a position with a legal move has a line")
    }
}
