//! The ways in which a game ends.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::variants;
use referee::GameEnd;

/// Every way a game can end, in the order in which reports list them. The kinds are kept apart: a crash is not a time loss, and neither is a stall.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// A hundred plies without capture or pawn move.
    FiftyMoves,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// An ending that exists only in the rules of the variant.
    VariantRules,
    /// An engine gave up the game.
    Resignation,
    /// Draw adjudication.
    DrawAdjudication,
    /// Resign adjudication.
    ResignAdjudication,
    /// Tablebase adjudication.
    TablebaseAdjudication,
    /// Draw by max moves.
    MaxMoves,
    /// The answer came after the time was up.
    TimeLoss,
    /// The engine did not answer `isready`, or did not answer `go` even long after the time was up.
    Stall,
    /// The process ended; the exit code or the signal is in the detail.
    Crash,
    /// The engine closed its output although its process lives on.
    Disconnect,
    /// The engine answered with something that is not a legal move.
    IllegalMove,
    /// The engine reported that it has no move, although it has one.
    NoMove,
    /// The process started but never said `uciok`.
    NoHandshake,
    /// The process could not be started at all.
    FailedToStart,
    /// The reason for the result is unknown; only in games of PGN files.
    #[default]
    Unknown,
    /// The user ended the run before the game was over. Such a game has no result, is never counted, and is played
    /// again when the run is resumed.
    Abandoned,
}

impl Termination {
    /// All terminations, in the order in which reports list them.
    pub fn all() -> impl Iterator<Item = Termination> + Clone {
        variants()
    }

    /// Whether an engine's fault ended the game; a time loss is a fault.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Termination::TimeLoss
                | Termination::Stall
                | Termination::Crash
                | Termination::Disconnect
                | Termination::IllegalMove
                | Termination::NoMove
                | Termination::NoHandshake
                | Termination::FailedToStart
        )
    }
}

impl From<GameEnd> for Termination {
    fn from(end: GameEnd) -> Termination {
        match end {
            GameEnd::Checkmate { .. } => Termination::Checkmate,
            GameEnd::Stalemate => Termination::Stalemate,
            GameEnd::ThreefoldRepetition => Termination::ThreefoldRepetition,
            GameEnd::FiftyMoves => Termination::FiftyMoves,
            GameEnd::InsufficientMaterial => Termination::InsufficientMaterial,
            GameEnd::ByVariant { .. } => Termination::VariantRules,
        }
    }
}

/// Writes the name that the journal and tables use: `checkmate`, `time_loss`.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
