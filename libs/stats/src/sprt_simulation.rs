//! Simulated matches: the error rates of a sequential test are at most alpha and beta, in both models, with pairs and
//! with single games.

use super::{Elo, Observations, ResultShares, Sprt, SprtForecast, SprtModel, Wdl};

const TESTS: u32 = 400;

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.10;

/// Forecasts for a test of [0, 30] with H0 true, with H1 true, and halfway between.
fn forecasts(model: SprtModel, shares: impl Fn(f64) -> ResultShares) -> [SprtForecast; 3] {
    let test = Sprt::new(0.0, 30.0, ALPHA, BETA, model).unwrap();
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
    let [at_h0, at_h1, between] = forecasts(model, shares);
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
        assert_keeps_its_promises(model, shares, &format!("pairs, {model:?}"));
    }
}

#[test]
fn error_rates_hold_for_single_games() {
    for model in [SprtModel::Normalized, SprtModel::Logistic] {
        let drawish = Observations::Games(Wdl::new(20, 60, 20));
        let shares = |truth| ResultShares::tilted(&drawish, truth, model).unwrap();
        assert_keeps_its_promises(model, shares, &format!("games, {model:?}"));
    }
}
