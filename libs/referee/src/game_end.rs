use std::fmt;

use super::{GameResult, Side};

/// How a game ended on the board.
///
/// Other endings (time, a crash, an illegal move, adjudication) belong to the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEnd {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Side,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// The position has occurred for the third time: same side to move, same castling rights, same legal en
    /// passant capture.
    ThreefoldRepetition,
    /// A hundred half-moves in a row without a capture or a pawn move.
    FiftyMoves,
    /// No sequence of legal moves leads to mate with the material left: bare kings, one knight, or bishops that
    /// all stand on one colour.
    InsufficientMaterial,
}

impl GameEnd {
    /// The side that won, `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The score of the game.
    pub const fn result(self) -> GameResult {
        match self.winner() {
            Some(winner) => GameResult::won_by(winner),
            None => GameResult::Draw,
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate { winner: Side::White } => "White mates",
            Self::Checkmate { winner: Side::Black } => "Black mates",
            Self::Stalemate => "stalemate",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::InsufficientMaterial => "insufficient material",
        })
    }
}
