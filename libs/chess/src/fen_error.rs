//! Errors in a FEN: in its text, or in its position.

use super::setup::IllegalPosition;
use std::fmt;

/// Why a FEN gives no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] FenSyntaxError),
    /// The text is a FEN, but of a position that cannot occur.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

/// The fields of a FEN, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields' own names")]
pub enum FenField {
    Pieces,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pieces => "pieces",
            Self::SideToMove => "side to move",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// A text that is not a FEN, and where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN field \"{field}\", column {column}: {problem}")]
pub struct FenSyntaxError {
    /// The field that goes wrong, or the last one where there are too many.
    pub field: FenField,
    /// The character of the whole text at which it goes wrong, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: FenSyntaxProblem,
}

/// What is wrong with the text of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenSyntaxProblem {
    /// The text ends before this field.
    #[error("the field is missing")]
    Missing,
    /// A character that cannot stand there.
    #[error("expected {expected}, found '{found}'")]
    Unexpected {
        /// The character.
        found: char,
        /// What could stand there instead.
        expected: &'static str,
    },
    /// The field ends too early.
    #[error("expected {expected}, but the field ends")]
    EndsEarly {
        /// What should have followed.
        expected: &'static str,
    },
    /// A rank that ends with too few squares.
    #[error("the rank ends after {squares} of 8 squares")]
    ShortRank {
        /// The number of its squares.
        squares: usize,
    },
    /// A rank with more than eight squares.
    #[error("the rank has more than 8 squares")]
    LongRank,
    /// Two digits in a row, which would have been one number.
    #[error("two counts of empty squares in a row")]
    AdjacentCounts,
    /// The pieces end before the eighth rank.
    #[error("{ranks} of 8 ranks")]
    FewRanks {
        /// The number of ranks.
        ranks: usize,
    },
    /// A ninth rank.
    #[error("more than 8 ranks")]
    ManyRanks,
    /// A number beyond 65535.
    #[error("the number is above 65535")]
    TooLarge,
    /// Text after the last field.
    #[error("more than 6 fields")]
    ManyFields,
}
