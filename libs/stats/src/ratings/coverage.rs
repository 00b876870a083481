//! Simulated tournaments: 95% of the 95% intervals contain the truth, for any draw rate and number of games.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cluster::independent;
use super::{Encounter, RatingList};
use crate::{Elo, EloEstimate, Wdl};

const TOURNAMENTS: u32 = 1500;

struct Truth<'a> {
    ratings: &'a [f64],
    white_advantage: f64,
    /// Games of each two players with each colour.
    games: u64,
    /// The draws of two players with these indices, as a share of the most that their strength allows.
    draws: fn(usize, usize) -> f64,
    meet: fn(usize, usize) -> bool,
}

impl Truth<'_> {
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
fn simulate(truth: &Truth<'_>, seed: u64) -> [f64; 3] {
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
fn assert_covers(truth: &Truth<'_>, seed: u64, tournament: &str) {
    let tolerance = 4.0 * (0.95 * 0.05 / f64::from(TOURNAMENTS)).sqrt();
    for (share, what) in simulate(truth, seed).into_iter().zip(["ratings", "differences", "advantage"]) {
        assert!((share - 0.95).abs() < tolerance, "{tournament}, {what}: {share}");
    }
}

#[test]
fn of_any_tournament() {
    let all = |_, _| true;
    let even = [120.0, 60.0, 20.0, -10.0, -70.0, -120.0];
    let eight = [150.0, 90.0, 60.0, 10.0, -30.0, -50.0, -90.0, -140.0];
    let [strong, field] =
        [[200.0, 180.0, 160.0, -160.0, -180.0, -200.0], [50.0, 150.0, 0.0, 30.0, -80.0, -100.0]];
    let chain = [200.0, 100.0, 0.0, -100.0, -200.0];
    let strong_draws = |one: usize, other: usize| if one.max(other) < 3 { 0.9 } else { 0.1 };
    let truth =
        |ratings, white_advantage, games, draws, meet| Truth { ratings, white_advantage, games, draws, meet };
    for (seed, (what, truth)) in (1..).zip([
        ("a round robin", truth(&even[..], 30.0, 20, |_, _| 0.5, all)),
        ("two games of each two players", truth(&eight, 20.0, 1, |_, _| 0.4, all)),
        ("strong players draw and weak ones do not", truth(&strong, 15.0, 12, strong_draws, all)),
        ("a gauntlet", truth(&field, 0.0, 30, |_, _| 0.6, |one, _| one == 0)),
        ("neighbours that mostly draw", truth(&chain, 40.0, 40, |_, _| 0.9, |one, other| one + 1 == other)),
    ]) {
        assert_covers(&truth, seed, what);
    }
}
