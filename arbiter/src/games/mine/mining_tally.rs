//! How many positions were looked at, and why which of them are not in the suite.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::number_text::thousands;

/// Why a position is not in the suite, in the order of the filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    OtherKind,
    Forced,
    Repeated,
    /// The players' scores around it changed too little.
    NoSwing,
    NoOnlyMove,
    Recapture,
    /// The same move solves a position a few plies before it in the game.
    SameSolution,
    /// A search of depth 1 plays the solution.
    Obvious,
    Unconfirmed,
    Duplicate,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::OtherKind => "of the other kind",
            Rejection::Forced => "with one legal move",
            Rejection::Repeated => "repeated in the game",
            Rejection::NoSwing => "without a swing of the players' scores",
            Rejection::NoOnlyMove => "without an only move",
            Rejection::Recapture => "solved by a recapture",
            Rejection::SameSolution => "with the same solution as a few plies earlier",
            Rejection::Obvious => "solved at depth 1",
            Rejection::Unconfirmed => "not confirmed by longer searches",
            Rejection::Duplicate => "duplicates of an earlier game",
        })
    }
}

/// The number of positions, and of those rejected by each filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MiningTally {
    pub positions: u64,
    /// Positions that are not in the suite, by reason.
    pub rejected: BTreeMap<Rejection, u64>,
}

impl MiningTally {
    pub fn reject(&mut self, reason: Rejection) {
        *self.rejected.entry(reason).or_default() += 1;
    }

    pub fn add(&mut self, other: &MiningTally) {
        self.positions += other.positions;
        for (&reason, count) in &other.rejected {
            *self.rejected.entry(reason).or_default() += count;
        }
    }
}

impl fmt::Display for MiningTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions in the games", thousands(self.positions))?;
        for (index, (reason, count)) in self.rejected.iter().enumerate() {
            write!(f, "{}{} {reason}", if index == 0 { ": " } else { ", " }, thousands(*count))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up_and_read_back() {
        let mut one = MiningTally { positions: 5, ..MiningTally::default() };
        one.reject(Rejection::Recapture);
        one.reject(Rejection::Forced);
        let mut both = one.clone();
        both.add(&one);
        assert_eq!(
            both.to_string(),
            "10 positions in the games: 2 with one legal move, 2 solved by a recapture"
        );
        let text = serde_json::to_string(&both).unwrap();
        assert_eq!(serde_json::from_str::<MiningTally>(&text).unwrap(), both);
    }
}
