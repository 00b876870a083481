//! Results as fastchess counts them: where pairs count, a game counts when its pair is complete.

use std::collections::BTreeMap;

use runner::GameRecord;
use stats::{PairCounter, Pentanomial, Wdl};

/// The results of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) games: Wdl,
    /// Pairs, where pairs count.
    pub(super) pairs: Pentanomial,
    /// How many level pairs were a win and a loss.
    pub(super) split_pairs: u64,
}

impl Score {
    /// Level pairs of two draws.
    pub(super) fn drawn_pairs(&self) -> u64 {
        self.pairs.counts()[2] - self.split_pairs
    }

    /// The same seen by the opponents.
    pub(super) fn reversed(&self) -> Score {
        Score { games: self.games.reversed(), pairs: self.pairs.reversed(), split_pairs: self.split_pairs }
    }

    fn of(counter: &PairCounter, penta: bool) -> Score {
        if penta {
            let split_pairs = counter.split_pairs();
            Score { games: counter.paired_games(), pairs: *counter.pairs(), split_pairs }
        } else {
            Score { games: *counter.games(), ..Score::default() }
        }
    }

    fn add(&mut self, other: &Score) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.split_pairs += other.split_pairs;
    }
}

#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    penta: bool,
    /// Results of before between the first two engines.
    played: Option<Score>,
    /// By the two engines, the lower index first and seen by it.
    counters: BTreeMap<(usize, usize), PairCounter>,
}

impl Scoreboard {
    pub(super) fn new(penta: bool, played: Option<Score>) -> Scoreboard {
        let counters = played.iter().map(|_| ((0, 1), PairCounter::default())).collect();
        Scoreboard { penta, played, counters }
    }

    /// Counts a game that has a result.
    pub(super) fn add(&mut self, game: &GameRecord) {
        let first = game.white.min(game.black);
        let Some(outcome) = game.outcome(first) else { return };
        self.counters.entry((first, game.white.max(game.black))).or_default().record(game.pair, outcome);
    }

    /// Whether no game of a pair waits for its other one.
    pub(super) fn is_complete(&self, pair: u32) -> bool {
        !self.penta || !self.counters.values().any(|counter| counter.is_open(pair))
    }

    /// The results of two engines, seen by `first`.
    pub(super) fn between(&self, first: usize, second: usize) -> Score {
        let (lower, higher) = (first.min(second), first.max(second));
        let score = self.pairings().find(|(one, other, _)| (*one, *other) == (lower, higher));
        let score = score.map(|(.., score)| score).unwrap_or_default();
        if first < second { score } else { score.reversed() }
    }

    /// Every two engines that met, with the results seen by the first.
    pub(super) fn pairings(&self) -> impl Iterator<Item = (usize, usize, Score)> {
        self.counters.iter().map(|(&(first, second), counter)| {
            let mut score = Score::of(counter, self.penta);
            self.played.iter().filter(|_| (first, second) == (0, 1)).for_each(|played| score.add(played));
            (first, second, score)
        })
    }

    /// All results of an engine.
    pub(super) fn of(&self, engine: usize) -> Score {
        let mut sum = Score::default();
        for (first, second, score) in self.pairings() {
            if first == engine {
                sum.add(&score);
            } else if second == engine {
                sum.add(&score.reversed());
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::two_engine_match;

    #[test]
    fn half_a_pair_does_not_count_where_pairs_do() {
        let games = two_engine_match("wlddw");
        let (mut pairs, mut single) = (Scoreboard::new(true, None), Scoreboard::new(false, None));
        for game in &games {
            pairs.add(game);
            single.add(game);
        }
        let score = pairs.between(0, 1);
        assert_eq!(score.games.games(), 4);
        assert_eq!(score.pairs.counts(), [0, 0, 2, 0, 0]);
        assert_eq!((score.split_pairs, score.drawn_pairs()), (1, 1));
        assert!(pairs.is_complete(0) && !pairs.is_complete(2));
        assert_eq!(single.between(0, 1).games.games(), 5);
        assert_eq!(pairs.between(1, 0), score.reversed());
        assert_eq!(pairs.of(1), score.reversed());
    }
}
