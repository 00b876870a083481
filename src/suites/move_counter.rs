//! Who counts move sequences: our own core, the referee's oracle, or an engine.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::chess::{self, Position};
use crate::process::EngineError;
use crate::referee::{self, FenError, Variant};

/// Something that counts the sequences of legal moves from a position.
pub trait MoveCounter {
    /// The name in reports.
    fn name(&self) -> &str;

    /// The number of sequences of `depth` moves that start with each legal move, in UCI notation; empty for depth 0.
    ///
    /// # Errors
    /// The position cannot be set up, or the counter broke.
    fn divide(
        &mut self,
        fen: &str,
        variant: Variant,
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError>;

    /// The number of sequences of `depth` moves.
    ///
    /// # Errors
    /// As [`MoveCounter::divide`].
    fn count(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(self.divide(fen, variant, depth)?.values().sum())
    }
}

/// Why a counter has no number.
#[derive(Debug, Error)]
pub enum CountError {
    /// The oracle refuses the position.
    #[error(transparent)]
    Oracle(#[from] FenError),
    /// Our own core refuses the position.
    #[error(transparent)]
    OwnCore(#[from] chess::FenError),
    /// An engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine does not know `go perft`.
    #[error("engine {engine}: answered `go perft` with a search; it does not count moves")]
    DoesNotCount {
        /// The engine's name.
        engine: String,
    },
}

/// Tarrasch's move generator, called directly.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnCore;

impl MoveCounter for OwnCore {
    fn name(&self) -> &'static str {
        "own core"
    }

    fn divide(
        &mut self,
        fen: &str,
        variant: Variant,
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        let parts = chess::divide(&Position::from_fen(fen)?, depth);
        let chess960 = variant == Variant::Chess960;
        Ok(parts.into_iter().map(|(m, count)| (m.to_uci(chess960), count)).collect())
    }

    fn count(&mut self, fen: &str, _: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(chess::perft(&Position::from_fen(fen)?, depth))
    }
}

/// The referee's move generator, shakmaty: what everyone else is held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oracle;

impl MoveCounter for Oracle {
    fn name(&self) -> &'static str {
        "shakmaty"
    }

    fn divide(
        &mut self,
        fen: &str,
        variant: Variant,
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        Ok(referee::perft::divide(fen, variant, depth)?)
    }

    fn count(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(referee::perft::perft(fen, variant, depth)?)
    }
}
