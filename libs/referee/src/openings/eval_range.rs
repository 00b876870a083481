//! The evals that a book may have.

use std::fmt;

use crate::Side;

/// The advantage that openings may have, in centipawns, and the side that may have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalRange {
    /// The smallest advantage.
    pub least: u32,
    /// The largest; not below the smallest.
    pub most: u32,
    /// The side that has it; `None` for either side.
    pub favours: Option<Side>,
}

impl EvalRange {
    /// Whether an eval for White is in range.
    pub fn contains(&self, eval: i32) -> bool {
        self.distance(eval) == 0
    }

    /// How far an eval for White is out of range, in centipawns; 0 in range.
    pub fn distance(&self, eval: i32) -> u32 {
        let advantage = match self.favours {
            None => i64::from(eval).abs(),
            Some(Side::White) => i64::from(eval),
            Some(Side::Black) => -i64::from(eval),
        };
        let outside = (i64::from(self.least) - advantage).max(advantage - i64::from(self.most)).max(0);
        outside.try_into().unwrap_or(u32::MAX)
    }
}

impl fmt::Display for EvalRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} centipawns for ", self.least, self.most)?;
        match self.favours {
            Some(side) => side.fmt(f),
            None => f.write_str("either side"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_counts_for_the_favoured_side() {
        let range = |favours| EvalRange { least: 80, most: 120, favours };
        let distances = |range: EvalRange| [-130, -80, 0, 79, 100, 125].map(|eval| range.distance(eval));
        assert_eq!(distances(range(None)), [10, 0, 80, 1, 0, 5]);
        assert_eq!(distances(range(Some(Side::White))), [210, 160, 80, 1, 0, 5]);
        assert_eq!(distances(range(Some(Side::Black))), [10, 0, 80, 159, 180, 205]);
    }

    #[test]
    fn a_mate_is_out_of_range() {
        assert!(!EvalRange { least: 0, most: 9_999, favours: None }.contains(-10_000));
    }
}
