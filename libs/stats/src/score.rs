//! The mean score of a match with its moments, the basis of all estimates.

use super::normal::{Z_95, cumulative};
use super::posterior::{Posterior, RESULTS};

/// The probability that a 95% interval misses on one particular side.
pub(super) const MISS_ON_ONE_SIDE: f64 = 0.025;

/// Up to the first coarseness the interval is the normal approximation, from the second on the posterior's.
const COARSE: [f64; 2] = [0.4, 2.0];

/// The same limits for t-values, whose normal approximation is worse.
const COARSE_T: [f64; 2] = [0.1, 0.5];

/// Up to the first number of results the interval is always the posterior's; from the second, only coarseness decides.
const FEWEST: [f64; 2] = [30.0, 60.0];

/// The first engine's mean score per game, and the spread of the observations that it was computed from.
///
/// An observation is a game ([`Wdl::score`](super::Wdl::score)) or an opening pair
/// ([`Pentanomial::score`](super::Pentanomial::score)). A pair's score is the mean of its two games, so all scores are
/// between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    counts: [f64; RESULTS],
    observations: u64,
    games_per_observation: u32,
    mean: f64,
    variance: f64,
    skewness: f64,
    kurtosis: f64,
    uniform: bool,
}

impl Score {
    /// The score of observations whose worths are evenly spaced from 0 (first count) to 1 (last count).
    pub(super) fn of_counts<const N: usize>(counts: &[u64; N], games_per_observation: u32) -> Score {
        let observations = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        let total: f64 = counts.iter().map(|&count| count as f64).sum();
        let expectation = |of: &dyn Fn(f64) -> f64| -> f64 {
            let worth = |i: usize| i as f64 / (N - 1) as f64;
            counts.iter().enumerate().map(|(i, &count)| count as f64 / total * of(worth(i))).sum()
        };
        let uniform = counts.iter().filter(|&&count| count > 0).count() <= 1;
        let mean = if observations == 0 { 0.5 } else { expectation(&|worth| worth) };
        let mut of_results = [0.0; RESULTS];
        for (i, &count) in counts.iter().enumerate() {
            of_results[i * (RESULTS - 1) / (N - 1)] = count as f64;
        }
        let mut score = Score {
            counts: of_results,
            observations,
            games_per_observation,
            mean,
            variance: 0.0,
            skewness: 0.0,
            kurtosis: 1.0,
            uniform,
        };
        if !uniform {
            score.variance = expectation(&|worth| (worth - mean).powi(2));
            let deviation = score.variance.sqrt();
            score.skewness = expectation(&|worth| ((worth - mean) / deviation).powi(3));
            score.kurtosis = expectation(&|worth| ((worth - mean) / deviation).powi(4));
        }
        score
    }

    #[must_use]
    pub(super) fn reversed(&self) -> Score {
        let mut counts = self.counts;
        counts.reverse();
        Score { counts, mean: 1.0 - self.mean, skewness: -self.skewness, ..*self }
    }

    /// The number of games or pairs.
    pub const fn observations(&self) -> u64 {
        self.observations
    }

    /// The mean score per game, from 0 to 1; ½ without games.
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance of one observation's score, which is a game's score or the mean of a pair's two games.
    pub const fn variance_per_observation(&self) -> f64 {
        self.variance
    }

    /// The variance per game, as if games were independent with the same spread of observations.
    pub fn variance_per_game(&self) -> f64 {
        self.variance * f64::from(self.games_per_observation)
    }

    /// The standard error of [`mean`](Score::mean); 0 if all observations are equal.
    pub fn standard_error(&self) -> f64 {
        if self.observations == 0 { 0.0 } else { (self.variance / self.observations as f64).sqrt() }
    }

    /// The standard error of the mean. If all observations are equal, their spread is 0 but the uncertainty is not; then
    /// this is the error whose 95% interval is as wide as [`interval`](Score::interval).
    pub fn cautious_error(&self) -> f64 {
        if !self.uniform {
            return self.standard_error();
        }
        let (lower, upper) = self.interval();
        (upper - lower) / (2.0 * Z_95)
    }

    /// The 95% interval of the mean score; it is within 0 to 1 and contains the mean.
    ///
    /// For many results it is the normal approximation; for few or lopsided ones, the interval of the module `posterior`.
    /// A better result lowers neither end.
    pub fn interval(&self) -> (f64, f64) {
        self.ends(
            self.mean,
            |sign| (self.mean + sign * Z_95 * self.standard_error()).clamp(0.0, 1.0),
            |posterior, sign| posterior.mean(sign * Z_95),
            |far, unseen| far * (1.0 - unseen),
            COARSE,
        )
    }

    /// The 95% interval of the [t-value](Score::t_value), made like the [interval](Score::interval) of the mean.
    pub(super) fn t_value_interval(&self) -> (f64, f64) {
        let games = f64::from(self.games_per_observation).sqrt();
        self.ends(
            self.t_value(),
            |sign| self.t_value() + sign * Z_95 * self.t_value_error(),
            |posterior, sign| posterior.t_value(sign * Z_95) / games,
            |far, unseen| (far * (1.0 - unseen) - 0.5) / (far * (unseen * (1.0 - unseen)).sqrt() * games),
            COARSE_T,
        )
    }

    /// An interval around an estimate, by the normal approximation, by the posterior, or interpolated between them.
    ///
    /// Each end reaches as far as unseen results may move it. With a probability of 2.5%, n results leave a share of 1 −
    /// 0.025^(1/n) unseen (Clopper and Pearson 1934). For the lower end, that share is lost and all other results are as
    /// good as the best one seen: `unseen_lost`, of that result's worth and the share. The upper end mirrors it.
    fn ends(
        &self,
        estimate: f64,
        normal: impl Fn(f64) -> f64,
        posterior: impl Fn(&Posterior, f64) -> f64,
        unseen_lost: impl Fn(f64, f64) -> f64,
        coarse: [f64; 2],
    ) -> (f64, f64) {
        let is_mean = coarse == COARSE;
        let (least, most) = if is_mean { (0.0, 1.0) } else { (f64::NEG_INFINITY, f64::INFINITY) };
        let mirrored = |end: f64| if is_mean { 1.0 - end } else { -end };
        if self.observations == 0 {
            return (least, most);
        }
        let unseen = -(MISS_ON_ONE_SIDE.ln() / self.observations as f64).exp_m1();
        let seen = |result: &usize| self.counts[*result] > 0.0;
        let worth = |result: Option<usize>| result.map_or(0.0, |result| result as f64 / (RESULTS - 1) as f64);
        let (best, worst) = (worth((0..RESULTS).rfind(seen)), worth((0..RESULTS).find(seen)));
        let lost = || unseen_lost(best, unseen);
        // A win for one side is a loss for the other.
        let won = || mirrored(unseen_lost(1.0 - worst, unseen));
        let of = |sign: f64| posterior(&Posterior::new(&self.counts, sign < 0.0), sign);
        let lower =
            self.between(coarse, || normal(-1.0), || if best > 0.0 { of(-1.0).min(lost()) } else { least });
        let upper =
            self.between(coarse, || normal(1.0), || if worst < 1.0 { of(1.0).max(won()) } else { most });
        (lower.min(estimate), upper.max(estimate))
    }

    fn between(&self, [few, many]: [f64; 2], normal: impl Fn() -> f64, exact: impl Fn() -> f64) -> f64 {
        // The square of the half-intervals by which one result can move the mean; infinite if all are equal.
        let farthest = self.mean.max(1.0 - self.mean);
        let coarseness = (Z_95 * farthest).powi(2) / (self.variance * self.observations as f64);
        let by_number = (FEWEST[1] - self.observations as f64) / (FEWEST[1] - FEWEST[0]);
        match ((coarseness / few).ln() / (many / few).ln()).max(by_number).clamp(0.0, 1.0) {
            weight if weight <= 0.0 => normal(),
            weight if weight >= 1.0 => exact(),
            weight => (1.0 - weight) * normal() + weight * exact(),
        }
    }

    /// Whether all observations have the same score, or there are none.
    pub(super) const fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// The mean's lead over ½ in standard deviations of a game: the t-value that normalized Elo rescales. Infinite if the
    /// spread is 0 and the mean is not ½.
    pub(super) fn t_value(&self) -> f64 {
        let lead = self.mean - 0.5;
        if lead == 0.0 { 0.0 } else { lead / self.variance_per_game().sqrt() }
    }

    /// The standard error of [`t_value`](Score::t_value) by the delta method, which includes the uncertainty of the
    /// standard deviation: √((1 − t·γ + t²·(κ − 1)/4) / n), where t is the lead in deviations of one observation, γ the
    /// skewness and κ the kurtosis (Van den Bergh, "Comments on normalized Elo"). Meaningless for uniform scores.
    pub(super) fn t_value_error(&self) -> f64 {
        let games = f64::from(self.games_per_observation);
        let t = self.t_value() * games.sqrt();
        let spread = (1.0 - t * self.skewness + t * t * (self.kurtosis - 1.0) / 4.0).max(0.0);
        (spread / (self.observations as f64 * games)).sqrt()
    }

    pub(super) const fn games_per_observation(&self) -> u32 {
        self.games_per_observation
    }
}

/// The probability, from 0 to 1, that the first engine is the stronger one, given its score.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, derive_more::Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Los(f64);

impl Los {
    /// Φ((score − ½) / standard error) for many results; ½ without games.
    ///
    /// For few or lopsided results, the mean of two Dirichlet distributions: with an extra loss, and with an extra win.
    /// After n wins in n games this equals a coin of unknown bias with a uniform prior, 1 − 2^−(n+1).
    pub fn new(score: &Score) -> Los {
        let lead = score.mean() - 0.5;
        if score.is_uniform() && lead == 0.0 {
            return Los(0.5);
        }
        if score.is_uniform() {
            let doubt = 0.5 * (-(score.observations() as f64)).exp2();
            return Los(if lead > 0.0 { 1.0 - doubt } else { doubt });
        }
        let of_prior =
            |is_lower| cumulative(-Posterior::with_unseen(&score.counts, is_lower, 1.0).tail_at_half());
        Los(score.between(
            COARSE,
            || cumulative(lead / score.standard_error()),
            || f64::midpoint(of_prior(true), of_prior(false)),
        ))
    }

    /// Φ(difference / standard error). If the error is 0, the sign of the difference decides; ½ for no difference.
    pub(super) fn of_difference(difference: f64, standard_error: f64) -> Los {
        Los(if difference == 0.0 { 0.5 } else { cumulative(difference / standard_error) })
    }

    pub(super) const fn of_probability(probability: f64) -> Los {
        Los(probability)
    }

    /// The probability, from 0 to 1.
    pub const fn probability(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Wdl};

    #[test]
    fn games_and_pairs_of_independent_games_agree_on_the_variance_per_game() {
        // Pairs of two independent games with win, draw and loss at 1/4, 1/2, 1/4 are distributed as 1 : 4 : 6 : 4 : 1.
        let games = Wdl::new(25, 50, 25).score();
        let pairs = Pentanomial::new([1, 4, 6, 4, 1]).score();
        assert!((games.variance_per_game() - 0.125).abs() < 1e-12);
        assert!((pairs.variance_per_game() - 0.125).abs() < 1e-12);
        assert!((pairs.variance_per_observation() - 0.0625).abs() < 1e-12);
    }

    #[test]
    fn without_a_spread_the_interval_is_clopper_and_pearsons_or_narrows_with_the_draws() {
        // Ten wins in ten games: the exact lower end of the two-sided 95% interval is 0.6915 (Clopper and Pearson 1934).
        let (lower, upper) = Wdl::new(10, 0, 0).score().interval();
        assert!((lower - 0.6915).abs() < 5e-5);
        assert!(upper >= 1.0);
        let [none, few, many] = [0, 3, 3000].map(|draws| Wdl::new(0, draws, 0).score().interval());
        assert!(none == (0.0, 1.0) && few.0 < 0.25 && many.0 > 0.499);
    }

    #[test]
    fn the_cautious_error_is_that_of_the_spread_where_there_is_one() {
        let spread = Wdl::new(3, 4, 3).score();
        assert!((spread.cautious_error() - spread.standard_error()).abs() < 1e-12);
        let [few, many] = [4, 400].map(|draws| Wdl::new(0, draws, 0).score().cautious_error());
        assert!(few > 0.1 && many > 0.0 && many < 0.01);
    }

    #[test]
    fn who_is_stronger_is_even_without_a_lead_and_one_win_is_not_certainty() {
        for wdl in [Wdl::default(), Wdl::new(0, 7, 0), Wdl::new(3, 1, 3)] {
            assert!((Los::new(&wdl.score()).probability() - 0.5).abs() < 1e-12);
        }
        assert!((Los::new(&Wdl::new(1, 0, 0).score()).probability() - 0.75).abs() < 1e-12);
        assert!((Los::new(&Wdl::new(0, 0, 2).score()).probability() - 0.125).abs() < 1e-12);
    }
}
