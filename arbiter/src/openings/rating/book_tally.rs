//! What is counted for the games from a book, or from some of its openings.

use std::collections::BTreeMap;
use std::time::Duration;

use super::book_rating::LevelPairs;
use referee::Side;
use runner::GameRecord;
use stats::{Outcome, Pentanomial, Wdl};

/// Sums over the games of two engines, seen by the first of the configuration. The order of the games does not matter.
#[derive(Clone, Debug, Default)]
pub struct BookTally {
    /// All games.
    pub wdl: Wdl,
    /// The same seen by White.
    pub white: Wdl,
    /// The same seen by the side that the opening favours.
    pub favoured: Wdl,
    /// The completed pairs.
    pub pairs: Pentanomial,
    /// The same seen by White: both games of a pair have one opening, so White's results in them go together.
    pub white_pairs: Pentanomial,
    /// Pairs worth one point.
    pub level: LevelPairs,
    /// Moves of the engines.
    pub plies: u64,
    /// Time of the engines.
    pub time: Duration,
    /// The first game of each pair whose second is not finished, by the index of the pair: seen by the first engine, and by
    /// White.
    halves: BTreeMap<u32, [Outcome; 2]>,
}

impl BookTally {
    /// Counts a game, unless a sequential test decided without it, with the side that its opening favours.
    pub fn add(&mut self, game: &GameRecord, favoured: Side) {
        let Some((result, half_points)) = game.scored_result().zip(game.half_points(0)) else { return };
        let outcome_of_first = Outcome::of_half_points(half_points);
        self.wdl.record(outcome_of_first);
        let outcome_of_white = Outcome::of_half_points(result.half_points(Side::White));
        self.white.record(outcome_of_white);
        self.favoured.record(Outcome::of_half_points(result.half_points(favoured)));
        self.plies += game.moves.len() as u64;
        self.time += game.moves.iter().map(|played| played.time).sum::<Duration>();
        match self.halves.remove(&game.pair) {
            Some([other_of_first, other_of_white]) => {
                self.add_pair(other_of_first, outcome_of_first);
                self.white_pairs.record(other_of_white, outcome_of_white);
            }
            None => {
                self.halves.insert(game.pair, [outcome_of_first, outcome_of_white]);
            }
        }
    }

    fn add_pair(&mut self, one: Outcome, other: Outcome) {
        self.pairs.record(one, other);
        match (one, other) {
            (Outcome::Draw, Outcome::Draw) => self.level.by_draws += 1,
            (Outcome::Win, Outcome::Loss) | (Outcome::Loss, Outcome::Win) => self.level.by_wins += 1,
            _ => {}
        }
    }
}
