//! The generalized sequential probability ratio test.
//!
//! H0 says that the difference is `elo0`, H1 that it is `elo1`. The rest of the distribution of results is unknown, so
//! each hypothesis is represented by its most likely distribution given the data (Van den Bergh, "A practical introduction
//! to the GSPRT"). With N observations and D(H) the divergence of the data from that distribution, the log-likelihood
//! ratio is N·(D(H0) − D(H1)).

mod bounds;
mod budget;
mod course;
#[cfg(test)]
mod coverage;
mod estimate;
mod first_passage;
mod forecast;
mod llr;
mod llr_steps;
mod mixture;
mod observations;
mod remainder;
mod result_shares;
mod simulated_test;

use thiserror::Error;

use self::mixture::mixture_ratio;
use super::linear_constraint::{EMPTY_CELL, Empirical};
use super::{Elo, NormalizedElo, Pentanomial, Wdl, linear_constraint, t_value_constraint};

pub use bounds::SprtBounds;
pub use budget::SprtBudget;
pub use course::SprtCourse;
pub use estimate::{SprtEstimate, SprtFutility};
pub use forecast::SprtForecast;
pub use llr::Llr;
pub use observations::Observations;
pub use result_shares::ResultShares;

/// A sequential test of H0 (the difference is `elo0`) against H1 (it is `elo1`), with valid parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(try_from = "Parameters", into = "Parameters"))]
pub struct Sprt {
    parameters: Parameters,
}

/// The smallest error probability for which there are curved bounds.
const LEAST_OF_CURVED: f64 = 1e-6;

/// The parameters as they are written down, valid or not.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct Parameters {
    /// The difference that H0 claims.
    elo0: f64,
    /// The difference that H1 claims.
    elo1: f64,
    /// The probability of accepting H1 when H0 holds.
    alpha: f64,
    /// The probability of accepting H0 when H1 holds.
    beta: f64,
    /// The scale of the two differences.
    model: SprtModel,
    /// The bounds of the ratio; missing for Wald's bounds.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "SprtTest::is_wald"))]
    test: SprtTest,
    /// Whether the test uses a mixture of differences; missing if it does not.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    mixture: bool,
    /// Whether the hypotheses are in `BayesElo`, as in cutechess-cli; missing if they are not.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    bayes_elo: bool,
}

/// All problems with the parameters of a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", problems.join("; "))]
pub struct InvalidSprt {
    /// The problems, at least one, in the order of the parameters.
    pub problems: Vec<String>,
}

impl Sprt {
    /// The default probability of accepting H1 when H0 holds.
    pub const DEFAULT_ALPHA: f64 = 0.05;

    /// The default probability of accepting H0 when H1 holds.
    pub const DEFAULT_BETA: f64 = 0.05;

    /// The largest absolute value of a bound, in Elo of either model; in logistic Elo it is a score of 0.9997.
    pub const MAX_BOUND: f64 = 1400.0;

    /// A test of `elo0` against `elo1`, both in Elo of the `model`.
    ///
    /// `alpha` is the probability of accepting H1 if H0 holds, `beta` the probability of accepting H0 if H1 holds.
    ///
    /// # Errors
    /// Every problem: a bound beyond ±[`MAX_BOUND`](Sprt::MAX_BOUND), `elo0` not below `elo1`, `alpha` or `beta` not
    /// strictly between 0 and 1, or their sum not below 1.
    ///
    /// ```
    /// let test = stats::Sprt::new(0.0, 10.0, 0.05, 0.05, stats::SprtModel::Logistic)?;
    /// assert!(test.llr_of_games(&stats::Wdl::new(600, 1000, 400)) > test.upper());
    /// # Ok::<(), stats::InvalidSprt>(())
    /// ```
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Sprt, InvalidSprt> {
        let test = SprtTest::Wald;
        Sprt::try_from(Parameters { elo0, elo1, alpha, beta, model, test, mixture: false, bayes_elo: false })
    }

    /// The test with other [bounds](Sprt::bounds) of the ratio. A mixture and the test of cutechess-cli always have Wald's
    /// bounds.
    #[must_use]
    pub const fn with_test(self, test: SprtTest) -> Sprt {
        Sprt { parameters: Parameters { test, ..self.parameters } }
    }

    /// Whether the bounds are curved. They are fitted to error probabilities from 1e-6; below, Wald's are used.
    pub fn is_curved(&self) -> bool {
        let Parameters { test, mixture, alpha, beta, .. } = self.parameters;
        test == SprtTest::Curved && !mixture && !self.is_in_bayes_elo() && alpha.min(beta) >= LEAST_OF_CURVED
    }

    /// The test by a mixture of differences: a difference far beyond the bounds is decided in far fewer games, one between
    /// the bounds in somewhat more (see the module `mixture` for the formula).
    #[must_use]
    pub const fn with_mixture(self, mixture: bool) -> Sprt {
        Sprt { parameters: Parameters { mixture, ..self.parameters } }
    }

    /// Whether the test is by a [mixture](Sprt::with_mixture).
    pub const fn is_mixture(&self) -> bool {
        self.parameters.mixture
    }

    /// The test of cutechess-cli: given single games, each hypothesis is a distribution of the `BayesElo` model with the
    /// draw rate of the data, after half a game is added to each result (`sprt.cpp`). It ignores pairs and mixtures.
    #[must_use]
    pub const fn with_bayes_elo(self) -> Sprt {
        Sprt { parameters: Parameters { bayes_elo: true, ..self.parameters } }
    }

    /// The test with another alpha, which must be smaller.
    pub(crate) const fn with_alpha(self, alpha: f64) -> Sprt {
        Sprt { parameters: Parameters { alpha, ..self.parameters } }
    }

    /// The difference that H0 claims, in Elo of the [`model`](Sprt::model).
    pub const fn elo0(&self) -> f64 {
        self.parameters.elo0
    }

    /// The difference that H1 claims, in Elo of the [`model`](Sprt::model).
    pub const fn elo1(&self) -> f64 {
        self.parameters.elo1
    }

    /// The probability of accepting H1 when H0 holds.
    pub const fn alpha(&self) -> f64 {
        self.parameters.alpha
    }

    /// The probability of accepting H0 when H1 holds.
    pub const fn beta(&self) -> f64 {
        self.parameters.beta
    }

    /// The scale of the two differences.
    pub const fn model(&self) -> SprtModel {
        self.parameters.model
    }

    /// The ratio at which Wald's test accepts H0: ln(β / (1 − α)), which is negative.
    pub fn lower(&self) -> Llr {
        Llr::new((self.beta() / (1.0 - self.alpha())).ln())
    }

    /// The ratio at which Wald's test accepts H1: ln((1 − β) / α), which is positive.
    pub fn upper(&self) -> Llr {
        Llr::new(((1.0 - self.beta()) / self.alpha()).ln())
    }

    /// The log-likelihood ratio of opening pairs: finite for all counts, 0 without pairs.
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> Llr {
        self.llr(&pairs.counts(), 2)
    }

    /// The log-likelihood ratio of single games, assumed independent: finite for all counts; 0 without games, except in
    /// cutechess-cli's test.
    pub fn llr_of_games(&self, games: &Wdl) -> Llr {
        if self.is_in_bayes_elo() {
            return self.bayes_elo_llr(games);
        }
        self.llr(&games.by_worth(), 1)
    }

    /// Whether the hypotheses are in `BayesElo`, as in cutechess-cli or in the old fishtest.
    pub(super) const fn is_in_bayes_elo(&self) -> bool {
        self.parameters.bayes_elo || matches!(self.parameters.model, SprtModel::Bayesian)
    }

    /// An empty count is a thousandth of a game in fishtest; cutechess-cli adds half a game to every count.
    pub(super) fn bayes_elo_counts(&self, games: &Wdl) -> [f64; 3] {
        let is_cutechess = self.parameters.bayes_elo;
        games.by_worth().map(|count| match count {
            count if is_cutechess => count as f64 + 0.5,
            0 => EMPTY_CELL,
            count => count as f64,
        })
    }

    /// The shares of losses, draws and wins at a difference in Elo. With the draw Elo of the data, 200·log₁₀((1 − l)/l ·
    /// (1 − w)/w), a game is won with probability 1 / (1 + 10^((draw Elo − Elo)/400)). cutechess-cli scales its bounds so
    /// that one `BayesElo` is about one logistic Elo.
    pub(super) fn bayes_elo_shares(&self, counts: &[f64; 3], elo: f64) -> [f64; 3] {
        let [losses, draws, wins] = *counts;
        // The square of 10^(draw Elo / 400), minus 1.
        let decisive = draws / losses * ((losses + draws + wins) / wins);
        let root = (1.0 + decisive).sqrt();
        let scale = if self.parameters.bayes_elo { 4.0 * root / (1.0 + root).powi(2) } else { 1.0 };
        let odds = 10.0_f64.powf(elo / scale / 400.0);
        let (win, loss) = (odds / (odds + root), 1.0 / (1.0 + odds * root));
        [loss, decisive * win * loss, win]
    }

    fn bayes_elo_llr(&self, games: &Wdl) -> Llr {
        if games.games() == 0 && !self.parameters.bayes_elo {
            return Llr::default();
        }
        let counts = self.bayes_elo_counts(games);
        let [h0, h1] = [self.elo0(), self.elo1()].map(|elo| self.bayes_elo_shares(&counts, elo));
        let terms = counts.iter().zip(h0.iter().zip(h1)).map(|(count, (h0, h1))| count * (h1 / h0).ln());
        Llr::new(terms.sum())
    }

    /// The two hypotheses for an observation of this many games: a mean score in the logistic model, a t-value in the
    /// normalized one.
    pub(super) fn hypotheses(&self, games_per_observation: u32) -> (f64, f64) {
        let of = |elo| self.model().hypothesis(elo, games_per_observation);
        (of(self.elo0()), of(self.elo1()))
    }

    fn llr<const N: usize>(&self, counts: &[u64; N], games_per_observation: u32) -> Llr {
        let Some(data) = Empirical::of_counts(counts) else { return Llr::default() };
        let divergence = |elo: f64| {
            let hypothesis = self.model().hypothesis(elo, games_per_observation);
            match self.model() {
                SprtModel::Logistic | SprtModel::Bayesian => linear_constraint::divergence(
                    &data.shares,
                    &Empirical::<N>::worths().map(|worth| worth - hypothesis),
                ),
                SprtModel::Normalized => t_value_constraint::divergence(&data, hypothesis),
            }
        };
        Llr::new(self.ratio(data.observations, divergence))
    }

    /// The ratio, given the number of observations and the divergence of one observation from a difference in Elo.
    pub(super) fn ratio(&self, observations: f64, divergence: impl Fn(f64) -> f64) -> f64 {
        if self.is_mixture() {
            mixture_ratio(self.elo0(), self.elo1(), |elo| observations * divergence(elo))
        } else {
            observations * (divergence(self.elo0()) - divergence(self.elo1()))
        }
    }
}

impl From<Sprt> for Parameters {
    fn from(sprt: Sprt) -> Parameters {
        sprt.parameters
    }
}

impl TryFrom<Parameters> for Sprt {
    type Error = InvalidSprt;

    fn try_from(parameters: Parameters) -> Result<Sprt, InvalidSprt> {
        let Parameters { elo0, elo1, alpha, beta, .. } = parameters;
        let is_probability = |p: f64| p > 0.0 && p < 1.0;
        let mut problems = Vec::new();
        for bound in [elo0, elo1] {
            if bound.is_nan() || bound.abs() > Sprt::MAX_BOUND {
                let limit = Sprt::MAX_BOUND;
                problems.push(format!("SPRT bound {bound} must lie between -{limit} and {limit}"));
            }
        }
        if elo0 >= elo1 {
            let expected = "the first SPRT bound must be below the second";
            problems.push(format!("{expected}, but they are {elo0} and {elo1}"));
        }
        for (name, risk) in [("alpha", alpha), ("beta", beta)] {
            if !is_probability(risk) {
                let expected = format!("SPRT {name} must lie between 0 and 1, both excluded");
                problems.push(format!("{expected}, but is {risk}"));
            }
        }
        // Otherwise the lower bound of the LLR would not be below the upper one.
        let sum = alpha + beta;
        if is_probability(alpha) && is_probability(beta) && sum >= 1.0 {
            problems.push(format!("the sum of SPRT alpha and beta must be below 1, but is {sum}"));
        }
        if problems.is_empty() { Ok(Sprt { parameters }) } else { Err(InvalidSprt { problems }) }
    }
}

/// The scale of the bounds of a sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum SprtModel {
    /// Normalized Elo ([`NormalizedElo`](super::NormalizedElo)): the length of the test depends little on how
    /// drawish the games are.
    #[default]
    Normalized,
    /// Logistic Elo ([`Elo`](super::Elo)).
    Logistic,
    /// `BayesElo`, as in fishtest from 2013 to 2020 (`stat_util.py`): for single games, with the draw Elo of their
    /// results. For pairs, it is logistic Elo.
    Bayesian,
}

impl SprtModel {
    /// The estimate on the scale of the hypotheses and the variance of an observation on that scale, given the mean
    /// and variance of the results.
    pub(super) fn centre(self, mean: f64, variance: f64) -> (f64, f64) {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => (mean, variance),
            SprtModel::Normalized => ((mean - 0.5) / variance.sqrt(), 1.0),
        }
    }

    /// A difference in Elo as the mean score or the t-value of an observation of this many games.
    pub(super) fn hypothesis(self, elo: f64, games_per_observation: u32) -> f64 {
        match self {
            SprtModel::Logistic | SprtModel::Bayesian => Elo::new(elo).expected_score(),
            // The mean of two games has a standard deviation smaller by √2, so the same lead is a larger t-value.
            SprtModel::Normalized => {
                NormalizedElo::new(elo).t_value() * f64::from(games_per_observation).sqrt()
            }
        }
    }
}

/// The bounds of a sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum SprtTest {
    /// Wald's constant bounds, as in other programs: the fewest games if the truth is one of the two hypotheses.
    #[default]
    Wald,
    /// Bounds that start closer, move out, and finally meet: fewer games for any other difference.
    Curved,
}

#[cfg(feature = "serde")]
impl SprtTest {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
    fn is_wald(&self) -> bool {
        *self == SprtTest::Wald
    }
}

/// The status of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SprtStatus {
    /// Between the bounds: play on.
    Continue,
    /// At or below the lower bound: the difference is not above `elo0`.
    AcceptH0,
    /// At or above the upper bound: the difference is at least `elo1`.
    AcceptH1,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_bayes_elo_ratio_is_that_of_cutechess() {
        // As printed by cutechess-cli 1.5.1.
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap().with_bayes_elo();
        for ((wins, draws, losses), expected) in
            [((0, 4, 0), -0.00313), ((0, 12, 0), -0.0189), ((0, 0, 8), -0.142), ((0, 0, 12), -0.212)]
        {
            let llr = test.llr_of_games(&Wdl::new(wins, draws, losses)).value();
            assert!((llr / expected - 1.0).abs() < 0.004, "{llr}");
        }
    }

    fn model() -> impl Strategy<Value = SprtModel> {
        prop_oneof![Just(SprtModel::Normalized), Just(SprtModel::Logistic)]
    }

    fn sprt((elo0, elo1): (f64, f64), model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let invalid = Sprt::new(5.0, f64::NAN, 0.0, 1.5, SprtModel::Logistic).unwrap_err();
        assert_eq!(invalid.problems.len(), 3);
        let message = Sprt::new(5.0, 0.0, 0.6, 0.6, SprtModel::Normalized).unwrap_err().to_string();
        assert_eq!(
            message,
            "the first SPRT bound must be below the second, but they are 5 and 0; \
             the sum of SPRT alpha and beta must be below 1, but is 1.2"
        );
    }

    #[test]
    fn a_test_survives_json_and_a_broken_one_is_refused() {
        let sprt = sprt((0.0, 5.0), SprtModel::Normalized);
        let json = serde_json::to_string(&sprt).unwrap();
        assert_eq!(json, r#"{"elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.05,"model":"normalized"}"#);
        assert_eq!(serde_json::from_str::<Sprt>(&json).unwrap(), sprt);
        assert!(serde_json::from_str::<Sprt>(&json.replace("5.0", "-5.0")).is_err());
        let (curved, mixture) = (sprt.with_test(SprtTest::Curved), sprt.with_mixture(true));
        for (test, part) in [(curved, r#""test":"curved""#), (mixture, r#""mixture":true"#)] {
            let json = serde_json::to_string(&test).unwrap();
            assert!(json.contains(part) && serde_json::from_str::<Sprt>(&json).unwrap() == test, "{json}");
        }
    }

    #[test]
    fn bounds_are_walds_and_no_games_say_nothing() {
        let wald = Sprt::new(0.0, 3.0, 0.05, 0.10, SprtModel::Normalized).unwrap();
        assert!((wald.lower().value() + 2.2513).abs() < 1e-4);
        assert!((wald.upper().value() - 2.8904).abs() < 1e-4);
        let bounds = wald.bounds(&Observations::Games(Wdl::new(1, 2, 1)));
        assert_eq!(bounds.status(Llr::new(0.0)), SprtStatus::Continue);
        assert_eq!(bounds.status(wald.upper()), SprtStatus::AcceptH1);
        assert_eq!(bounds.status(wald.lower()), SprtStatus::AcceptH0);
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            assert_eq!(sprt((0.0, 5.0), model).llr_of_pairs(&Pentanomial::default()), Llr::new(0.0));
            assert_eq!(sprt((0.0, 5.0), model).llr_of_games(&Wdl::default()), Llr::new(0.0));
        }
    }

    proptest! {
        #[test]
        fn a_won_pair_speaks_for_h1_and_a_lost_one_for_h0(
            counts in prop::array::uniform5(1u64..2000), model in model(),
        ) {
            let sprt = sprt((0.0, 5.0), model);
            let [ll, ld, level, wd, ww] = counts;
            let now = sprt.llr_of_pairs(&Pentanomial::new(counts));
            let better = Pentanomial::new([ll, ld - 1, level, wd + 1, ww]);
            let worse = Pentanomial::new([ll, ld + 1, level, wd - 1, ww]);
            let near_level = Pentanomial::new(counts).score().t_value().abs() < 0.3;
            if near_level {
                prop_assert!(sprt.llr_of_pairs(&better) > now);
                prop_assert!(sprt.llr_of_pairs(&worse) < now);
            }
        }
    }
}
