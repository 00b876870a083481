//! The distribution of results that a simulation draws from.

use crate::linear_constraint::Empirical;
use crate::root::bisect;
use crate::{Elo, NormalizedElo, Observations, Pentanomial, SprtModel, Wdl};

/// The strongest tilt of a distribution, in natural logarithms per step of worth. It suffices for the rarest result
/// to outweigh all others.
const MAX_TILT: f64 = 100.0;

/// The largest difference in Elo if both the difference and the draw rate are assumed.
const MAX_DIFFERENCE: f64 = 10_000.0;

/// Bisection steps of a range, enough for every bit of a floating-point number.
const STEPS: u32 = 80;

/// The share of each result, from worst to best; the sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultShares {
    /// Shares of opening pairs worth 0, ½, 1, 1½ and 2 points.
    Pairs([f64; 5]),
    /// Shares of single games: losses, draws and wins.
    Games([f64; 3]),
}

impl ResultShares {
    /// The largest draw rate that may be assumed.
    pub const MAX_DRAWS: f64 = 0.999;

    /// The largest opening bias, in Elo.
    pub const MAX_BIAS: f64 = 1000.0;

    /// The distribution with the given difference that is closest to the observed one.
    ///
    /// This is the exponential tilt pᵢ ∝ p̂ᵢ·exp(θ·i) (Csiszár, "I-divergence geometry", 1975). A result that was
    /// never observed counts as a thousandth of an observation. `None` without observations.
    pub fn tilted(observations: &Observations, elo: f64, model: SprtModel) -> Option<ResultShares> {
        Some(match observations {
            Observations::Pairs(pairs) => {
                ResultShares::Pairs(tilted(&Empirical::of_counts(&pairs.counts())?.shares, 2, elo, model))
            }
            Observations::Games(games) => {
                ResultShares::Games(tilted(&Empirical::of_counts(&games.by_worth())?.shares, 1, elo, model))
            }
        })
    }

    /// The shares of opening pairs of two engines that differ by `elo` in the `model`, if equal engines drew the
    /// share `draws` of their games, and openings favour one colour by `bias` in logistic Elo.
    ///
    /// A game at a difference of x Elo is won with probability 1 / (1 + 10^((δ − x)/400)) and lost with probability 1
    /// / (1 + 10^((δ + x)/400)), where δ is the width of the draws (Rao and Kupper 1967, the model of `BayesElo`).
    /// The bias is added to x in one game of a pair and subtracted in the other.
    ///
    /// Draw rates above [`MAX_DRAWS`](Self::MAX_DRAWS) and biases beyond ±[`MAX_BIAS`](Self::MAX_BIAS) are clamped.
    pub fn assumed(elo: f64, model: SprtModel, draws: f64, bias: Elo) -> ResultShares {
        let draws = draws.clamp(0.0, ResultShares::MAX_DRAWS);
        let bias = bias.value().clamp(-ResultShares::MAX_BIAS, ResultShares::MAX_BIAS);
        let width = place((0.0, MAX_DIFFERENCE), |width| game(bias, width)[1] < draws);
        let difference = place((-MAX_DIFFERENCE, MAX_DIFFERENCE), |difference| {
            difference_of(moments(&pair(difference, bias, width)), 2, model) < elo
        });
        ResultShares::Pairs(pair(difference, bias, width))
    }

    /// The rounded expected counts of the results of this many games, of which a pair has two.
    pub fn expected(&self, games: u64) -> Observations {
        let of = |share: f64, observations: u64| (share * observations as f64).round() as u64;
        match self {
            ResultShares::Pairs(shares) => {
                Observations::Pairs(Pentanomial::new(shares.map(|share| of(share, games / 2))))
            }
            ResultShares::Games(shares) => {
                let [losses, draws, wins] = shares.map(|share| of(share, games));
                Observations::Games(Wdl::new(wins, draws, losses))
            }
        }
    }

    /// The difference in Elo of the model; infinite if only one result is possible and it is not worth ½.
    pub fn elo(&self, model: SprtModel) -> f64 {
        let (games, moments) = self.moments();
        difference_of(moments, games, model)
    }

    /// The games per observation, and the mean and standard deviation of an observation's score.
    pub(super) fn moments(&self) -> (u32, (f64, f64)) {
        match self {
            ResultShares::Pairs(shares) => (2, moments(shares)),
            ResultShares::Games(shares) => (1, moments(shares)),
        }
    }
}

fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    Empirical { shares: *shares, observations: 1.0 }.mean_and_deviation()
}

/// The probabilities of loss, draw and win at a difference of `x` Elo.
fn game(x: f64, width: f64) -> [f64; 3] {
    let [win, loss] = [x - width, -x - width].map(|lead| Elo::new(lead).expected_score());
    [loss, (1.0 - win - loss).max(0.0), win]
}

fn pair(difference: f64, bias: f64, width: f64) -> [f64; 5] {
    let (favoured, other) = (game(difference + bias, width), game(difference - bias, width));
    let mut shares = [0.0; 5];
    for (i, first) in favoured.iter().enumerate() {
        for (j, second) in other.iter().enumerate() {
            shares[i + j] += first * second;
        }
    }
    shares
}

fn tilted<const N: usize>(shares: &[f64; N], games: u32, elo: f64, model: SprtModel) -> [f64; N] {
    let tilt_by = |tilt: f64| -> [f64; N] {
        // The largest factor is 1, so none overflows.
        let weights: [f64; N] = std::array::from_fn(|i| {
            let from_heaviest = if tilt > 0.0 { i as f64 - (N - 1) as f64 } else { i as f64 };
            shares[i] * (tilt * from_heaviest).exp()
        });
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    tilt_by(place((-MAX_TILT, MAX_TILT), |tilt| difference_of(moments(&tilt_by(tilt)), games, model) < elo))
}

/// The Elo difference in the model, given mean and standard deviation of observations of `games` games each.
fn difference_of((mean, deviation): (f64, f64), games: u32, model: SprtModel) -> f64 {
    let lead = mean - 0.5;
    match model {
        SprtModel::Logistic | SprtModel::Bayesian => Elo::from_score(mean).value(),
        SprtModel::Normalized if lead == 0.0 => 0.0,
        SprtModel::Normalized => {
            NormalizedElo::from_t_value(lead / (deviation * f64::from(games).sqrt())).value()
        }
    }
}

/// The point in the range where `is_below` stops holding.
fn place(range: (f64, f64), is_below: impl Fn(f64) -> bool) -> f64 {
    let (low, high) = bisect(range, STEPS, is_below);
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn model() -> impl Strategy<Value = SprtModel> {
        prop_oneof![Just(SprtModel::Normalized), Just(SprtModel::Logistic)]
    }

    fn values(shares: &ResultShares) -> &[f64] {
        match shares {
            ResultShares::Pairs(shares) => shares,
            ResultShares::Games(shares) => shares,
        }
    }

    #[test]
    fn equal_engines_draw_as_often_as_assumed() {
        for (draws, bias) in [(0.0, 0.0), (0.3, 0.0), (0.6, 120.0), (0.999, 0.0)] {
            let width = place((0.0, MAX_DIFFERENCE), |width| game(bias, width)[1] < draws);
            assert!((game(bias, width)[1] - draws).abs() < 1e-9, "{draws} {bias}");
        }
    }

    #[test]
    fn without_bias_the_games_of_a_pair_are_independent_and_bias_makes_pairs_level() {
        let ResultShares::Pairs(shares) = ResultShares::assumed(0.0, SprtModel::Logistic, 0.5, Elo::new(0.0))
        else {
            panic!("expected pairs")
        };
        // A quarter won, half drawn, a quarter lost.
        for (share, sixteenths) in shares.into_iter().zip([1.0, 4.0, 6.0, 4.0, 1.0]) {
            assert!((share - sixteenths / 16.0).abs() < 1e-9, "{shares:?}");
        }
        let level = |bias: f64| {
            let shares = ResultShares::assumed(0.0, SprtModel::Logistic, 0.5, Elo::new(bias));
            values(&shares)[2]
        };
        assert!(level(0.0) < level(100.0) && level(100.0) < level(200.0));
    }

    #[test]
    fn expected_results_come_as_often_as_the_shares_say() {
        let pairs = ResultShares::Pairs([0.0625, 0.25, 0.375, 0.25, 0.0625]);
        assert_eq!(pairs.expected(320), Observations::Pairs(Pentanomial::new([10, 40, 60, 40, 10])));
        let games = ResultShares::Games([0.1, 0.6, 0.3]);
        assert_eq!(games.expected(1000), Observations::Games(Wdl::new(300, 600, 100)));
    }

    #[test]
    fn nothing_observed_cannot_be_tilted() {
        let none = Observations::Games(Wdl::default());
        assert_eq!(ResultShares::tilted(&none, 0.0, SprtModel::Logistic), None);
    }

    proptest! {
        #[test]
        fn assumed_shares_have_the_difference_asked_for(
            elo in -1400.0..1400.0f64, model in model(), draws in 0.0..0.99f64, bias in 0.0..300.0f64,
        ) {
            let shares = ResultShares::assumed(elo, model, draws, Elo::new(bias));
            prop_assert!((shares.elo(model) - elo).abs() < 1e-3, "{}", shares.elo(model));
            prop_assert!((values(&shares).iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(values(&shares).iter().all(|&share| share >= 0.0));
        }

        #[test]
        fn tilted_shares_have_the_difference_asked_for(
            elo in -1400.0..1400.0f64, model in model(),
            counts in prop::array::uniform5(prop_oneof![Just(0u64), 1u64..20, 20u64..10_000_001]),
        ) {
            let [wins, draws, losses, ..] = counts;
            let pairs = Observations::Pairs(Pentanomial::new(counts));
            let games = Observations::Games(Wdl::new(wins, draws, losses));
            for shares in [pairs, games].iter().filter_map(|data| ResultShares::tilted(data, elo, model)) {
                prop_assert!((shares.elo(model) - elo).abs() < 1e-3, "{shares:?} {}", shares.elo(model));
                prop_assert!((values(&shares).iter().sum::<f64>() - 1.0).abs() < 1e-9);
                prop_assert!(values(&shares).iter().all(|&share| share >= 0.0));
            }
        }

        #[test]
        fn data_are_their_own_nearest_distribution(counts in prop::array::uniform5(1u64..1000), model in model()) {
            let pairs = Observations::Pairs(Pentanomial::new(counts));
            let total: u64 = counts.iter().sum();
            let own = ResultShares::Pairs(counts.map(|count| count as f64 / total as f64));
            let tilted = ResultShares::tilted(&pairs, own.elo(model), model).unwrap();
            for (found, own) in values(&tilted).iter().zip(values(&own)) {
                prop_assert!((found - own).abs() < 1e-6);
            }
        }
    }
}
