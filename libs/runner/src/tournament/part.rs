//! The part of a schedule that is played here.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Shard;

/// All games of a schedule, a contiguous part of them, or every nth pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    range: Range<u32>,
    /// The number of consecutive games that belong together.
    each: u32,
    /// The first of this many such groups is played.
    stride: u32,
}

impl From<Range<u32>> for Part {
    fn from(range: Range<u32>) -> Part {
        Part { range, each: 1, stride: 1 }
    }
}

impl Shard {
    /// The shard's part of `pairs` groups of `each` games, as a contiguous part. Shards differ by at most one group.
    pub fn stretch(self, pairs: u32, each: u32) -> Part {
        let bound = |shards: u32| (u64::from(pairs) * u64::from(shards) / u64::from(self.of())) as u32;
        Part::from(bound(self.number() - 1) * each..bound(self.number()) * each)
    }

    /// The shard's part in strides over all pairs, so that all shards together play the schedule from its beginning: with
    /// three shards, the second plays the pairs 2, 5, 8 and so on.
    pub fn strided(self, pairs: u32, each: u32) -> Part {
        Part { range: ((self.number() - 1) * each).min(pairs * each)..pairs * each, each, stride: self.of() }
    }
}

impl Part {
    /// This part without the first `skipped` games of the schedule.
    #[must_use]
    pub(super) fn without_the_first(self, skipped: u32) -> Part {
        let Range { start, end } = self.range;
        Part { range: start.max(skipped).min(end)..end, ..self }
    }

    /// The range from its first game to the end of the part or the schedule; with strides, it contains other games as well.
    pub(super) fn range(&self) -> Range<u32> {
        self.range.clone()
    }

    /// The number of games.
    pub fn len(&self) -> u32 {
        let (all, cycle) = (self.range.len() as u64, self.cycle());
        (all / cycle * u64::from(self.each) + (all % cycle).min(self.each.into())) as u32
    }

    /// Whether it has no games.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The indices of its games in the schedule, in order.
    pub fn games(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let part = self.clone();
        (0..self.len()).map(move |place| part.game(place))
    }

    /// Whether it contains this game of the schedule.
    pub fn contains(&self, game: u32) -> bool {
        self.range.contains(&game) && ((game - self.range.start) / self.each).is_multiple_of(self.stride)
    }

    /// The first of its games that is not before this one; the end of the schedule, or a later index, if there is none.
    pub fn next_from(&self, game: u32) -> u32 {
        let Some(passed) = game.checked_sub(self.range.start) else { return self.range.start };
        if (passed / self.each).is_multiple_of(self.stride) {
            return game;
        }
        let cycle = self.cycle();
        let next = u64::from(self.range.start) + (u64::from(passed) / cycle + 1) * cycle;
        u32::try_from(next).unwrap_or(u32::MAX)
    }

    /// How many of its games are before this one, which must be one of them.
    pub fn place(&self, game: u32) -> u32 {
        let passed = game.saturating_sub(self.range.start);
        (u64::from(passed) / self.cycle()) as u32 * self.each + passed % self.each
    }

    fn game(&self, place: u32) -> u32 {
        self.range.start + place / self.each * self.each * self.stride + place % self.each
    }

    /// The distance from the first game of a played group to the first game of the next one.
    fn cycle(&self) -> u64 {
        u64::from(self.each) * u64::from(self.stride)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shard(number: u32, of: u32) -> Shard {
        format!("{number}/{of}").parse().unwrap()
    }

    proptest! {
        #[test]
        fn shards_have_every_game_once_and_in_order(pairs in 1_u32..60, of in 1_u32..12, each in 1_u32..3) {
            for part in [Shard::stretch, Shard::strided] {
                let parts: Vec<Part> = (1..=of).map(|number| part(shard(number, of), pairs, each)).collect();
                let mut all: Vec<u32> = parts.iter().flat_map(Part::games).collect();
                all.sort_unstable();
                prop_assert_eq!(all, (0..pairs * each).collect::<Vec<_>>());
                for part in &parts {
                    let games: Vec<u32> = part.games().collect();
                    prop_assert_eq!((games.len() as u32, games.is_empty()), (part.len(), part.is_empty()));
                    prop_assert!(games.is_sorted());
                    for game in 0..pairs * each {
                        prop_assert_eq!(part.contains(game), games.contains(&game));
                        let next = games.iter().find(|later| **later >= game);
                        prop_assert!(next.map_or(!part.contains(part.next_from(game)), |next| *next == part.next_from(game)));
                    }
                    prop_assert!(games.iter().enumerate().all(|(place, game)| part.place(*game) == place as u32));
                }
                let sizes = parts.iter().map(Part::len);
                prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= each);
            }
        }
    }
}
