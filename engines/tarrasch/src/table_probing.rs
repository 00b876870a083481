//! Which endgame tables a search may ask, and when.

use std::sync::Arc;

use super::{Depth, Tablebases, TablebasesError};
use chess::Position;

/// The tables and the limits that the options `SyzygyProbeDepth` and `SyzygyProbeLimit` set.
///
/// A clone shares the tables, so that every thread of a search may have one.
#[derive(Clone, Debug)]
pub struct TableProbing {
    tables: Option<Arc<Tablebases>>,
    least_depth: Depth,
    most_pieces: u32,
}

impl Default for TableProbing {
    /// No tables; with some, every position that they know is looked up.
    fn default() -> TableProbing {
        TableProbing { tables: None, least_depth: Depth::ONE, most_pieces: Tablebases::MOST_PIECES }
    }
}

impl TableProbing {
    /// Takes the tables in a list of folders instead of those before, or none if the list is empty.
    ///
    /// # Errors
    /// [`TablebasesError`] when they cannot be used; those before stay.
    pub fn open(&mut self, folders: &str) -> Result<(), TablebasesError> {
        self.tables = if folders.is_empty() { None } else { Some(Arc::new(Tablebases::open(folders)?)) };
        Ok(())
    }

    /// Positions with the most pieces are looked up from this depth on. Those with fewer always are: the table that
    /// they came from has been read anyway.
    pub fn set_least_depth(&mut self, depth: Depth) {
        self.least_depth = depth;
    }

    /// Positions with more pieces, kings included, are not looked up.
    pub fn set_most_pieces(&mut self, pieces: u32) {
        self.most_pieces = pieces;
    }

    /// Whether there are tables.
    pub fn is_possible(&self) -> bool {
        self.tables.is_some()
    }

    /// The tables to ask about the root.
    pub fn at_root(&self, position: &Position) -> Option<&Tablebases> {
        let tables = self.tables.as_deref()?;
        let is_known =
            pieces(position) <= self.most_pieces_of(tables) && position.castling().rooks().is_empty();
        is_known.then_some(tables)
    }

    /// The tables to ask about a node. They hold for a half-move clock of 0 only, so it must come from a capture or a
    /// pawn move.
    pub fn at_node(&self, position: &Position, depth: Depth) -> Option<&Tablebases> {
        let tables = self.tables.as_deref().filter(|_| position.halfmove_clock() == 0)?;
        let is_worth_it = depth >= self.least_depth || pieces(position) < self.most_pieces_of(tables);
        self.at_root(position).filter(|_| is_worth_it)
    }

    fn most_pieces_of(&self, tables: &Tablebases) -> u32 {
        self.most_pieces.min(tables.most_pieces())
    }
}

fn pieces(position: &Position) -> u32 {
    position.occupied().count()
}
