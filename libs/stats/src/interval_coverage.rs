//! Simulated matches: a 95% interval holds the truth in 95% of them, in even matches and in lopsided ones.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{EloEstimate, NormalizedEloEstimate, Pentanomial, Wdl};

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

/// Four standard deviations of the simulation, and the error that the normal approximation is allowed.
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
