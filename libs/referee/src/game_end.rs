//! The two sides, and the ends of games.

use std::fmt::{self, Write as _};

use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};
use thiserror::Error;

use super::{Referee, walk};

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first in the start position of chess.
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

/// The result of a game, written as in PGN: `1-0`, `0-1`, `1/2-1/2`.
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

    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::WhiteWins => Some(Side::White),
            GameResult::BlackWins => Some(Side::Black),
            GameResult::Draw => None,
        }
    }

    /// The half points of `side`: 2, 1 or 0.
    pub fn half_points(self, side: Side) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }

    /// The result that PGN writes this way; `None` for `*` and anything else.
    pub fn from_pgn(text: impl AsRef<[u8]>) -> Option<GameResult> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
        all.into_iter().find(|result| result.as_str().as_bytes() == text.as_ref())
    }

    /// The result as PGN writes it.
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

/// The end of a game by the rules of chess.
///
/// The runner handles other endings: time losses, crashes, illegal moves and adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameEnd {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Side,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// The position has occurred for the third time, with the same side to move, castling rights and legal en-passant capture.
    ThreefoldRepetition,
    /// A hundred plies in a row without a capture or a pawn move.
    FiftyMoves,
    /// The material allows no mate by any sequence of legal moves: bare kings, one knight, or bishops that are all on squares
    /// of one colour.
    InsufficientMaterial,
    /// An ending that exists only in the rules of the variant, such as a king on the hill; see
    /// [`Variant::own_end`](super::Variant::own_end).
    ByVariant {
        /// The side that won; `None` for a draw.
        winner: Option<Side>,
    },
}

impl GameEnd {
    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            Self::ByVariant { winner } => winner,
            _ => None,
        }
    }

    /// The result of the game.
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
            Self::ByVariant { winner: Some(Side::White) } => "White wins by the variant's rules",
            Self::ByVariant { winner: Some(Side::Black) } => "Black wins by the variant's rules",
            Self::ByVariant { winner: None } => "draw by the variant's rules",
        })
    }
}

/// A string long enough for any move, such as `Qa1xb2#` and `a7b8q`.
type MoveText = ArrayString<8>;

/// A legal move that was played, in SAN and UCI notation. Cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    san: MoveText,
    uci: MoveText,
}

impl PlayedMove {
    pub(super) fn new(san: San, suffix: Option<Suffix>, uci: UciMove) -> Self {
        let mut played = Self { san: MoveText::new(), uci: MoveText::new() };
        write!(played.san, "{}", SanPlus { san, suffix }).expect("a move in SAN has at most seven letters");
        write!(played.uci, "{uci}").expect("a move in UCI has at most five letters");
        played
    }

    /// Standard algebraic notation, with `+` for check and `#` for mate.
    pub fn san(&self) -> &str {
        &self.san
    }

    /// UCI notation, with castling written as in the game's [`Variant`](super::Variant).
    pub fn uci(&self) -> &str {
        &self.uci
    }
}

/// A text that is not a legal move in its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {text:?} is {reason} in {fen}")]
pub struct IllegalMove {
    /// The text as given.
    pub text: String,
    /// The position that the move was read in.
    pub fen: String,
    /// The problem.
    pub reason: IllegalReason,
}

/// The problem of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalReason {
    /// The text is not a move in the expected notation.
    #[error("not in UCI notation (expected something like e2e4 or e7e8q)")]
    Unparsable,
    /// The rules do not allow the move here.
    #[error("not legal")]
    Illegal,
    /// Castling, written as in the other [`Variant`].
    #[error("castling in the notation of the other variant (standard chess: e1g1, Chess960: e1h1)")]
    OtherCastling,
}

/// A line of moves of which one is illegal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("after {legal} legal moves, {cause}")]
pub struct BrokenLine {
    /// The number of legal moves before the illegal one, which is also its index.
    pub legal: usize,
    /// The illegal move.
    #[source]
    pub cause: IllegalMove,
}

/// Whether the position at the end of a line is mate or stalemate; draws by repetition or the fifty-move rule are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The side to move is checkmated, or has lost by the rules of the variant.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// The game is not over.
    Open,
}

impl Referee {
    /// Checks a line of moves like [`check_line`](Self::check_line), and returns how it ends.
    ///
    /// # Errors
    /// [`BrokenLine`] with the number of legal moves and the first illegal one.
    pub fn line_end(&self, line: &[impl AsRef<str>]) -> Result<LineEnd, BrokenLine> {
        let last = walk(&self.position, self.variant, line, |_, _| ())?;
        Ok(if last.outcome().winner().is_some_and(|winner| winner != last.turn()) {
            LineEnd::Checkmate
        } else if last.legal_moves().is_empty() && last.variant_outcome().is_unknown() {
            LineEnd::Stalemate
        } else {
            LineEnd::Open
        })
    }
}
