//! How good or bad an opening is meant to be.

use std::fmt;

use crate::Side;

/// The verdicts that a book wants, in centipawns, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The smallest advantage.
    pub least: u32,
    /// The largest; not below the smallest.
    pub most: u32,
    /// Who has it; `None` where either side may.
    pub favours: Option<Side>,
}

impl Band {
    /// Whether a verdict from White's point of view is in the band.
    pub fn contains(&self, verdict: i32) -> bool {
        self.distance(verdict) == 0
    }

    /// How far a verdict from White's point of view is outside, in centipawns; 0 inside.
    pub fn distance(&self, verdict: i32) -> u32 {
        let advantage = match self.favours {
            None => i64::from(verdict).abs(),
            Some(Side::White) => i64::from(verdict),
            Some(Side::Black) => -i64::from(verdict),
        };
        let outside = (i64::from(self.least) - advantage).max(advantage - i64::from(self.most)).max(0);
        outside.try_into().unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Band {
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
    fn an_advantage_counts_for_whom_it_is_meant() {
        let band = |favours| Band { least: 80, most: 120, favours };
        let distances = |band: Band| [-130, -80, 0, 79, 100, 125].map(|verdict| band.distance(verdict));
        assert_eq!(distances(band(None)), [10, 0, 80, 1, 0, 5]);
        assert_eq!(distances(band(Some(Side::White))), [210, 160, 80, 1, 0, 5]);
        assert_eq!(distances(band(Some(Side::Black))), [10, 0, 80, 159, 180, 205]);
    }

    #[test]
    fn a_mate_is_outside_of_every_band_that_ends() {
        assert!(!Band { least: 0, most: 9_999, favours: None }.contains(-10_000));
    }
}
