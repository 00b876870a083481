//! Move counters: our own core, the oracle (shakmaty), or an engine.

use thiserror::Error;

use super::divide::Divide;
use chess::{self, Position};
use referee::{self, FenError, IllegalMove, Referee, Variant};
use runner::process::EngineError;

/// Something that counts the sequences of legal moves from a position.
pub trait MoveCounter {
    /// The name in reports.
    fn name(&self) -> &str;

    /// Whether it plays by these rules of castling.
    fn plays(&self, _variant: Variant) -> bool {
        true
    }

    /// The number of leaves at `depth` below each legal move after `moves` were played from `fen`; nothing for depth 0. A
    /// generator can be wrong after moves and right from the FEN of the same position.
    ///
    /// # Errors
    /// The position cannot be set up, a move is illegal, or the counter fails.
    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<Divide, CountError>;

    /// Perft divide without moves.
    ///
    /// # Errors
    /// As [`MoveCounter::divide_after`].
    fn divide(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<Divide, CountError> {
        self.divide_after(fen, variant, &[], depth)
    }

    /// Perft: the number of leaves at `depth`.
    ///
    /// # Errors
    /// As [`MoveCounter::divide_after`].
    fn count(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(self.divide(fen, variant, depth)?.total)
    }
}

/// Why a counter has no count.
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
    #[error("Arbiter's own move generator lacks the move {m} in {fen}")]
    UnknownMove {
        /// The move.
        m: String,
        /// The position.
        fen: String,
    },
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An engine does not know `go perft`, and searches.
    #[error("engine {engine}: it answered `go perft` with a search; it has no perft")]
    DoesNotCount {
        /// The engine's name.
        engine: String,
    },
    /// An engine answers `go perft` in another way than Stockfish.
    #[error(
        "engine {engine}: expected lines such as `e2e4: 1` and `Nodes searched: 20` in answer to `go perft`, found {found}; it has no perft like that of Stockfish"
    )]
    NoCounts {
        /// The engine's name.
        engine: String,
        /// What came instead.
        found: String,
    },
}

impl CountError {
    /// Whether an engine broke; otherwise the user asked for what the counter cannot do.
    pub fn is_engine_fault(&self) -> bool {
        matches!(self, CountError::Engine(EngineError::Silent { .. } | EngineError::Ended { .. }))
    }
}

/// The move generator of `arbiter-chess`, called directly.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnCore;

impl MoveCounter for OwnCore {
    fn name(&self) -> &'static str {
        "arbiter"
    }

    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<Divide, CountError> {
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

/// The move generator of the referee, shakmaty, which all others are compared with.
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
    ) -> Result<Divide, CountError> {
        let mut referee = Referee::from_fen(fen, variant)?;
        for m in moves {
            referee.play(m)?;
        }
        Ok(referee.divide(depth).into_iter().collect())
    }

    fn count(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(referee::perft::perft(fen, variant, depth)?)
    }
}
