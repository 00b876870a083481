//! The options `SyzygyPath`, `SyzygyProbeDepth` and `SyzygyProbeLimit`.

use std::sync::Arc;

use super::{Depth, Tablebases, TablebasesError};
use chess::Position;

/// The tablebases and the limits of their use. A clone shares the tablebases.
#[derive(Clone, Debug)]
pub struct SyzygyOptions {
    tablebases: Option<Arc<Tablebases>>,
    probe_depth: Depth,
    probe_limit: u32,
}

impl Default for SyzygyOptions {
    /// No tablebases, and no limits of their use.
    fn default() -> SyzygyOptions {
        SyzygyOptions { tablebases: None, probe_depth: Depth::ONE, probe_limit: Tablebases::MAX_PIECES }
    }
}

impl SyzygyOptions {
    /// Opens the tablebases in a list of folders, or closes them if the list is empty.
    ///
    /// # Errors
    /// [`TablebasesError`]; the tablebases before stay open.
    pub fn open(&mut self, folders: &str) -> Result<(), TablebasesError> {
        self.tablebases = if folders.is_empty() { None } else { Some(Arc::new(Tablebases::open(folders)?)) };
        Ok(())
    }

    /// `SyzygyProbeDepth`: positions with the maximum number of pieces are probed from this depth on. Positions with
    /// fewer pieces are always probed.
    pub fn set_probe_depth(&mut self, depth: Depth) {
        self.probe_depth = depth;
    }

    /// `SyzygyProbeLimit`: positions with more pieces, kings included, are not probed.
    pub fn set_probe_limit(&mut self, pieces: u32) {
        self.probe_limit = pieces;
    }

    /// Whether tablebases are open.
    pub fn is_loaded(&self) -> bool {
        self.tablebases.is_some()
    }

    /// The tablebases, if the root is to be probed.
    pub fn at_root(&self, position: &Position) -> Option<&Tablebases> {
        let tables = self.tablebases.as_deref()?;
        let is_known =
            pieces(position) <= self.max_pieces_of(tables) && position.castling().rooks().is_empty();
        is_known.then_some(tables)
    }

    /// The tablebases, if a node is to be probed. Only directly after a capture or pawn move: WDL holds for a half-move
    /// clock of 0.
    pub fn at_node(&self, position: &Position, depth: Depth) -> Option<&Tablebases> {
        let tables = self.tablebases.as_deref().filter(|_| position.halfmove_clock() == 0)?;
        let is_worth_it = depth >= self.probe_depth || pieces(position) < self.max_pieces_of(tables);
        self.at_root(position).filter(|_| is_worth_it)
    }

    fn max_pieces_of(&self, tables: &Tablebases) -> u32 {
        self.probe_limit.min(tables.max_pieces())
    }
}

fn pieces(position: &Position) -> u32 {
    position.occupied().count()
}
