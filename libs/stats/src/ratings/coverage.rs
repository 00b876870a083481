//! Simulated tournaments: 95% of the 95% intervals contain the truth, for any draw rate, number of games and book.
//!
//! `RATING_COVERAGE_TOURNAMENTS=2000` simulates this many of each kind, and shows as well that intervals are wrong if pairs
//! or repeated games are ignored. Without it, there are a few of each kind.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cluster::independent;
use super::{Cluster, Clusters, Encounter, PoolRatings};
use crate::{Elo, EloEstimate, Outcome, PairableGame, Wdl};

/// The number of tournaments of each kind if many are asked for.
fn many() -> Option<u32> {
    std::env::var("RATING_COVERAGE_TOURNAMENTS").ok().map(|many| many.parse().unwrap())
}

fn tournaments() -> u32 {
    many().unwrap_or(300)
}

/// Four standard deviations of a share of 95%. The intervals of one tournament have correlated errors, so only the
/// tournaments count as independent.
fn tolerance() -> f64 {
    4.0 * (0.95 * 0.05 / f64::from(tournaments())).sqrt()
}

/// A number of games at which estimates equal the truth, except for rounding.
const ENDLESS: f64 = 1e12;

struct Truth<'a> {
    ratings: &'a [f64],
    white_advantage: f64,
    /// The number of openings; each is played by every two players with both colours.
    openings: u64,
    /// The draws of two players, given by index, as a share of the most that their difference in strength allows.
    draws: fn(usize, usize) -> f64,
    meet: fn(usize, usize) -> bool,
    /// The Elo by which an opening favours White or Black.
    bias: f64,
    /// The Elo by which an opening suits or does not suit a player.
    skill: f64,
}

/// Equal players draw half of their games, and openings favour nobody.
const EVERYBODY: Truth<'_> = Truth {
    ratings: &[],
    white_advantage: 30.0,
    openings: 0,
    draws: |_, _| 0.5,
    meet: |_, _| true,
    bias: 0.0,
    skill: 0.0,
};

const GAUNTLET: fn(usize, usize) -> bool = |one, _| one == 0;

impl Truth<'_> {
    fn encounters(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = 0..self.ratings.len();
        let all = players.clone().flat_map(move |white| players.clone().map(move |black| (white, black)));
        all.filter(|&(white, black)| white != black && (self.meet)(white.min(black), white.max(black)))
    }

    /// The probabilities of a win for White and of a draw, from an opening that favours White by `opening` Elo.
    fn chances(&self, white: usize, black: usize, opening: f64) -> [f64; 2] {
        let lead = self.ratings[white] - self.ratings[black] + self.white_advantage + opening;
        let expected = Elo::new(lead).expected_score();
        let draws = (self.draws)(white, black) * 2.0 * expected.min(1.0 - expected);
        [expected - draws / 2.0, draws]
    }

    fn play(&self, rng: &mut ChaCha8Rng) -> Vec<PairableGame> {
        let mut games = Vec::new();
        for opening in 0..self.openings {
            let mut either = |elo: f64| if rng.random() { elo } else { -elo };
            let bias = either(self.bias);
            let skill: Vec<f64> = self.ratings.iter().map(|_| either(self.skill)).collect();
            for (white, black) in self.encounters() {
                let [wins, draws] = self.chances(white, black, bias + skill[white] - skill[black]);
                let chance: f64 = rng.random();
                let half_points = 2 - u8::from(chance >= wins) - u8::from(chance >= wins + draws);
                games.push(PairableGame {
                    white: white as u32,
                    black: black as u32,
                    outcome: Outcome::of_half_points(half_points),
                    round: Some(opening),
                    start: Some(opening),
                    opening: None,
                    moves: Some(games.len() as u64),
                });
            }
        }
        games
    }

    /// The true values of the estimates: the ratings after endless games.
    fn list(&self) -> PoolRatings {
        let mut encounters = Vec::new();
        for (white, black) in self.encounters() {
            for signs in 0..8_u32 {
                let sign = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let opening = self.bias * sign(0) + self.skill * (sign(1) - sign(2));
                let [wins, draws] = self.chances(white, black, opening);
                let [wins, draws, losses] =
                    [wins, draws, 1.0 - wins - draws].map(|chance| (ENDLESS * chance) as u64);
                encounters.push(Encounter { white, black, results: Wdl { wins, draws, losses } });
            }
        }
        PoolRatings::new(self.ratings.len(), &independent(&encounters), &BTreeMap::new())
    }
}

/// All estimates with their intervals: of ratings, of differences, of White's advantage, and of the draw rate.
fn estimates(list: &PoolRatings) -> [Vec<[f64; 3]>; 4] {
    let players = 0..list.players().len();
    let of = |estimate: EloEstimate| [estimate.elo, estimate.lower, estimate.upper].map(Elo::value);
    let pairs = players.clone().flat_map(|one| (one + 1..players.end).map(move |other| (one, other)));
    let rate = list.draw_rate().unwrap();
    [
        list.players().iter().map(|player| of(player.rating.unwrap())).collect(),
        pairs.map(|(one, other)| of(list.difference(one, other).unwrap())).collect(),
        list.white_advantage().map(of).into_iter().collect(),
        vec![[rate.rate, rate.lower, rate.upper]],
    ]
}

const ESTIMATED: [&str; 4] = ["ratings", "differences", "advantage", "draw rate"];

fn simulate(truth: &Truth<'_>, clusters: fn(&[PairableGame]) -> Vec<Cluster>, seed: u64) -> [f64; 4] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let truths = estimates(&truth.list());
    let (mut held, mut of) = ([0_u32; 4], [0_u32; 4]);
    for _ in 0..tournaments() {
        let clusters = clusters(&truth.play(&mut rng));
        let found = estimates(&PoolRatings::new(truth.ratings.len(), &clusters, &BTreeMap::new()));
        for (kind, (found, truths)) in found.iter().zip(&truths).enumerate() {
            for ([_, lower, upper], [truth, ..]) in found.iter().zip(truths) {
                held[kind] += u32::from(lower <= truth && truth <= upper);
                of[kind] += 1;
            }
        }
    }
    [0, 1, 2, 3].map(|kind| f64::from(held[kind]) / f64::from(of[kind]))
}

fn blind(games: &[PairableGame]) -> Vec<Cluster> {
    let single = |game: &PairableGame| vec![(game.white, game.black, game.outcome)];
    games.iter().map(|game| Cluster { games: single(game), times: 1 }).collect()
}

fn paired(games: &[PairableGame]) -> Vec<Cluster> {
    Clusters::of([games]).clusters
}

#[test]
#[ignore = "simulates for seconds; .ci/nightly runs it"]
fn of_any_tournament() {
    let even = [120.0, 60.0, 20.0, -10.0, -70.0, -120.0];
    let eight = [150.0, 90.0, 60.0, 10.0, -30.0, -50.0, -90.0, -140.0];
    let [strong, field] =
        [[200.0, 180.0, 160.0, -160.0, -180.0, -200.0], [50.0, 150.0, 0.0, 30.0, -80.0, -100.0]];
    let chain = [200.0, 100.0, 0.0, -100.0, -200.0];
    let strong_draws = |one: usize, other: usize| if one.max(other) < 3 { 0.9 } else { 0.1 };
    let truth = |ratings, white_advantage, openings, draws| Truth {
        ratings,
        white_advantage,
        openings,
        draws,
        ..EVERYBODY
    };
    for (seed, (what, truth)) in (1..).zip([
        ("a round robin", truth(&even[..], 30.0, 20, |_, _| 0.5)),
        ("two games of each two players", truth(&eight, 20.0, 1, |_, _| 0.4)),
        ("strong players draw and weak ones do not", truth(&strong, 15.0, 12, strong_draws)),
        ("a gauntlet", Truth { meet: GAUNTLET, ..truth(&field, 0.0, 30, |_, _| 0.6) }),
        (
            "neighbours that mostly draw",
            Truth { meet: |one, other| one + 1 == other, ..truth(&chain, 40.0, 40, |_, _| 0.9) },
        ),
    ]) {
        for (share, estimated) in simulate(&truth, blind, seed).into_iter().zip(ESTIMATED) {
            // If players differ in how often they draw, the differences count as scatter.
            let may_be_more = estimated == "draw rate";
            let is_right = share > 0.95 - tolerance() && (share < 0.95 + tolerance() || may_be_more);
            assert!(is_right, "{what}, {estimated}: {share}");
        }
    }
}

#[test]
#[ignore = "simulates for seconds; .ci/nightly runs it"]
fn of_pairs_from_any_book() {
    let match_of = |openings| Truth { ratings: &[20.0, -20.0], openings, ..EVERYBODY };
    let five = |openings| Truth { ratings: &[40.0, 20.0, 0.0, -10.0, -50.0], openings, ..EVERYBODY };
    // If pairs are ignored, the intervals of differences are too wide for a book that favours one colour, and too narrow
    // for one that suits some of the players.
    for (seed, (what, truth, is_too_long)) in (1..).zip([
        ("a lopsided round robin", Truth { bias: 250.0, ..five(50) }, true),
        ("a lopsided gauntlet", Truth { bias: 250.0, meet: GAUNTLET, ..five(60) }, true),
        ("a lopsided match", Truth { bias: 250.0, ..match_of(150) }, true),
        ("a round robin that suits some", Truth { skill: 100.0, ..five(50) }, false),
        ("a match that suits one", Truth { skill: 100.0, ..match_of(150) }, false),
    ]) {
        let shares = simulate(&truth, paired, seed);
        for (share, estimated) in shares.into_iter().zip(ESTIMATED) {
            assert!((share - 0.95).abs() < tolerance(), "{what}, {estimated}: {share}");
        }
        if many().is_some() {
            let [_, differences, ..] = simulate(&truth, blind, seed);
            let excess = if is_too_long { differences - 0.95 } else { 0.95 - differences };
            assert!(excess > tolerance(), "{what}: {differences}");
        }
    }
}

#[test]
fn of_a_run_that_repeats_half_of_its_games() {
    // Repeats the games of three openings: once, twice and three times.
    fn again(games: &[PairableGame]) -> Vec<PairableGame> {
        let times = |game: &PairableGame| game.round.unwrap_or_default() % 3;
        let again = |number: u64| {
            let games = games.iter().filter(move |game| times(game) >= number);
            games.map(move |game| PairableGame {
                round: game.round.map(|round| round + 1000 * number),
                ..*game
            })
        };
        (0..3).flat_map(again).collect()
    }
    fn once(games: &[PairableGame]) -> Vec<Cluster> {
        paired(&again(games))
    }
    fn each_time(games: &[PairableGame]) -> Vec<Cluster> {
        let unknown = |game: PairableGame| PairableGame { moves: None, start: None, ..game };
        paired(&again(games).into_iter().map(unknown).collect::<Vec<_>>())
    }
    let five = Truth { ratings: &[40.0, 20.0, 0.0, -10.0, -50.0], openings: 60, ..EVERYBODY };
    let two = Truth { ratings: &[20.0, -20.0], openings: 150, ..EVERYBODY };
    for (seed, truth) in (1..).zip([five, two]) {
        let right = simulate(&truth, once, seed);
        assert!(right.iter().all(|share| (share - 0.95).abs() < tolerance()), "{right:?}");
        if many().is_some() {
            let wrong = simulate(&truth, each_time, seed);
            assert!(wrong[..2].iter().all(|share| *share < 0.87), "{wrong:?}");
        }
    }
}
