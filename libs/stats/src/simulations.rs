//! Simulated matches: a 95% interval holds the truth in 95% of them, and a sequential test errs at most as often as
//! promised.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    Elo, EloEstimate, NormalizedEloEstimate, Observations, Pentanomial, ResultShares, Sprt, SprtForecast,
    SprtModel, SprtTest, Wdl,
};

const MATCHES: u32 = 3000;
const OBSERVATIONS: u32 = 300;

/// Counts of one simulated match; the weights are in hundredths and sum to 100.
fn play<const N: usize>(weights: [u32; N], rng: &mut ChaCha8Rng) -> [u64; N] {
    let mut counts = [0; N];
    for _ in 0..OBSERVATIONS {
        let mut left = rng.random_range(0..100);
        let mut result = 0;
        while left >= weights[result] {
            left -= weights[result];
            result += 1;
        }
        counts[result] += 1;
    }
    counts
}

fn assert_covers(held: u32, what: &str) {
    let share = f64::from(held) / f64::from(MATCHES);
    assert!((share - 0.95).abs() < 4.0 * (0.95 * 0.05 / f64::from(MATCHES)).sqrt(), "{what}: {share}");
}

#[test]
fn intervals_from_pairs_hold_the_truth_as_often_as_they_say() {
    for (seed, weights) in
        [[4, 21, 50, 21, 4], [2, 10, 40, 33, 15], [1, 5, 14, 30, 50]].into_iter().enumerate()
    {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let truth = Pentanomial::new(weights.map(u64::from)).score();
        let (elo, nelo) = (EloEstimate::new(&truth).elo, NormalizedEloEstimate::new(&truth).nelo);
        let (mut elo_held, mut nelo_held) = (0, 0);
        for _ in 0..MATCHES {
            let score = Pentanomial::new(play(weights, &mut rng)).score();
            let estimate = EloEstimate::new(&score);
            elo_held += u32::from(estimate.lower <= elo && elo <= estimate.upper);
            let estimate = NormalizedEloEstimate::new(&score);
            nelo_held += u32::from(estimate.lower <= nelo && nelo <= estimate.upper);
        }
        assert_covers(elo_held, "Elo");
        assert_covers(nelo_held, "normalized Elo");
    }
}

#[test]
fn intervals_from_single_games_hold_the_truth_as_often_as_they_say() {
    for (seed, weights) in [[30, 40, 30], [10, 30, 60]].into_iter().enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let [losses, draws, wins] = weights.map(u64::from);
        let truth = EloEstimate::new(&Wdl::new(wins, draws, losses).score()).elo;
        let held = (0..MATCHES).filter(|_| {
            let [losses, draws, wins] = play(weights, &mut rng);
            let estimate = EloEstimate::new(&Wdl::new(wins, draws, losses).score());
            estimate.lower <= truth && truth <= estimate.upper
        });
        assert_covers(held.count() as u32, "Elo");
    }
}

const TESTS: u32 = 400;

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.10;

/// Forecasts for a test of [0, 30] with H0 true, with H1 true, and halfway between.
fn forecasts(model: SprtModel, bounds: SprtTest, shares: impl Fn(f64) -> ResultShares) -> [SprtForecast; 3] {
    let test = Sprt::new(0.0, 30.0, ALPHA, BETA, model).unwrap().with_test(bounds);
    [0.0, 30.0, 15.0].map(|truth| SprtForecast::new(&test, &shares(truth), TESTS, 7))
}

/// Errors are at most as frequent as promised, and not so rare that games were wasted. Three standard deviations of the
/// simulation are allowed, and that a test errs less than it may because its last step goes past the bound.
fn assert_error_rate(errors: u32, promised: f64, what: &str) {
    let tests = f64::from(TESTS);
    let deviation = (tests * promised * (1.0 - promised)).sqrt();
    let (least, most) = (0.6 * tests * promised - 3.0 * deviation, tests * promised + 3.0 * deviation);
    assert!((least..=most).contains(&f64::from(errors)), "{what}: {errors} errors, promised {promised}");
}

/// Wald's expected number of games at the two hypotheses of a normalized test, taking the ratio for a Brownian motion
/// ("Sequential Tests of Statistical Hypotheses", 1945, section 4.3).
fn wald(accepts_h1: f64) -> f64 {
    let test = Sprt::new(0.0, 30.0, ALPHA, BETA, SprtModel::Normalized).unwrap();
    let end = accepts_h1 * test.upper().value() + (1.0 - accepts_h1) * test.lower().value();
    // In standard deviations of a game: normalized Elo per deviation is 800 / ln 10.
    let apart = 30.0 * std::f64::consts::LN_10 / 800.0;
    end.abs() / (apart * apart / 2.0)
}

fn assert_keeps_its_promises(model: SprtModel, shares: impl Fn(f64) -> ResultShares, what: &str) {
    for bounds in [SprtTest::Wald, SprtTest::Curved] {
        keeps_its_promises(model, bounds, &shares, &format!("{what}, {model:?}, {bounds:?}"));
    }
}

fn keeps_its_promises(model: SprtModel, bounds: SprtTest, shares: impl Fn(f64) -> ResultShares, what: &str) {
    let [at_h0, at_h1, between] = forecasts(model, bounds, shares);
    assert_eq!(at_h0.undecided + at_h1.undecided + between.undecided, 0, "{what}");
    assert_error_rate(at_h0.accepted_h1, ALPHA, what);
    assert_error_rate(at_h1.accepted_h0, BETA, what);
    assert!((TESTS / 4..=3 * TESTS / 4).contains(&between.accepted_h1), "{what}: {between:?}");
    assert!(between.mean_games > at_h0.mean_games && between.mean_games > at_h1.mean_games, "{what}");
    if model == SprtModel::Normalized {
        for (forecast, expected) in [(at_h0, wald(ALPHA)), (at_h1, wald(1.0 - BETA))] {
            let mean = forecast.mean_games.unwrap();
            assert!((mean / expected - 1.0).abs() < 0.2, "{what}: {mean} games, expected {expected}");
        }
    }
}

#[test]
fn error_rates_hold_for_pairs_from_biased_openings() {
    for model in [SprtModel::Normalized, SprtModel::Logistic] {
        let shares = |truth| ResultShares::assumed(truth, model, 0.4, Elo::new(120.0));
        assert_keeps_its_promises(model, shares, "pairs");
    }
}

#[test]
fn error_rates_hold_for_single_games() {
    for model in [SprtModel::Normalized, SprtModel::Logistic] {
        let drawish = Observations::Games(Wdl::new(20, 60, 20));
        let shares = |truth| ResultShares::tilted(&drawish, truth, model).unwrap();
        assert_keeps_its_promises(model, shares, "games");
    }
}
