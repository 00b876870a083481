//! Results as fastchess counts them: where pairs count, a game counts when its pair is complete.

use std::collections::{BTreeMap, HashMap};

use runner::GameRecord;
use stats::{Outcome, Pentanomial, Wdl};

/// The results of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    /// Single games.
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

    fn add_game(&mut self, outcome: Outcome) {
        self.games.record(outcome);
    }

    fn add_pair(&mut self, first: Outcome, second: Outcome) {
        self.add_game(first);
        self.add_game(second);
        self.pairs.record(first, second);
        let is_split =
            matches!((first, second), (Outcome::Win, Outcome::Loss) | (Outcome::Loss, Outcome::Win));
        self.split_pairs += u64::from(is_split);
    }

    fn add(&mut self, other: &Score) {
        let (a, b) = (self.games, other.games);
        self.games = Wdl::new(a.wins + b.wins, a.draws + b.draws, a.losses + b.losses);
        self.pairs += other.pairs;
        self.split_pairs += other.split_pairs;
    }
}

/// The results of all.
#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    penta: bool,
    /// By the two engines, the lower index first and seen by it.
    scores: BTreeMap<(usize, usize), Score>,
    /// The first game of each pair that is not complete.
    open: HashMap<u32, Outcome>,
}

impl Scoreboard {
    pub(super) fn new(penta: bool) -> Scoreboard {
        Scoreboard { penta, scores: BTreeMap::new(), open: HashMap::new() }
    }

    /// Begins with results of before between the first two engines.
    pub(super) fn begun_with(mut self, played: Option<Score>) -> Scoreboard {
        self.scores.extend(played.map(|score| ((0, 1), score)));
        self
    }

    /// Counts a game that has a result.
    pub(super) fn add(&mut self, game: &GameRecord) {
        let first = game.white.min(game.black);
        let Some(outcome) = game.outcome(first) else { return };
        let score = self.scores.entry((first, game.white.max(game.black))).or_default();
        if !self.penta {
            score.add_game(outcome);
        } else if let Some(other) = self.open.remove(&game.pair) {
            score.add_pair(other, outcome);
        } else {
            self.open.insert(game.pair, outcome);
        }
    }

    /// Whether no game of a pair waits for its other one.
    pub(super) fn is_complete(&self, pair: u32) -> bool {
        !self.open.contains_key(&pair)
    }

    /// The results of two engines, seen by `first`.
    pub(super) fn between(&self, first: usize, second: usize) -> Score {
        let score = self.scores.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first < second { score } else { score.reversed() }
    }

    /// Every two engines that met, with the results seen by the first.
    pub(super) fn pairings(&self) -> impl Iterator<Item = (usize, usize, Score)> {
        self.scores.iter().map(|(&(first, second), &score)| (first, second, score))
    }

    /// All results of an engine.
    pub(super) fn of(&self, engine: usize) -> Score {
        let mut sum = Score::default();
        for (&(first, second), score) in &self.scores {
            if first == engine {
                sum.add(score);
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
        let (mut pairs, mut single) = (Scoreboard::new(true), Scoreboard::new(false));
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
