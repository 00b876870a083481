//! The number of games and positions, and why positions were rejected.

use std::collections::BTreeMap;
use std::fmt;

use crate::text::number_text::{counted, thousands};

/// Why a position is rejected, in the order of the filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuietFilter {
    /// It belongs to the opening, or follows soon after it.
    Opening,
    /// The player to move is not wanted.
    OtherPlayer,
    /// The side to move is in check.
    Check,
    /// The player's score is a mate or above the limit.
    LargeScore,
    /// The move played captures, promotes or gives check.
    NotQuiet,
    /// It occurred before, in this game or an earlier one.
    Duplicate,
    /// Other positions of the game were chosen.
    NotChosen,
    /// The score of the engine of `--score-by` is a mate or above the limit.
    LargeNewScore,
}

impl fmt::Display for QuietFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QuietFilter::Opening => "in the opening or --skip",
            QuietFilter::OtherPlayer => "with another player to move",
            QuietFilter::Check => "in check",
            QuietFilter::LargeScore => "with a score above --max-score",
            QuietFilter::NotQuiet => "not quiet",
            QuietFilter::Duplicate => "duplicates",
            QuietFilter::NotChosen => "beyond --per-game or --limit",
            QuietFilter::LargeNewScore => "scored above --max-score by the engine",
        })
    }
}

/// The number of games and positions, and of positions rejected by each filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuietTally {
    pub games: u64,
    /// Games that ended with a fault.
    pub faults: u64,
    pub unfinished: u64,
    /// Positions of the other games in which a move was made.
    pub positions: u64,
    /// Rejected positions, by reason.
    pub rejected: BTreeMap<QuietFilter, u64>,
    pub kept: u64,
}

impl QuietTally {
    pub fn reject(&mut self, filter: QuietFilter) {
        *self.rejected.entry(filter).or_default() += 1;
    }

    /// Counts positions as rejected that were counted as kept.
    pub fn reject_kept(&mut self, count: u64, filter: QuietFilter) {
        if count > 0 {
            self.kept -= count;
            *self.rejected.entry(filter).or_default() += count;
        }
    }
}

/// Two lines: games, then positions.
impl fmt::Display for QuietTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuietTally { games, faults, unfinished, positions, rejected, kept } = self;
        writeln!(f, "{}: {faults} with a fault, {unfinished} unfinished", counted(*games, "game"))?;
        write!(f, "{} positions: {} written", thousands(*positions), thousands(*kept))?;
        rejected.iter().try_for_each(|(filter, count)| write!(f, ", {} {filter}", thousands(*count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_come_in_the_order_of_the_filters() {
        let mut tally =
            QuietTally { games: 3, faults: 1, unfinished: 0, positions: 9, kept: 6, ..Default::default() };
        tally.reject(QuietFilter::NotQuiet);
        tally.reject(QuietFilter::Check);
        tally.reject(QuietFilter::NotQuiet);
        assert_eq!(
            tally.to_string(),
            "3 games: 1 with a fault, 0 unfinished\n\
             9 positions: 6 written, 1 in check, 2 not quiet"
        );
    }
}
