//! Simulated tournaments: 95% of the 95% intervals contain the truth, for any draw rate and number of games.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cluster::independent;
use super::{Encounter, RatingList};
use crate::{Elo, EloEstimate, Wdl};

const TOURNAMENTS: u32 = 1500;

/// The true parameters of a tournament.
struct Truth {
    ratings: &'static [f64],
    white_advantage: f64,
    /// Games of each two players with each colour.
    games: u64,
    /// The draws of two players with these indices, as a share of the most that their strength allows.
    draws: fn(usize, usize) -> f64,
    /// Whether two players meet.
    meet: fn(usize, usize) -> bool,
}

impl Truth {
    fn play(&self, rng: &mut ChaCha8Rng) -> Vec<Encounter> {
        let mut encounters = Vec::new();
        for white in 0..self.ratings.len() {
            for black in 0..self.ratings.len() {
                if white == black || !(self.meet)(white.min(black), white.max(black)) {
                    continue;
                }
                let lead = self.ratings[white] - self.ratings[black] + self.white_advantage;
                let expected = Elo::new(lead).expected_score();
                let draws = (self.draws)(white, black) * 2.0 * expected.min(1.0 - expected);
                let mut results = Wdl::default();
                for _ in 0..self.games {
                    let chance: f64 = rng.random();
                    results.wins += u64::from(chance < expected - draws / 2.0);
                    results.losses += u64::from(chance >= expected + draws / 2.0);
                }
                results.draws = self.games - results.wins - results.losses;
                encounters.push(Encounter { white, black, results });
            }
        }
        encounters
    }
}

/// The number of intervals that contain the truth.
#[derive(Debug, Default)]
struct Held {
    yes: u32,
    of: u32,
}

impl Held {
    fn count(&mut self, estimate: Option<EloEstimate>, truth: f64) {
        if let Some(estimate) = estimate {
            self.yes += u32::from(estimate.lower.value() <= truth && truth <= estimate.upper.value());
            self.of += 1;
        }
    }

    fn share(&self) -> f64 {
        f64::from(self.yes) / f64::from(self.of)
    }
}

/// The shares of intervals that hold the truth: of ratings, of differences, of the advantage of the first move.
fn simulate(truth: &Truth, seed: u64) -> [f64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let players = truth.ratings.len();
    let [mut ratings, mut differences, mut advantage] = [(); 3].map(|()| Held::default());
    for _ in 0..TOURNAMENTS {
        let list = RatingList::new(players, &independent(&truth.play(&mut rng)), &BTreeMap::new());
        let rated = &list.groups()[0].players;
        let average = rated.iter().map(|&player| truth.ratings[player]).sum::<f64>() / rated.len() as f64;
        for one in 0..players {
            ratings.count(list.players()[one].rating, truth.ratings[one] - average);
            for other in one + 1..players {
                differences.count(list.difference(one, other), truth.ratings[one] - truth.ratings[other]);
            }
        }
        advantage.count(list.white_advantage(), truth.white_advantage);
    }
    [ratings, differences, advantage].map(|held| held.share())
}

/// The intervals of one tournament have errors in common, so that only the tournaments count as independent.
fn assert_covers(truth: &Truth, seed: u64) {
    let tolerance = 4.0 * (0.95 * 0.05 / f64::from(TOURNAMENTS)).sqrt();
    for (share, what) in simulate(truth, seed).into_iter().zip(["ratings", "differences", "advantage"]) {
        assert!((share - 0.95).abs() < tolerance, "{what}: {share}");
    }
}

#[test]
fn in_a_round_robin() {
    assert_covers(
        &Truth {
            ratings: &[120.0, 60.0, 20.0, -10.0, -70.0, -120.0],
            white_advantage: 30.0,
            games: 20,
            draws: |_, _| 0.5,
            meet: |_, _| true,
        },
        1,
    );
}

#[test]
fn with_two_games_of_each_two_players() {
    assert_covers(
        &Truth {
            ratings: &[150.0, 90.0, 60.0, 10.0, -30.0, -50.0, -90.0, -140.0],
            white_advantage: 20.0,
            games: 1,
            draws: |_, _| 0.4,
            meet: |_, _| true,
        },
        2,
    );
}

#[test]
fn where_strong_players_draw_and_weak_ones_do_not() {
    assert_covers(
        &Truth {
            ratings: &[200.0, 180.0, 160.0, -160.0, -180.0, -200.0],
            white_advantage: 15.0,
            games: 12,
            draws: |one, other| if one.max(other) < 3 { 0.9 } else { 0.1 },
            meet: |_, _| true,
        },
        3,
    );
}

#[test]
fn in_a_gauntlet() {
    assert_covers(
        &Truth {
            ratings: &[50.0, 150.0, 0.0, 30.0, -80.0, -100.0],
            white_advantage: 0.0,
            games: 30,
            draws: |_, _| 0.6,
            meet: |one, _| one == 0,
        },
        4,
    );
}

#[test]
fn in_a_chain_of_neighbours_that_mostly_draw() {
    assert_covers(
        &Truth {
            ratings: &[200.0, 100.0, 0.0, -100.0, -200.0],
            white_advantage: 40.0,
            games: 40,
            draws: |_, _| 0.9,
            meet: |one, other| one + 1 == other,
        },
        5,
    );
}
