//! Properties for all counts and bounds: every number is defined, and every computation ends.

use proptest::prelude::*;

use super::{
    Elo, EloEstimate, Los, NormalizedElo, NormalizedEloEstimate, Observations, Pentanomial, ResultShares,
    Sprt, SprtEstimate, SprtForecast, SprtFutility, SprtModel, SprtTest, Wdl,
};

/// A count that is zero, small, ordinary or huge.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0u64),
        2 => Just(1u64),
        2 => 1u64..20,
        2 => 20u64..10_000_000,
        1 => 10_000_000u64..1_000_000_000_000,
        1 => Just(u64::MAX),
    ]
}

fn observations() -> impl Strategy<Value = Observations> {
    prop_oneof![
        prop::array::uniform5(count()).prop_map(|counts| Observations::Pairs(Pentanomial::new(counts))),
        (count(), count(), count()).prop_map(|(w, d, l)| Observations::Games(Wdl::new(w, d, l))),
    ]
}

fn model() -> impl Strategy<Value = SprtModel> {
    prop_oneof![Just(SprtModel::Normalized), Just(SprtModel::Logistic), Just(SprtModel::Bayesian)]
}

/// A bound that is ordinary, absurd or at the limit.
fn bound() -> impl Strategy<Value = f64> {
    prop_oneof![-10.0..10.0f64, -1400.0..1400.0f64, Just(0.0), Just(-1400.0), Just(1400.0), Just(1e-9)]
}

/// An error probability, from almost 0 to almost 1.
fn risk() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.05), 1e-3..0.999f64, Just(f64::MIN_POSITIVE), Just(1e-12), Just(1.0 - f64::EPSILON)]
}

fn sprt() -> impl Strategy<Value = Sprt> {
    let kind = prop_oneof![
        Just((SprtTest::Wald, false)),
        Just((SprtTest::Wald, true)),
        Just((SprtTest::Curved, false))
    ];
    (bound(), bound(), risk(), risk(), model(), kind).prop_filter_map(
        "refused",
        |(one, other, alpha, beta, model, (bounds, mixture))| {
            let sprt = Sprt::new(one.min(other), one.max(other), alpha, beta, model).ok()?;
            Some(sprt.with_test(bounds).with_mixture(mixture))
        },
    )
}

proptest! {
    #[test]
    fn estimates_are_numbers_inside_their_intervals(observations in observations()) {
        let score = observations.score();
        let (low, high) = score.interval();
        prop_assert!(0.0 <= low && low <= score.mean() && score.mean() <= high && high <= 1.0, "{low} {high}");
        // A rating that is NaN would have panicked.
        let elo = EloEstimate::new(&score);
        prop_assert!(elo.lower <= elo.elo && elo.elo <= elo.upper, "{elo:?}");
        prop_assert!(elo.margin() >= 0.0);
        let nelo = NormalizedEloEstimate::new(&score);
        prop_assert!(nelo.lower <= nelo.nelo && nelo.nelo <= nelo.upper, "{nelo:?}");
        prop_assert!(nelo.margin() >= 0.0);
        prop_assert!((0.0..=1.0).contains(&Los::new(&score).probability()));
        prop_assert!(observations.draw_ratio().is_none_or(|ratio| (0.0..=1.0).contains(&ratio)));
        prop_assert!(observations.pair_ratio().is_none_or(|ratio| ratio >= 0.0 && ratio.is_finite()));
        prop_assert!(observations.points().is_finite() && observations.points() >= 0.0);
    }

    #[test]
    fn swapping_the_players_negates_the_estimates(counts in prop::array::uniform5(prop_oneof![0u64..3, 0u64..100_000])) {
        let pairs = Pentanomial::new(counts);
        let ends = |pairs: Pentanomial| {
            let (elo, nelo) = (EloEstimate::new(&pairs.score()), NormalizedEloEstimate::new(&pairs.score()));
            let elo = [elo.lower, elo.elo, elo.upper].map(Elo::value);
            (elo, [nelo.lower, nelo.nelo, nelo.upper].map(NormalizedElo::value))
        };
        let [ours, theirs] = [pairs, pairs.reversed()].map(|pairs| Los::new(&pairs.score()).probability());
        prop_assert!((ours + theirs - 1.0).abs() < 1e-9, "{ours} and {theirs}");
        let (ours, theirs) = (ends(pairs), ends(pairs.reversed()));
        for (ours, mut theirs) in [(ours.0, theirs.0), (ours.1, theirs.1)] {
            theirs.reverse();
            for (a, b) in ours.into_iter().zip(theirs) {
                prop_assert!(Elo::new(a) == Elo::new(-b) || (a + b).abs() < 1e-6, "{a} and {b}");
            }
        }
    }

    #[test]
    fn margins_without_an_end_are_those_of_clean_sweeps_and_of_nothing(observations in observations()) {
        let margin = EloEstimate::new(&observations.score()).margin();
        let (low, high) = observations.score().interval();
        prop_assert_eq!(margin.is_infinite(), low <= 0.0 || high >= 1.0);
    }

    #[test]
    fn the_ratio_is_finite_and_the_bounds_are_in_order(observations in observations(), test in sprt()) {
        let llr = observations.llr(&test);
        prop_assert!(llr.value().is_finite(), "{llr}");
        let bounds = test.bounds(&observations);
        prop_assert!(bounds.lower < bounds.upper || test.is_curved() && bounds.lower <= bounds.upper);
    }

    #[test]
    fn a_test_seen_from_the_other_side_says_the_same(observations in observations(), test in sprt()) {
        let mirrored = Sprt::new(-test.elo1(), -test.elo0(), 0.05, 0.05, test.model()).unwrap();
        let mirrored = mirrored.with_mixture(test.is_mixture());
        let (ours, theirs) = (observations.llr(&test).value(), observations.reversed().llr(&mirrored).value());
        // The rounding error of one divergence, times the number of observations.
        let rounding = 1e-6 * (1.0 + ours.abs()) + 1e-12 * observations.games() as f64;
        prop_assert!((ours + theirs).abs() <= rounding, "{ours} and {theirs}");
    }

    #[test]
    fn after_any_test_there_is_an_estimate_inside_its_interval(
        observations in observations(), test in sprt(), chance in 0.001..0.9f64, pairs in count(), gave_up in any::<bool>(),
        gives_up in any::<bool>(),
    ) {
        let futility = gives_up.then_some(SprtFutility { chance, pairs, gave_up });
        // A rating that is NaN would have panicked.
        if let Some(SprtEstimate { elo, normalized_elo }) = test.estimate(&observations, futility) {
            prop_assert!(elo.lower <= elo.elo && elo.elo <= elo.upper, "{elo:?}");
            let NormalizedEloEstimate { nelo, lower, upper } = normalized_elo;
            prop_assert!(lower <= nelo && nelo <= upper, "{normalized_elo:?}");
        }
    }

    #[test]
    fn shares_can_be_simulated_whatever_was_observed(observations in observations(), elo in bound(), model in model()) {
        let Some(shares) = ResultShares::tilted(&observations, elo, model) else { return Ok(()) };
        let sum: f64 = match shares {
            ResultShares::Pairs(shares) => shares.iter().sum(),
            ResultShares::Games(shares) => shares.iter().sum(),
        };
        prop_assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_forecast_ends(
        test in sprt(), elo in bound(), draws in 0.0..1.0f64, bias in 0.0..300.0f64, observations in observations(),
    ) {
        let assumed = ResultShares::assumed(elo, test.model(), draws, Elo::new(bias));
        let observed = ResultShares::tilted(&observations, elo, test.model());
        for shares in [Some(assumed), observed].into_iter().flatten() {
            let forecast = SprtForecast::new(&test, &shares, 2, 1);
            prop_assert_eq!(forecast.accepted_h0 + forecast.accepted_h1 + forecast.undecided, 2);
            prop_assert!(forecast.mean_games.is_none_or(|games| games >= 1.0 && games <= SprtForecast::MAX_GAMES as f64));
        }
    }
}

/// All counts of this number of pairs.
fn all_counts(pairs: u64) -> Vec<[u64; 5]> {
    let mut all = Vec::new();
    for a in 0..=pairs {
        for b in 0..=pairs - a {
            for c in 0..=pairs - a - b {
                all.extend((0..=pairs - a - b - c).map(|d| [a, b, c, d, pairs - a - b - c - d]));
            }
        }
    }
    all
}

#[test]
fn a_better_result_lowers_neither_end() {
    let mut worst = Vec::new();
    // For many pairs, only counts of single games, which have every other result.
    let many = (40..=100)
        .step_by(20)
        .flat_map(|n| (0..=n).flat_map(move |w| (0..=n - w).map(move |d| [n - w - d, 0, d, 0, w])));
    for counts in (1..=9).chain([14]).flat_map(all_counts).chain(many) {
        let (low, high) = Pentanomial::new(counts).score().interval();
        for from in (0..4).filter(|&from| counts[from] > 0) {
            let mut better = counts;
            better[from] -= 1;
            better[from + 1] += 1;
            let (lower, upper) = Pentanomial::new(better).score().interval();
            let fall = (low - lower).max(high - upper);
            // Where the interval merges into the normal one, it may fall a little.
            let least = if counts.iter().sum::<u64>() < 30 { 1e-9 } else { 0.01 };
            if fall > least * (high - low) {
                worst.push((fall / (high - low), counts, from));
            }
        }
    }
    assert!(worst.is_empty(), "{worst:?}");
}
