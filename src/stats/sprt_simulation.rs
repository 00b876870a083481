//! Simulated matches: a sequential test errs as seldom as it promises.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{NormalizedElo, Pentanomial, Sprt, SprtModel, SprtStatus};

const RUNS: u32 = 300;

/// Far more pairs than any of the tests below needs.
const MAX_PAIRS: u32 = 20_000;

/// The shares of the five pair results when a level distribution is tilted until it has the given normalized
/// Elo.
fn shares(nelo: f64) -> [f64; 5] {
    let level = [0.03, 0.22, 0.50, 0.22, 0.03];
    let tilted = |tilt: f64| {
        let weights: [f64; 5] = std::array::from_fn(|i| level[i] * (tilt * i as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let nelo_of = |shares: [f64; 5]| {
        let counts = shares.map(|share| (share * 1e12) as u64);
        NormalizedElo::from_t_value(Pentanomial::new(counts).score().t_value()).value()
    };
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if nelo_of(tilted(middle)) < nelo { low = middle } else { high = middle }
    }
    tilted(low)
}

/// One match, to its verdict.
fn verdict(sprt: &Sprt, shares: &[f64; 5], rng: &mut ChaCha8Rng) -> SprtStatus {
    let mut counts = [0; 5];
    for _ in 0..MAX_PAIRS {
        let mut left: f64 = rng.random();
        let drawn = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        counts[drawn.unwrap_or(4)] += 1;
        let status = sprt.status(sprt.llr_of_pairs(&Pentanomial::new(counts)));
        if status != SprtStatus::Continue {
            return status;
        }
    }
    SprtStatus::Continue
}

/// How many of the simulated matches at this true strength end with H1; all of them end.
fn accepted_h1(sprt: &Sprt, nelo: f64, seed: u64) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let shares = shares(nelo);
    let verdicts: Vec<_> = (0..RUNS).map(|_| verdict(sprt, &shares, &mut rng)).collect();
    assert!(!verdicts.contains(&SprtStatus::Continue));
    verdicts.iter().filter(|&&verdict| verdict == SprtStatus::AcceptH1).count() as u32
}

/// Three standard deviations above the promised number of errors.
fn most_errors(probability: f64) -> u32 {
    let runs = f64::from(RUNS);
    (runs * probability + 3.0 * (runs * probability * (1.0 - probability)).sqrt()) as u32
}

#[test]
fn h1_is_seldom_accepted_when_h0_holds() {
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.10, SprtModel::Normalized).unwrap();
    let errors = accepted_h1(&sprt, 0.0, 1);
    assert!(errors <= most_errors(0.05), "{errors} errors");
}

#[test]
fn h0_is_seldom_accepted_when_h1_holds() {
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.10, SprtModel::Normalized).unwrap();
    let errors = RUNS - accepted_h1(&sprt, 40.0, 2);
    assert!(errors <= most_errors(0.10), "{errors} errors");
}

#[test]
fn halfway_between_the_hypotheses_either_may_win() {
    let sprt = Sprt::new(-20.0, 20.0, 0.10, 0.10, SprtModel::Normalized).unwrap();
    let accepted = accepted_h1(&sprt, 0.0, 3);
    assert!((RUNS / 3..=2 * RUNS / 3).contains(&accepted), "{accepted} of {RUNS}");
}
