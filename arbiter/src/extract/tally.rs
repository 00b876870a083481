//! What became of the games and positions that were looked at.

use std::collections::BTreeMap;
use std::fmt;

/// Why a position is left out. The order is that of the sieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuietSieve {
    /// It belongs to the opening, or comes soon after it.
    Opening,
    /// Somebody else is to move than was asked for.
    OtherMover,
    /// The side to move is in check.
    Check,
    /// Its player announced a mate, or a score beyond what is wanted.
    Decided,
    /// The move that was played captures, promotes or gives check.
    NotQuiet,
    /// It stood on the board before, in this game or in an earlier one.
    SeenBefore,
    /// Others of the game were drawn.
    NotDrawn,
    /// The engine that scores the positions found a mate, or a score beyond what is wanted.
    Rescored,
}

impl fmt::Display for QuietSieve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QuietSieve::Opening => "of the opening",
            QuietSieve::OtherMover => "with another player to move",
            QuietSieve::Check => "in check",
            QuietSieve::Decided => "decided in the player's eyes",
            QuietSieve::NotQuiet => "before a capture, a promotion or a check",
            QuietSieve::SeenBefore => "seen before",
            QuietSieve::NotDrawn => "not drawn",
            QuietSieve::Rescored => "decided in the eyes of the engine that scores",
        })
    }
}

/// How many games and positions were looked at, and how many each sieve kept back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuietTally {
    /// All games.
    pub games: u64,
    /// Those that a fault ended.
    pub faults: u64,
    /// Those without a result.
    pub unfinished: u64,
    /// Positions of the other games in which a move was made.
    pub positions: u64,
    /// Those that are left out, by reason.
    pub left_out: BTreeMap<QuietSieve, u64>,
    /// Those that are wanted.
    pub kept: u64,
}

impl QuietTally {
    /// Counts a position that is left out.
    pub fn leave_out(&mut self, sieve: QuietSieve) {
        *self.left_out.entry(sieve).or_default() += 1;
    }

    /// Counts positions that were kept, and then left out after all.
    pub fn take_back(&mut self, count: u64, sieve: QuietSieve) {
        if count > 0 {
            self.kept -= count;
            *self.left_out.entry(sieve).or_default() += count;
        }
    }
}

/// Two lines: games, then positions.
impl fmt::Display for QuietTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuietTally { games, faults, unfinished, positions, left_out, kept } = self;
        writeln!(f, "{games} games: {faults} ended by a fault, {unfinished} unfinished")?;
        write!(f, "{positions} positions: {kept} written")?;
        left_out.iter().try_for_each(|(sieve, count)| write!(f, ", {count} {sieve}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sieves_are_told_in_their_order() {
        let mut tally =
            QuietTally { games: 3, faults: 1, unfinished: 0, positions: 9, kept: 6, ..Default::default() };
        tally.leave_out(QuietSieve::NotQuiet);
        tally.leave_out(QuietSieve::Check);
        tally.leave_out(QuietSieve::NotQuiet);
        assert_eq!(
            tally.to_string(),
            "3 games: 1 ended by a fault, 0 unfinished\n\
             9 positions: 6 written, 1 in check, 2 before a capture, a promotion or a check"
        );
    }
}
