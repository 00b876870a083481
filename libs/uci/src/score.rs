//! The score an engine reports.

use std::fmt;

use super::ParseError;
use super::tokens::Tokens;

/// A score from the point of view of the engine that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Centipawns or moves to mate.
    pub value: ScoreValue,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
}

/// The two units of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Full moves until mate; negative if the engine is mated. 0: it is mated now.
    Mate(i32),
}

/// How a reported score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The true score is at least this (a fail high).
    Lower,
    /// The true score is at most this (a fail low).
    Upper,
}

impl Score {
    /// An exact score in centipawns.
    pub fn centipawns(value: i32) -> Score {
        Score { value: ScoreValue::Centipawns(value), bound: Bound::Exact }
    }

    /// An exact mate score in full moves, negative when being mated.
    pub fn mate(moves: i32) -> Score {
        Score { value: ScoreValue::Mate(moves), bound: Bound::Exact }
    }

    /// Reads what follows the word `score`.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Result<Score, ParseError> {
        let value = match tokens.next() {
            Some("cp") => ScoreValue::Centipawns(tokens.value("cp", "centipawns")?),
            Some("mate") => ScoreValue::Mate(tokens.value("mate", "a number of moves")?),
            Some(word) => {
                return Err(ParseError::Invalid {
                    field: "score",
                    expected: "cp or mate",
                    found: word.to_owned(),
                });
            }
            None => return Err(ParseError::Missing("score")),
        };
        let bound = match tokens.peek() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => return Ok(Score { value, bound: Bound::Exact }),
        };
        tokens.next();
        Ok(Score { value, bound })
    }
}

impl fmt::Display for ScoreValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreValue::Centipawns(value) => write!(f, "cp {value}"),
            ScoreValue::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        write!(f, "{}{bound}", self.value)
    }
}
