//! The counter of games and pairs, as games end.

use std::collections::BTreeMap;

use super::{Observations, Outcome, Pentanomial, Score, Wdl};

/// The games of two players, seen by one of them, in whatever order they end. A pair counts when both of its games have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairCounter {
    games: Wdl,
    pairs: Pentanomial,
    split_pairs: u64,
    /// The first outcome of each pair that is not complete.
    open: BTreeMap<u32, Outcome>,
}

impl PairCounter {
    /// Counts a game of the pair with this number.
    pub fn record(&mut self, pair: u32, outcome: Outcome) {
        self.games.record(outcome);
        match self.open.remove(&pair) {
            Some(other) => {
                self.pairs.record(other, outcome);
                self.split_pairs += u64::from(other != outcome && other == outcome.reversed());
            }
            None => {
                self.open.insert(pair, outcome);
            }
        }
    }

    /// All games, those of open pairs included.
    pub const fn games(&self) -> &Wdl {
        &self.games
    }

    /// The complete pairs.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The games of complete pairs alone.
    pub const fn paired_games(&self) -> Wdl {
        let [lost, half_lost, level, half_won, won] = self.pairs.counts();
        let drawn = level - self.split_pairs;
        let wins = 2 * won + half_won + self.split_pairs;
        let losses = 2 * lost + half_lost + self.split_pairs;
        Wdl::new(wins, half_lost + half_won + 2 * drawn, losses)
    }

    /// Whether one game of a pair has ended and the other has not.
    pub fn is_open(&self, pair: u32) -> bool {
        self.open.contains_key(&pair)
    }

    /// Complete pairs of a win and a loss; the other level pairs are two draws.
    pub const fn split_pairs(&self) -> u64 {
        self.split_pairs
    }

    /// What a test counts: pairs, or single games.
    pub const fn observations(&self, single_games: bool) -> Observations {
        if single_games { Observations::Games(self.games) } else { Observations::Pairs(self.pairs) }
    }

    /// The score by pairs; before the first is complete, by games.
    pub fn score(&self) -> Score {
        self.observations(self.pairs.pairs() == 0).score()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_when_both_games_have_ended() {
        let mut counter = PairCounter::default();
        let games = [
            (0, Outcome::Win),
            (1, Outcome::Draw),
            (2, Outcome::Win),
            (1, Outcome::Draw),
            (0, Outcome::Loss),
        ];
        for (pair, outcome) in games {
            counter.record(pair, outcome);
        }
        assert_eq!(*counter.games(), Wdl::new(2, 2, 1));
        assert_eq!(counter.pairs().counts(), [0, 0, 2, 0, 0]);
        assert_eq!(counter.split_pairs(), 1);
        assert_eq!(counter.paired_games(), Wdl::new(1, 2, 1));
        assert!(counter.is_open(2) && !counter.is_open(0));
        assert_eq!(counter.observations(false).games(), 4);
        assert_eq!(counter.observations(true).games(), 5);
    }

    #[test]
    fn without_a_pair_the_score_is_that_of_games() {
        let mut counter = PairCounter::default();
        counter.record(0, Outcome::Win);
        assert_eq!(counter.score(), Wdl::new(1, 0, 0).score());
        counter.record(0, Outcome::Draw);
        assert_eq!(counter.score(), Pentanomial::new([0, 0, 0, 1, 0]).score());
    }
}
