//! Finding the best of several candidates that each play pairs against the same base: who plays next, and when the best is
//! known.
//!
//! Each candidate's difference to the base is estimated by a normal distribution. The next pair goes to the leader or to a
//! challenger: the candidate that is most likely to beat the leader by more than a margin (top-two sampling: Russo, "Simple
//! Bayesian algorithms for best arm identification", 2016, with the challenger of Jourdan, Degenne and Kaufmann, "An ε-best-arm
//! identification algorithm for fixed-confidence and beyond", 2023). The leader plays while the square of its number of pairs
//! is below the sum of the squares of all others', which is the optimal allocation (Glynn and Juneja, "A large deviations
//! perspective on ordinal optimization", 2004). Nothing is random: the results determine who plays.
//!
//! The run ends when the posterior probability, an integral over one variable, is high enough. The candidates' differences are
//! assumed to be normally distributed, with a variance estimated from the results. `examples/best_of.rs` simulates how often the
//! wrong candidate is named: as often as stated if that holds, and if the batch dealt before the verdict is still played.

use super::linear_constraint::Empirical;
use super::normal::{Z_95, cumulative};
use super::root::bisect;
use super::{NormalizedElo, Pentanomial, Score};

/// Each candidate counts this many extra pairs with the pooled results of all candidates, so that its variance is not 0.
const PRIOR_PAIRS: f64 = 4.0;

/// Extra pairs that are added to the pooled results: those of two equal engines that draw half of their games.
const PRIOR_RESULTS: [f64; 5] = [0.25, 1.0, 1.5, 1.0, 0.25];

/// The minimum number of pairs per candidate in a batch. Every candidate first plays two batches of this size.
const PAIRS_OF_BATCH: u64 = 4;

/// A batch has at most this fraction of the pairs dealt before, except for the first batches.
const PART_OF_BATCH: u64 = 20;

/// A base is out of reach if candidates lose, or win, less than this share of the points.
const BEYOND: f64 = 0.2;

/// Steps of the integral to each side; `STEP` is the size of a step in standard deviations.
const STEPS: i32 = 48;
const STEP: f64 = 0.125;

/// Bisection steps of the search for the variance of the candidates.
const BISECTIONS: u32 = 40;

/// When a search for the best of several candidates ends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BestRule {
    /// The margin, in normalized Elo: by how much the named candidate may be worse than the true best.
    pub within: f64,
    /// The required probability, from 0 to 1, that it is not worse by more than the margin.
    pub sure: f64,
}

/// The estimate of a candidate from its pairs against the base.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct CandidateStanding {
    /// The estimated difference to the base, shrunk towards the mean of all candidates if there are few pairs.
    pub nelo: NormalizedElo,
    /// Half the width of its 95% interval, in normalized Elo.
    pub margin: f64,
    /// The probability that no other candidate is better by more than the margin, from 0 to 1.
    pub probability: f64,
}

/// Why a base cannot tell candidates apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum OutOfReach {
    /// The best candidates win nearly all games.
    TooWeak,
    /// All candidates lose nearly all games.
    TooStrong,
}

impl BestRule {
    /// Whether the margin is positive and finite and the probability is between 0 and 1, exclusive.
    pub fn is_valid(&self) -> bool {
        self.within > 0.0 && self.within.is_finite() && self.sure > 0.0 && self.sure < 1.0
    }

    /// The estimate of each candidate from its pairs against the base.
    ///
    /// ```
    /// use stats::{BestRule, Pentanomial};
    ///
    /// let rule = BestRule { within: 10.0, sure: 0.95 };
    /// assert_eq!(rule.batch(&[Pentanomial::default(); 2], &[0, 0], 4), [0, 1, 0, 1]);
    /// // The pairs of two candidates against the base, by points.
    /// let counts = [[0, 20, 160, 20, 0], [5, 60, 130, 5, 0]].map(Pentanomial::new);
    /// let standings = rule.standings(&counts);
    /// assert!(standings[0].nelo > standings[1].nelo && rule.is_sure(&counts));
    /// ```
    pub fn standings(&self, counts: &[Pentanomial]) -> Vec<CandidateStanding> {
        let known: Vec<Known> = known(counts, self.within);
        let standing = |index: usize| CandidateStanding {
            nelo: NormalizedElo::new(known[index].mean),
            margin: Z_95 * known[index].error(),
            probability: self.probability(&known, index),
        };
        (0..known.len()).map(standing).collect()
    }

    /// Whether the leader is within the margin of the best, with the required probability.
    pub fn is_sure(&self, counts: &[Pentanomial]) -> bool {
        let known = known(counts, self.within);
        !known.is_empty() && self.probability(&known, leader(&known)) >= self.sure
    }

    /// Whether the base is too weak or too strong to tell the candidates apart: the whole 95% intervals of the two best scores
    /// are above four fifths of the points, or below one fifth. There, candidates need several times the games, and the wrong
    /// one was named more often than allowed (`results/best-of-distant.csv`).
    pub fn is_base_out_of_reach(counts: &[Pentanomial]) -> Option<OutOfReach> {
        let mut scores: Vec<Score> = counts.iter().map(Pentanomial::score).collect();
        scores.sort_by(|one, other| other.mean().total_cmp(&one.mean()));
        let first = scores.get(..2)?;
        let all = |is_beyond: fn((f64, f64)) -> bool| first.iter().all(|score| is_beyond(score.interval()));
        if all(|(lower, _)| lower > 1.0 - BEYOND) {
            return Some(OutOfReach::TooWeak);
        }
        all(|(_, upper)| upper < BEYOND).then_some(OutOfReach::TooStrong)
    }

    /// The candidates that play the pairs of the next batch, at most `most`, one entry per pair. `counts` are the known
    /// results; `dealt` counts all pairs dealt to each candidate, with or without a result.
    pub fn batch(&self, counts: &[Pentanomial], dealt: &[u64], most: u64) -> Vec<usize> {
        let (mut known, mut dealt) = (known(counts, self.within), dealt.to_vec());
        let (all, candidates) = (dealt.iter().sum::<u64>(), dealt.len() as u64);
        let size = (all / PART_OF_BATCH).max(PAIRS_OF_BATCH * candidates).min(most);
        let leader = leader(&known);
        let next = |_| {
            for (known, &dealt) in known.iter_mut().zip(&dealt) {
                known.pairs = dealt as f64 + PRIOR_PAIRS;
            }
            let fewest = (0..dealt.len()).min_by_key(|&candidate| dealt[candidate])?;
            let next = if dealt[fewest] < 2 * PAIRS_OF_BATCH { fewest } else { self.next(&known, leader) };
            dealt[next] += 1;
            Some(next)
        };
        (0..size).map_while(next).collect()
    }

    fn next(&self, known: &[Known], leader: usize) -> usize {
        let others = || (0..known.len()).filter(|&candidate| candidate != leader);
        let squares: f64 = others().map(|candidate| known[candidate].pairs.powi(2)).sum();
        if known[leader].pairs.powi(2) < squares {
            return leader;
        }
        // The leader's lead over a candidate, plus the margin, in standard errors.
        let lead = |candidate: usize| {
            let (first, other) = (&known[leader], &known[candidate]);
            (first.mean - other.mean + self.within) / (first.variance() + other.variance()).sqrt()
        };
        others().min_by(|&one, &other| lead(one).total_cmp(&lead(other))).unwrap_or(leader)
    }

    /// The probability that no other candidate is better than this one by more than the margin.
    fn probability(&self, known: &[Known], index: usize) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for step in -STEPS..=STEPS {
            let z = f64::from(step) * STEP;
            let (weight, bound) =
                ((-z * z / 2.0).exp(), known[index].mean + z * known[index].error() + self.within);
            let others = known.iter().enumerate().filter(|(other, _)| *other != index);
            let below = others.map(|(_, it)| cumulative((bound - it.mean) / it.error()));
            sum += weight * below.product::<f64>();
            weights += weight;
        }
        sum / weights
    }
}

/// The estimate of a candidate's difference to the base, as a normal distribution.
struct Known {
    /// The mean in normalized Elo.
    mean: f64,
    /// The variance of an estimate from a single pair.
    of_pair: f64,
    pairs: f64,
    /// The variance of the candidates' true differences.
    spread: f64,
}

impl Known {
    fn variance(&self) -> f64 {
        1.0 / (self.pairs / self.of_pair + 1.0 / self.spread)
    }

    fn error(&self) -> f64 {
        self.variance().sqrt()
    }
}

fn known(counts: &[Pentanomial], least_spread: f64) -> Vec<Known> {
    let all: Pentanomial = counts.iter().copied().sum();
    let pooled: [f64; 5] = std::array::from_fn(|i| all.counts()[i] as f64 + PRIOR_RESULTS[i]);
    let total: f64 = pooled.iter().sum();
    let estimate = |counts: &Pentanomial| {
        let pairs = counts.pairs() as f64 + PRIOR_PAIRS;
        let share = |i: usize| (counts.counts()[i] as f64 + PRIOR_PAIRS * pooled[i] / total) / pairs;
        let results: Empirical<5> = Empirical { shares: std::array::from_fn(share), observations: pairs };
        let (mean, deviation) = results.mean_and_deviation();
        let lead = (mean - 0.5) / deviation;
        // The contribution of a pair to a t-value: to the mean, minus its effect on the deviation (Van den Bergh, "Comments on
        // normalized Elo"). Far from a score of ½ the latter dominates.
        let adds = |worth: f64| {
            let own = (worth - mean) / deviation;
            own - lead / 2.0 * (own * own - 1.0)
        };
        let parts = results.shares.iter().zip(Empirical::<5>::worths());
        let variance: f64 = parts.map(|(share, worth)| share * adds(worth).powi(2)).sum();
        let per_pair = NormalizedElo::from_t_value((variance / 2.0).sqrt()).value();
        let mean = NormalizedElo::from_t_value(lead / 2_f64.sqrt()).value();
        Known { mean, of_pair: per_pair.powi(2), pairs, spread: f64::INFINITY }
    };
    let mut known: Vec<Known> = counts.iter().map(estimate).collect();
    let spread = spread(&known).max(least_spread.powi(2));
    let centre = centre(&known, spread);
    for known in &mut known {
        known.mean = centre + (known.mean - centre) * spread / (spread + known.variance());
        known.spread = spread;
    }
    known
}

/// The weighted mean of all candidates, if `spread` is the variance of their true differences.
fn centre(known: &[Known], spread: f64) -> f64 {
    let weights = || known.iter().map(|known| 1.0 / (known.variance() + spread));
    weights().zip(known).map(|(weight, known)| weight * known.mean).sum::<f64>() / weights().sum::<f64>()
}

/// The variance of the candidates' true differences (Paule and Mandel, 1982): the one for which the squared deviations from the
/// mean, in standard errors, add up to the number of candidates minus one. 0 if they are always less.
fn spread(known: &[Known]) -> f64 {
    let is_below = |spread: f64| {
        let centre = centre(known, spread);
        let squares = known.iter().map(|known| (known.mean - centre).powi(2) / (known.variance() + spread));
        squares.sum::<f64>() > known.len() as f64 - 1.0
    };
    bisect((0.0, 1e6), BISECTIONS, is_below).0
}

/// The candidate with the greatest difference; the first one in case of a tie.
fn leader(known: &[Known]) -> usize {
    (0..known.len()).rev().max_by(|&one, &other| known[one].mean.total_cmp(&known[other].mean)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const RULE: BestRule = BestRule { within: 40.0, sure: 0.9 };

    #[test]
    fn who_may_be_the_best_plays_more_and_nobody_is_left_out_at_first() {
        assert_eq!(RULE.batch(&[Pentanomial::default(); 2], &[0, 0], 100), [0, 1, 0, 1, 0, 1, 0, 1]);
        let counts = [[0, 10, 80, 10, 0], [30, 40, 30, 0, 0], [0, 9, 80, 11, 0]].map(Pentanomial::new);
        let batch = RULE.batch(&counts, &[100, 100, 150], 100);
        let pairs = |candidate| batch.iter().filter(|&&dealt| dealt == candidate).count();
        assert!(batch.len() == 17 && pairs(1) == 0 && pairs(0) > 0 && pairs(2) > 0, "{batch:?}");
        assert_eq!(RULE.batch(&counts, &[100; 3], 1).len(), 1);
        let [even, worse, best] = RULE.standings(&counts)[..] else { panic!("three candidates") };
        assert!(best.nelo > even.nelo && worse.probability < 0.01 && even.probability > 0.5, "{even:?}");
        assert!(best.probability > even.probability && best.nelo.value() < 10.0, "{best:?}");
    }

    /// With these counts, an earlier version called the weakest of three the best.
    #[test]
    fn where_nearly_all_games_are_won_nobody_is_the_best() {
        let counts = [[0, 0, 1, 1, 206], [0, 0, 2, 2, 202], [0, 0, 0, 1, 30]].map(Pentanomial::new);
        let rule = BestRule { within: 3.0, sure: 0.9 };
        assert!(!rule.is_sure(&counts), "{:?}", rule.standings(&counts));
        assert_eq!(BestRule::is_base_out_of_reach(&counts), Some(OutOfReach::TooWeak));
        let reversed = counts.map(|counts| counts.reversed());
        assert_eq!(BestRule::is_base_out_of_reach(&reversed[..2]), Some(OutOfReach::TooStrong));
        // A candidate that is far better than the others is the best.
        let one = [counts[0], Pentanomial::new([2, 20, 40, 20, 2])];
        assert_eq!((BestRule::is_base_out_of_reach(&one), rule.is_sure(&one)), (None, true));
        assert_eq!(BestRule::is_base_out_of_reach(&[Pentanomial::default(); 2]), None);
    }

    #[test]
    fn of_two_candidates_the_probability_is_that_of_their_difference() {
        let counts = [Pentanomial::new([0, 50, 100, 50, 0]); 2];
        let [one, other] = RULE.standings(&counts)[..] else { panic!("two") };
        let error = one.margin / Z_95 * 2_f64.sqrt();
        let expected = cumulative(RULE.within / error);
        assert!((one.probability - expected).abs() < 1e-6 && one == other, "{one:?} {expected}");
    }

    /// Six candidates, given by pairs won minus pairs lost as shares; only the second is about within the margin of the first.
    fn play(is_equal: bool, seed: u64) -> (u64, usize) {
        let leads = [0.15, 0.09, 0.06, 0.0, -0.09, -0.12];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut counts = vec![Pentanomial::default(); leads.len()];
        while !RULE.is_sure(&counts) || counts[0].pairs() == 0 {
            let dealt: Vec<u64> = counts.iter().map(Pentanomial::pairs).collect();
            for (place, candidate) in RULE.batch(&counts, &dealt, u64::MAX).into_iter().enumerate() {
                let candidate = if is_equal { place % leads.len() } else { candidate };
                let drawn = f64::from(random.next_u32()) / 2f64.powi(32);
                let (lost, won) = (0.2 - leads[candidate] / 2.0, 0.8 - leads[candidate] / 2.0);
                let mut pair = [0; 5];
                pair[1 + usize::from(drawn >= lost) + usize::from(drawn >= won)] = 1;
                counts[candidate] += Pentanomial::new(pair);
            }
        }
        (counts.iter().map(Pentanomial::pairs).sum(), leader(&known(&counts, RULE.within)))
    }

    #[test]
    fn the_best_is_found_in_fewer_games_than_by_equal_shares_and_as_surely_as_asked_for() {
        const RUNS: u64 = 200;
        let all = [false, true].map(|is_equal| {
            let played: Vec<(u64, usize)> = (0..RUNS).map(|seed| play(is_equal, seed)).collect();
            let wrong = played.iter().filter(|(_, best)| *best > 1).count() as f64 / RUNS as f64;
            (played.iter().map(|(pairs, _)| pairs).sum::<u64>() as f64 / RUNS as f64, wrong)
        });
        let [(pairs, wrong), (equal, _)] = all;
        // One in ten plus three standard errors.
        assert!(wrong < 0.1 + 3.0 * (0.09 / RUNS as f64).sqrt() && pairs < 0.8 * equal, "{all:?}");
    }
}
