//! Searches with a soft node limit: they end between iterations.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::nnue::Network;
use super::search::{Searcher, ThreadData};
use super::transposition_table::Bound;
use super::{Limits, Nodes, SearchControl, TranspositionTable, Value};
use chess::{Move, Position, ZobristKey};

/// A search with its own TT, on the calling thread.
#[derive(Debug)]
pub struct SoftNodeSearch {
    table: TranspositionTable,
    thread_data: ThreadData,
    network: Arc<Network>,
}

impl SoftNodeSearch {
    /// An empty TT of this many MiB, and a network to evaluate with.
    ///
    /// # Errors
    /// There is not enough memory for the TT.
    pub fn new(hash_mib: usize, network: Arc<Network>) -> io::Result<SoftNodeSearch> {
        let table = TranspositionTable::new(hash_mib)?;
        Ok(SoftNodeSearch { table, thread_data: ThreadData::new(), network })
    }

    /// Clears everything, so that later searches do not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.thread_data.clear();
    }

    /// The best move of the last finished iteration, and its value for the side to move. No iteration starts after `soft`
    /// nodes, and none continues after `hard` nodes. `before` has the keys of earlier positions.
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
