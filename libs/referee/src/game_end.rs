//! The two sides, the variants, and how a game ends.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color};

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first from the start position of chess.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// The rules of castling, and the UCI notation of castling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ordinary chess. Castling is written as the king's move, `e1g1`.
    #[default]
    Standard,
    /// Fischer random chess. Castling is written as the king taking its own rook, `e1h1`.
    Chess960,
}

impl Variant {
    /// The same distinction in shakmaty's terms.
    pub(super) const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        })
    }
}

/// The score of a game, written as PGN writes it: `1-0`, `0-1`, `1/2-1/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// One point for White.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// One point for Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Half a point each.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result of a game that `side` won.
    pub const fn won_by(side: Side) -> GameResult {
        match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        }
    }

    /// The side that won, `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::WhiteWins => Some(Side::White),
            GameResult::BlackWins => Some(Side::Black),
            GameResult::Draw => None,
        }
    }

    /// The half points that `side` got: 2, 1 or 0.
    pub fn half_points(self, side: Side) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }

    /// The result that PGN writes so; `None` for `*` and everything else.
    pub fn from_pgn(text: impl AsRef<[u8]>) -> Option<GameResult> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
        all.into_iter().find(|result| result.as_str().as_bytes() == text.as_ref())
    }

    /// The text that PGN uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The end of a game on the board.
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
