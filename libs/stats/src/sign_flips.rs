//! Tests whether two players differ in any of many quantities, given each quantity for every pair of games.
//!
//! A pair of games from one opening with reversed colours gives a number for each quantity, such as the points that the first
//! player lost in rook endings minus those of the second. If the players are alike, exchanging them in a pair only changes the
//! sign of its numbers. So all patterns of signs are equally likely, and the share of patterns whose sum is at least as far
//! from 0 is an exact p-value, whatever the distribution (R. A. Fisher, "The Design of Experiments", 1935, section 21).

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random patterns of signs that are tried, in addition to the observed one.
const FLIPS: u32 = 4_999;

const SAMPLES: usize = 1_000;

/// Sums closer than this share of the greatest possible sum count as equal, to allow for rounding.
const ROUNDING: f64 = 1e-9;

/// The sum of one quantity over the pairs, and how likely chance explains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedSum {
    /// The sum over all pairs.
    pub sum: f64,
    /// The probability of a sum at least as far from 0 if signs are random; 1 without pairs.
    pub p_value: f64,
    /// The sum in standard errors, which ranks sums whose p-values are all the smallest possible.
    pub z: f64,
}

impl PairedSum {
    /// The sum of the numbers of some pairs. The same seed gives the same p-value.
    pub fn new(pairs: &[f64], seed: u64) -> PairedSum {
        let sum: f64 = pairs.iter().sum();
        let squares = pairs.iter().map(|value| value * value).sum::<f64>().sqrt();
        let z = if squares > 0.0 { sum / squares } else { 0.0 };
        PairedSum { sum, p_value: flipped(pairs, sum, seed), z }
    }

    /// The 95% interval of the sum: percentiles of a bootstrap over the pairs (Efron, "Bootstrap methods", Annals of Statistics
    /// 7, 1979).
    pub fn interval(pairs: &[f64], seed: u64) -> [f64; 2] {
        if pairs.is_empty() {
            return [0.0; 2];
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sample = || pairs.iter().map(|_| pairs[random.random_range(0..pairs.len())]).sum::<f64>();
        let mut sums: Vec<f64> = (0..SAMPLES).map(|_| sample()).collect();
        sums.sort_by(f64::total_cmp);
        [0.025, 0.975].map(|share| sums[((SAMPLES - 1) as f64 * share).round() as usize])
    }
}

fn flipped(pairs: &[f64], sum: f64, seed: u64) -> f64 {
    // Zeros have no sign, and most quantities are 0 in most pairs.
    let told: Vec<f64> = pairs.iter().copied().filter(|value| *value != 0.0).collect();
    let least = sum.abs() - ROUNDING * told.iter().map(|value| value.abs()).sum::<f64>();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut pattern = || {
        let signed = |values: &[f64]| {
            let signs = random.next_u64();
            let signed = values.iter().enumerate();
            signed.map(|(bit, value)| if signs >> bit & 1 == 1 { *value } else { -value }).sum::<f64>()
        };
        told.chunks(64).map(signed).sum::<f64>()
    };
    let as_far = (0..FLIPS).filter(|_| pattern().abs() >= least).count();
    (as_far as f64 + 1.0) / (f64::from(FLIPS) + 1.0)
}

/// Which of these p-values are discoveries, with an expected share of false discoveries of at most `rate` (Benjamini and
/// Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57, 1995). If nothing differs,
/// `rate` is also the greatest probability of any discovery.
pub fn discoveries(p_values: &[f64], rate: f64) -> Vec<bool> {
    let mut sorted = p_values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let below = sorted.iter().enumerate().filter(|(rank, p)| **p <= rate * (*rank + 1) as f64 / count);
    let largest = below.map(|(_, p)| *p).next_back();
    p_values.iter().map(|p| largest.is_some_and(|largest| *p <= largest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pairs_have_the_p_value_that_counting_gives() {
        // Of the 32 patterns of five signs, two sum to ±5, and ten more to ±3.
        for (pairs, exact) in [([1.0; 5], 2.0 / 32.0), ([1.0, 1.0, 1.0, 1.0, -1.0], 12.0 / 32.0)] {
            let p = PairedSum::new(&pairs, 1).p_value;
            assert!((p - exact).abs() < 0.015, "{p} {exact}");
        }
        assert!((PairedSum::new(&[], 1).p_value - 1.0).abs() < 1e-12);
        assert_eq!(PairedSum::new(&[0.0; 4], 1), PairedSum { sum: 0.0, p_value: 1.0, z: 0.0 });
    }

    /// A distribution with heavy tails and mostly 0, as points of pairs have.
    fn pair(random: &mut ChaCha8Rng, shift: f64) -> f64 {
        if random.random_bool(0.7) { 0.0 } else { shift + (random.random_range(-1.0..1.0_f64)).powi(3) }
    }

    #[test]
    fn without_a_difference_one_test_in_twenty_finds_one_and_the_interval_covers_the_sum() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let (mut found, mut covered) = (0, 0);
        for test in 0..200 {
            let pairs: Vec<f64> = (0..40).map(|_| pair(&mut random, 0.0)).collect();
            found += u32::from(PairedSum::new(&pairs, test).p_value <= 0.05);
            let [lower, upper] = PairedSum::interval(&pairs, test);
            covered += u32::from(lower <= 0.0 && upper >= 0.0);
        }
        assert!((3..=19).contains(&found), "{found} of 200");
        assert!(covered >= 178, "{covered} of 200");
        let pairs: Vec<f64> = (0..200).map(|_| pair(&mut random, 0.5)).collect();
        let sum = PairedSum::new(&pairs, 1);
        assert!(sum.p_value < 0.001 && PairedSum::interval(&pairs, 1)[0] > 0.0 && sum.z > 3.0, "{sum:?}");
    }

    #[test]
    fn discoveries_are_those_of_the_paper() {
        // The fifteen p-values of section 3.2: the first four are discoveries at 0.05.
        let paper = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        let found = discoveries(&paper, 0.05);
        assert_eq!(found.iter().filter(|is_one| **is_one).count(), 4);
        assert!(found[..4].iter().all(|is_one| *is_one));
        // A later p-value below its threshold makes the earlier ones discoveries too.
        assert_eq!(discoveries(&[0.04, 0.045, 0.9], 0.07), [true, true, false]);
        assert_eq!(discoveries(&[], 0.05), Vec::<bool>::new());
    }
}
