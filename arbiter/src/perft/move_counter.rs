//! Who counts move sequences: our own core, the referee's oracle, or an engine.

use std::collections::BTreeMap;

use thiserror::Error;

use chess::{self, Position};
use referee::{self, FenError, IllegalMove, Referee, Variant};
use runner::process::EngineError;

/// Something that counts the sequences of legal moves from a position.
pub trait MoveCounter {
    /// The name in reports.
    fn name(&self) -> &str;

    /// The number of sequences of `depth` moves that start with each legal move, in UCI notation, after `moves` have
    /// been played from a position; empty for depth 0. The moves matter: what a generator keeps from them can be wrong
    /// where what it reads from a FEN is right.
    ///
    /// # Errors
    /// The position cannot be set up, a move of the line is illegal, or the counter broke.
    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError>;

    /// The same from the position itself.
    ///
    /// # Errors
    /// As [`MoveCounter::divide_after`].
    fn divide(
        &mut self,
        fen: &str,
        variant: Variant,
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        self.divide_after(fen, variant, &[], depth)
    }

    /// The number of sequences of `depth` moves.
    ///
    /// # Errors
    /// As [`MoveCounter::divide_after`].
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
    /// A move of a line is not legal to the oracle.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A move of a line is not legal to our own core.
    #[error("our own core does not have the move {m} after {fen}")]
    UnknownMove {
        /// The move.
        m: String,
        /// The position.
        fen: String,
    },
    /// An engine broke.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine does not know `go perft`, and searches.
    #[error("engine {engine}: answered `go perft` with a search; it does not count moves")]
    DoesNotCount {
        /// The engine's name.
        engine: String,
    },
    /// An engine does not know `go perft`, and says nothing that we understand.
    #[error(
        "engine {engine}: expected lines such as `e2e4: 1` and `Nodes searched: 20` in answer to `go perft 1`, found {found}; it does not count moves as Stockfish does"
    )]
    NoCounts {
        /// The engine's name.
        engine: String,
        /// What came instead.
        found: String,
    },
}

/// Tarrasch's move generator, called directly.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnCore;

impl MoveCounter for OwnCore {
    fn name(&self) -> &'static str {
        "own core"
    }

    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        let mut position = Position::from_fen(fen)?;
        for m in moves {
            let unknown = || CountError::UnknownMove { m: m.clone(), fen: position.fen() };
            position.play_unchecked(position.parse_uci(m).ok_or_else(unknown)?);
        }
        let parts = chess::divide(&position, depth);
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

    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        let mut referee = Referee::from_fen(fen, variant)?;
        for m in moves {
            referee.play(m)?;
        }
        Ok(referee.divide(depth))
    }

    fn count(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(referee::perft::perft(fen, variant, depth)?)
    }
}
