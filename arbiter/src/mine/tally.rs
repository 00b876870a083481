//! What became of the positions that were looked at.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a position is not in the suite. The order is that of the sieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// It is an endgame and none is wanted, or the other way round.
    OtherKind,
    /// There is nothing to choose: one legal move.
    Forced,
    /// It stood on the board before in this game.
    SeenBefore,
    /// The players' scores did not move enough around it.
    Calm,
    /// No single move keeps the result.
    NothingAtStake,
    /// The solution takes back what has just taken.
    Recapture,
    /// The same move solves a position a few plies before it in the game.
    SameSolution,
    /// A search of depth 1 plays the solution.
    Obvious,
    /// A deeper search thinks otherwise.
    Unconfirmed,
    /// An earlier game of the suite has it.
    Duplicate,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::OtherKind => "of the other kind",
            Rejection::Forced => "one legal move",
            Rejection::SeenBefore => "repeated in the game",
            Rejection::Calm => "calm in the players' eyes",
            Rejection::NothingAtStake => "no single move keeps the result",
            Rejection::Recapture => "recaptures",
            Rejection::SameSolution => "the same solution a few plies before",
            Rejection::Obvious => "solved at depth 1",
            Rejection::Unconfirmed => "not confirmed by deeper searches",
            Rejection::Duplicate => "in an earlier game too",
        })
    }
}

/// How many positions were looked at, and how many each sieve kept back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MiningTally {
    /// Positions of the games.
    pub positions: u64,
    /// Those that are not in the suite, by reason.
    pub rejected: BTreeMap<Rejection, u64>,
}

impl MiningTally {
    /// Counts a position that is kept back.
    pub fn reject(&mut self, reason: Rejection) {
        *self.rejected.entry(reason).or_default() += 1;
    }

    /// Adds what became of other positions.
    pub fn add(&mut self, other: &MiningTally) {
        self.positions += other.positions;
        for (&reason, count) in &other.rejected {
            *self.rejected.entry(reason).or_default() += count;
        }
    }
}

impl fmt::Display for MiningTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions", self.positions)?;
        for (index, (reason, count)) in self.rejected.iter().enumerate() {
            write!(f, "{}{count} {reason}", if index == 0 { ": " } else { ", " })?;
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
        assert_eq!(both.to_string(), "10 positions: 2 one legal move, 2 recaptures");
        let text = serde_json::to_string(&both).unwrap();
        assert_eq!(serde_json::from_str::<MiningTally>(&text).unwrap(), both);
    }
}
