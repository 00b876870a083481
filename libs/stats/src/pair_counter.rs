//! Counts games and pairs as games end, in any order.

use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::{Observations, Outcome, Pentanomial, Score, Wdl};

/// Games that repeat the players, colours, moves and result of an earlier one, and pairs that repeat both games of an
/// earlier pair. They add no information, so estimates and tests do not count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, derive_more::AddAssign)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Repeats {
    /// The repeated games, including those of `pairs`.
    pub games: Wdl,
    /// The repeated pairs.
    pub pairs: Pentanomial,
}

impl Repeats {
    /// Whether nothing is repeated.
    pub fn is_empty(&self) -> bool {
        *self == Repeats::default()
    }

    /// The repeats from the second engine's point of view.
    #[must_use]
    pub const fn reversed(&self) -> Repeats {
        Repeats { games: self.games.reversed(), pairs: self.pairs.reversed() }
    }

    /// The observations without these repeats.
    pub fn left_out_of(&self, observations: Observations) -> Observations {
        match observations {
            Observations::Pairs(pairs) => Observations::Pairs(pairs - self.pairs),
            Observations::Games(games) => Observations::Games(games - self.games),
        }
    }
}

/// The games and pairs seen so far, as hashes of their players and moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnownMoves(HashSet<u64, FxBuildHasher>);

impl KnownMoves {
    /// The key of a game of White and Black, given a hash of its start, moves and result; `None` if that is unknown. The
    /// game with the same moves and reversed colours has a key that differs in the last bit only.
    pub fn key([white, black]: [usize; 2], moves: Option<u64>) -> Option<u64> {
        let either = |moves| FxBuildHasher.hash_one((white.min(black), white.max(black), moves));
        moves.map(|moves| either(moves) & !1 | u64::from(white > black))
    }

    /// Whether two games have the same moves with colours reversed.
    pub fn is_mirrored(one: Option<u64>, other: Option<u64>) -> bool {
        one.zip(other).is_some_and(|(one, other)| one ^ other == 1)
    }

    /// Adds a game. Returns whether it is new; a game without a key is.
    pub fn add(&mut self, key: Option<u64>) -> bool {
        key.is_none_or(|key| self.0.insert(key))
    }

    /// Adds a pair by the keys of its games. Returns whether it is new.
    pub fn add_pair(&mut self, one: Option<u64>, other: Option<u64>) -> bool {
        let both = one.zip(other);
        self.add(both.map(|(one, other)| FxBuildHasher.hash_one([one.min(other), one.max(other)])))
    }
}

/// The games of two players from the point of view of one, in any order. A pair counts once both of its games have ended.
///
/// ```
/// use stats::{KnownMoves, Outcome, PairCounter};
///
/// let (mut counter, mut known) = (PairCounter::default(), KnownMoves::default());
/// counter.record(0, Outcome::Win, None, &mut known);
/// assert!(counter.is_open(0));
/// counter.record(0, Outcome::Draw, None, &mut known);
/// assert_eq!(counter.pairs().counts(), [0, 0, 0, 1, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairCounter {
    games: Wdl,
    pairs: Pentanomial,
    split_pairs: u64,
    mirrored_pairs: u64,
    repeats: Repeats,
    /// For each incomplete pair, the outcome of its first game and the key of that game.
    open: BTreeMap<u32, (Outcome, Option<u64>)>,
}

impl PairCounter {
    /// Counts a game of a pair. `key` shows whether the game repeats one in `known`.
    pub fn record(&mut self, pair: u32, outcome: Outcome, key: Option<u64>, known: &mut KnownMoves) {
        self.games.record(outcome);
        if !known.add(key) {
            self.repeats.games.record(outcome);
        }
        let Some((other, earlier)) = self.open.remove(&pair) else {
            self.open.insert(pair, (outcome, key));
            return;
        };
        self.pairs.record(other, outcome);
        self.split_pairs += u64::from(other != outcome && other == outcome.reversed());
        if !known.add_pair(earlier, key) {
            self.repeats.pairs.record(other, outcome);
        } else if KnownMoves::is_mirrored(earlier, key) {
            self.mirrored_pairs += 1;
        }
    }

    /// All games, including those of incomplete pairs.
    pub const fn games(&self) -> &Wdl {
        &self.games
    }

    /// The complete pairs.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The complete pairs that do not repeat an earlier pair.
    pub fn new_pairs(&self) -> Pentanomial {
        self.pairs - self.repeats.pairs
    }

    /// The games of complete pairs.
    pub const fn paired_games(&self) -> Wdl {
        let [lost, half_lost, level, half_won, won] = self.pairs.counts();
        let drawn = level - self.split_pairs;
        let wins = 2 * won + half_won + self.split_pairs;
        let losses = 2 * lost + half_lost + self.split_pairs;
        Wdl::new(wins, half_lost + half_won + 2 * drawn, losses)
    }

    /// Whether just one game of a pair has ended.
    pub fn is_open(&self, pair: u32) -> bool {
        self.open.contains_key(&pair)
    }

    /// Complete pairs with a win and a loss. The other pairs worth 1 point are two draws.
    pub const fn split_pairs(&self) -> u64 {
        self.split_pairs
    }

    /// New pairs in which both games have the same moves. They are level however good the moves are, and show no difference
    /// between the players.
    pub const fn mirrored_pairs(&self) -> u64 {
        self.mirrored_pairs
    }

    /// The games and pairs that repeat earlier ones.
    pub const fn repeats(&self) -> &Repeats {
        &self.repeats
    }

    /// The observations for estimates and tests: pairs, or single games, without repeats.
    pub fn observations(&self, single_games: bool) -> Observations {
        let all =
            if single_games { Observations::Games(self.games) } else { Observations::Pairs(self.pairs) };
        self.repeats.left_out_of(all)
    }

    /// The score by pairs or, before the first complete pair, by games; without repeats.
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
            counter.record(pair, outcome, None, &mut KnownMoves::default());
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
        let mut known = KnownMoves::default();
        counter.record(0, Outcome::Win, Some(1), &mut known);
        assert_eq!(counter.score(), Wdl::new(1, 0, 0).score());
        counter.record(0, Outcome::Draw, Some(2), &mut known);
        assert_eq!(counter.score(), Pentanomial::new([0, 0, 0, 1, 0]).score());
    }

    #[test]
    fn pairs_with_the_same_moves_by_both_players_are_known() {
        let mut counter = PairCounter::default();
        let games =
            [(0, [0, 1], 7), (0, [1, 0], 7), (1, [0, 1], 8), (1, [1, 0], 9), (2, [1, 0], 7), (2, [0, 1], 7)];
        let mut known = KnownMoves::default();
        for (pair, players, moves) in games {
            counter.record(pair, Outcome::Draw, KnownMoves::key(players, Some(moves)), &mut known);
        }
        assert_eq!((counter.mirrored_pairs(), counter.repeats().pairs.pairs()), (1, 1));
    }

    #[test]
    fn what_repeats_an_earlier_pair_is_counted_and_says_nothing_in_whatever_order() {
        use Outcome::{Draw, Loss, Win};
        let pair =
            |number: u32, games: [(Outcome, u64); 2]| games.map(|(outcome, key)| (number, outcome, key));
        let once = [pair(0, [(Win, 1), (Draw, 2)]), pair(1, [(Loss, 3), (Draw, 4)])].concat();
        // The first pair again, and a pair with one new game.
        let again = [pair(2, [(Draw, 2), (Win, 1)]), pair(3, [(Win, 1), (Win, 5)])].concat();
        let counted = |games: &[(u32, Outcome, u64)]| {
            let (mut counter, mut known) = (PairCounter::default(), KnownMoves::default());
            for &(pair, outcome, key) in games {
                counter.record(pair, outcome, Some(key), &mut known);
            }
            counter
        };
        let mut games = [once, again].concat();
        let forwards = counted(&games);
        games.reverse();
        assert_eq!(counted(&games), forwards);
        assert_eq!((forwards.games().games(), forwards.pairs().counts()), (8, [0, 1, 0, 2, 1]));
        assert_eq!(
            forwards.repeats(),
            &Repeats { games: Wdl::new(2, 1, 0), pairs: Pentanomial::new([0, 0, 0, 1, 0]) }
        );
        assert_eq!(forwards.observations(false), Observations::Pairs(Pentanomial::new([0, 1, 0, 1, 1])));
        assert_eq!(forwards.observations(true), Observations::Games(Wdl::new(2, 2, 1)));
        assert_eq!(forwards.score(), Pentanomial::new([0, 1, 0, 1, 1]).score());
    }
}
