//! The ratio of a test by a mixture of differences.
//!
//! A test of 0 against 2 Elo is optimal if the truth is one of the two (Wald and Wolfowitz 1948), but it decides on a patch
//! worth 20 as slowly as on one worth 2. So each hypothesis is compared with a mixture of differences on the other's side:
//! with δ = elo1 − elo0, the evidence for H1 is ln Σ wₖ·exp(N·(D(elo0) − D(elo0 + 2ᵏ·δ))), and the evidence for H0 is its
//! mirror image (Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm", 1970; Darling and Robbins
//! 1968 for the bound). Under the hypothesis in the denominator, a mixture of likelihood ratios has mean 1, like each of
//! them, so it ever exceeds 1/α with a probability of at most α (Ville 1939). Half of the weight is on the other bound,
//! where this costs at most ln 2.

/// The farthest difference of a mixture from its hypothesis, in Elo of the model. At this distance a single pair still says
/// little, so any verdict needs some dozen pairs.
const FARTHEST: f64 = 100.0;

/// The weight of the other bound's difference. The other differences share the rest equally.
const NEAREST_WEIGHT: f64 = 0.5;

/// The evidence for H1 minus the evidence for H0, in natural logarithms, each at least 0. `divergence` is the total
/// divergence of all observations from a difference in Elo.
pub(super) fn mixture_ratio(elo0: f64, elo1: f64, divergence: impl Fn(f64) -> f64) -> f64 {
    let apart = elo1 - elo0;
    let evidence = |against: f64, direction: f64| {
        let from = divergence(against);
        let distances = (0..=doublings(apart)).map(|doubling| apart * 2f64.powi(doubling as i32));
        let ratios: Vec<f64> =
            distances.map(|distance| from - divergence(against + direction * distance)).collect();
        log_mixture(&ratios)
    };
    evidence(elo0, 1.0).max(0.0) - evidence(elo1, -1.0).max(0.0)
}

/// How many times the distance of the bounds can be doubled without exceeding the farthest difference.
fn doublings(apart: f64) -> u32 {
    (FARTHEST / apart).log2().floor().max(0.0) as u32
}

/// The logarithm of the weighted mean of likelihood ratios, given their logarithms at δ, 2δ, 4δ….
fn log_mixture(ratios: &[f64]) -> f64 {
    let others = ratios.len() - 1;
    let weight_of = |place: usize| match (place, others) {
        (0, 0) => 1.0,
        (0, _) => NEAREST_WEIGHT,
        _ => (1.0 - NEAREST_WEIGHT) / others as f64,
    };
    let largest = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let terms = ratios.iter().enumerate().map(|(place, ratio)| weight_of(place) * (ratio - largest).exp());
    largest + terms.sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use crate::{Elo, Llr, Observations, Pentanomial, ResultShares, Sprt, SprtForecast, SprtModel, Wdl};

    const TESTS: u32 = 120;

    fn simple(model: SprtModel) -> Sprt {
        Sprt::new(0.0, 10.0, 0.05, 0.05, model).unwrap()
    }

    fn forecast(test: &Sprt, truth: f64) -> SprtForecast {
        let shares = ResultShares::assumed(truth, test.model(), 0.5, Elo::new(60.0));
        SprtForecast::new(test, &shares, TESTS, 3)
    }

    #[test]
    #[ignore = "simulates for seconds; .ci/nightly runs it"]
    fn errors_at_the_bounds_are_at_most_the_promised_ones() {
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            let test = simple(model).with_mixture(true);
            let (at_h0, at_h1) = (forecast(&test, 0.0), forecast(&test, 10.0));
            // 5%, plus three standard deviations of the simulation.
            let most = 6 + 7;
            assert!(at_h0.accepted_h1 <= most && at_h1.accepted_h0 <= most, "{at_h0:?} {at_h1:?}");
            assert_eq!(at_h0.undecided + at_h1.undecided, 0);
        }
    }

    #[test]
    #[ignore = "simulates for seconds; .ci/nightly runs it"]
    fn far_from_the_bounds_half_of_the_games_suffice_and_at_them_a_third_more() {
        let cost = |truth| {
            let [simple, mixture] = [false, true].map(|mixture| {
                forecast(&simple(SprtModel::Normalized).with_mixture(mixture), truth).mean_games.unwrap()
            });
            mixture / simple
        };
        for far in [-60.0, 70.0] {
            assert!(cost(far) < 0.5, "{far}");
        }
        for bound in [0.0, 10.0] {
            assert!((0.95..1.33).contains(&cost(bound)), "{bound}");
        }
    }

    #[test]
    fn evidence_is_that_of_the_simple_test_less_its_weight_or_of_one_that_is_farther() {
        let data = |counts| Observations::Pairs(Pentanomial::new(counts));
        let test = simple(SprtModel::Normalized);
        let llr = |test: Sprt, data: &Observations| data.llr(&test).value();
        let near = data([200, 1000, 2000, 1120, 220]);
        let (simple, mixed) = (llr(test, &near), llr(test.with_mixture(true), &near));
        assert!(mixed > simple - 2f64.ln() && mixed < simple, "{simple} {mixed}");
        let far = data([10, 100, 200, 180, 60]);
        let (simple, mixed) = (llr(test, &far), llr(test.with_mixture(true), &far));
        assert!(mixed > 2.0 * simple, "{simple} {mixed}");
        let test = Sprt::new(-5.0, 5.0, 0.05, 0.05, SprtModel::Logistic).unwrap().with_mixture(true);
        assert_eq!(test.llr_of_games(&Wdl::new(400, 800, 400)), Llr::new(0.0));
    }
}
