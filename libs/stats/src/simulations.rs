//! Simulated matches: 95% of the 95% intervals contain the truth.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{EloEstimate, NormalizedEloEstimate, Observations, Pentanomial, Wdl};

const MATCHES: u32 = 3000;
const OBSERVATIONS: u32 = 300;

/// The counts of one simulated match; the weights are in percent and sum to 100.
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

fn assert_covers(truth: Observations, play: impl Fn(&mut ChaCha8Rng) -> Observations, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let estimate =
        |seen: &Observations| (EloEstimate::new(&seen.score()), NormalizedEloEstimate::new(&seen.score()));
    let (elo, nelo) = estimate(&truth);
    let mut held = [0_u32; 2];
    for _ in 0..MATCHES {
        let (seen_elo, seen_nelo) = estimate(&play(&mut rng));
        held[0] += u32::from(seen_elo.lower <= elo.elo && elo.elo <= seen_elo.upper);
        held[1] += u32::from(seen_nelo.lower <= nelo.nelo && nelo.nelo <= seen_nelo.upper);
    }
    for held in held {
        let share = f64::from(held) / f64::from(MATCHES);
        let error = 4.0 * (0.95 * 0.05 / f64::from(MATCHES)).sqrt();
        assert!((share - 0.95).abs() < error, "{truth:?}: {share}");
    }
}

#[test]
#[ignore = "simulates for seconds; .ci/nightly runs it"]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let pairs = |counts: [u64; 5]| Observations::Pairs(Pentanomial::new(counts));
    let games = |[losses, draws, wins]: [u64; 3]| Observations::Games(Wdl::new(wins, draws, losses));
    for (seed, weights) in (0..).zip([[4, 21, 50, 21, 4], [2, 10, 40, 33, 15], [1, 5, 14, 30, 50]]) {
        assert_covers(pairs(weights.map(u64::from)), |rng| pairs(play(weights, rng)), seed);
    }
    for (seed, weights) in (0..).zip([[30, 40, 30], [10, 30, 60]]) {
        assert_covers(games(weights.map(u64::from)), |rng| games(play(weights, rng)), seed);
    }
}
