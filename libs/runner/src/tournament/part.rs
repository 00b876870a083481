//! The part of a schedule that is played here.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{RunConfig, Shard};

/// All games of a schedule, a contiguous part of them, or groups of games at equal distances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    range: Range<u32>,
    /// The number of games in a group.
    each: u32,
    /// The distance from the first game of a group to the first game of the next one.
    cycle: u32,
}

impl From<Range<u32>> for Part {
    fn from(range: Range<u32>) -> Part {
        Part { range, each: 1, cycle: 1 }
    }
}

impl Shard {
    /// The shard's part of `pairs` groups of `each` games, as a contiguous part. Shards differ by at most one group.
    pub fn stretch(self, pairs: u32, each: u32) -> Part {
        let bound = |shards: u32| (u64::from(pairs) * u64::from(shards) / u64::from(self.of())) as u32;
        Part::from(bound(self.number() - 1) * each..bound(self.number()) * each)
    }

    /// The shard's part in strides over all pairs, so that all shards together play the schedule from its beginning: with
    /// three shards of weight 1, the second plays the pairs 2, 5, 8 and so on. A shard without a weight has 1.
    pub fn strided(self, pairs: u32, each: u32, weights: &[u32]) -> Part {
        let games_of = |shards: u32| {
            let given: u32 = weights.iter().take(shards as usize).sum();
            (given + shards.saturating_sub(weights.len() as u32)).saturating_mul(each)
        };
        let (first, end) = (games_of(self.number() - 1), pairs * each);
        Part { range: first.min(end)..end, each: games_of(self.number()) - first, cycle: games_of(self.of()) }
    }
}

impl RunConfig {
    /// The part of a shard of this many games.
    pub(crate) fn part_of(&self, shard: Shard, games: u32) -> Part {
        let each = self.rounds.games;
        match &self.pool {
            Some(pool) => shard.strided(games / each, each, &pool.weights),
            None => shard.stretch(games / each, each),
        }
    }
}

impl Part {
    /// This part without the first `skipped` games of the schedule.
    #[must_use]
    pub(super) fn without_the_first(self, skipped: u32) -> Part {
        let Range { start, end } = self.range;
        Part { range: start.max(skipped).min(end)..end, ..self }
    }

    /// This part, as many games later.
    #[must_use]
    pub(super) fn later(self, games: u32) -> Part {
        Part { range: self.range.start + games..self.range.end + games, ..self }
    }

    /// The range from its first game to the end of the part or the schedule; with strides, it contains other games as well.
    pub(super) fn range(&self) -> Range<u32> {
        self.range.clone()
    }

    /// The number of games.
    pub fn len(&self) -> u32 {
        let all = self.range.len() as u32;
        all / self.cycle * self.each + (all % self.cycle).min(self.each)
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
        self.range.contains(&game) && (game - self.range.start) % self.cycle < self.each
    }

    /// The first of its games that is not before this one; the end of the schedule, or a later index, if there is none.
    pub fn next_from(&self, game: u32) -> u32 {
        let Some(passed) = game.checked_sub(self.range.start) else { return self.range.start };
        if passed % self.cycle < self.each {
            return game;
        }
        let next = (passed / self.cycle + 1).checked_mul(self.cycle);
        next.and_then(|next| next.checked_add(self.range.start)).unwrap_or(u32::MAX)
    }

    /// How many of its games are before this one, which must be one of them.
    pub fn place(&self, game: u32) -> u32 {
        let passed = game.saturating_sub(self.range.start);
        passed / self.cycle * self.each + passed % self.cycle
    }

    fn game(&self, place: u32) -> u32 {
        self.range.start + place / self.each * self.cycle + place % self.each
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
        fn shards_have_every_game_once_and_in_order(
            pairs in 1_u32..60,
            of in 1_u32..12,
            each in 1_u32..3,
            weights in prop::collection::vec(1_u32..9, 0..12),
        ) {
            let strided = |shard: Shard| shard.strided(pairs, each, &weights);
            for is_strided in [false, true] {
                let part = |shard: Shard| if is_strided { strided(shard) } else { shard.stretch(pairs, each) };
                let parts: Vec<Part> = (1..=of).map(|number| part(shard(number, of))).collect();
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
                // A shard has its share of the games, give or take one group.
                let most = if is_strided { weights.iter().max().copied().unwrap_or(1) } else { 1 };
                let shares = parts.iter().map(|part| part.len() / if is_strided { part.each } else { each });
                prop_assert!(shares.clone().max().unwrap() - shares.min().unwrap() <= 1 && parts.iter().all(|part| part.each <= most * each));
            }
        }
    }
}
