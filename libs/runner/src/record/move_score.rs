//! The score that goes with a move in the records.

use std::fmt;

use serde::{Deserialize, Serialize};

use uci::ScoreValue;

/// What the engine thought of its own position when it moved. In the journal `{"cp":31}` or `{"mate":-4}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveScore {
    /// Hundredths of a pawn, from the point of view of the side that moved.
    Cp(i32),
    /// Full moves to mate, negative when the side that moved is the one to be mated.
    Mate(i32),
}

impl MoveScore {
    /// The score in centipawns for rules that only ask how large it is: a mate counts as more than any evaluation.
    pub const fn clamped_centipawns(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            MoveScore::Cp(value) => value,
            MoveScore::Mate(moves) if moves > 0 => MATE,
            MoveScore::Mate(_) => -MATE,
        }
    }
}

impl From<ScoreValue> for MoveScore {
    fn from(value: ScoreValue) -> MoveScore {
        match value {
            ScoreValue::Centipawns(value) => MoveScore::Cp(value),
            ScoreValue::Mate(moves) => MoveScore::Mate(moves),
        }
    }
}

/// In pawns with a sign, or as moves to mate: `+0.31`, `-M4`.
impl fmt::Display for MoveScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveScore::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            MoveScore::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            MoveScore::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_print_in_pawns_or_as_mates() {
        for (score, text) in [
            (MoveScore::Cp(31), "+0.31"),
            (MoveScore::Cp(-250), "-2.50"),
            (MoveScore::Mate(3), "+M3"),
            (MoveScore::Mate(-4), "-M4"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }
}
