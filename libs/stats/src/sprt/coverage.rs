//! Simulates sequential tests of every kind: 95% of the intervals after a test contain the true difference, and the estimate
//! is as often too high as too low. `SPRT_COVERAGE_TESTS=2500` simulates this many tests of each kind, at more differences,
//! and prints `results/sprt-coverage.csv`.

use std::thread;

use super::simulated_test::Simulator;
use crate::{
    Elo, EloEstimate, NormalizedElo, NormalizedEloEstimate, Observations, Pentanomial, ResultShares, Sprt,
    SprtEstimate, SprtFutility, SprtModel, SprtTest, Wdl,
};

/// A kind of test, and the games it is played with.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    test: Sprt,
    draws: f64,
    single_games: bool,
    games: u64,
    give_up: Option<f64>,
}

fn kinds() -> Vec<Kind> {
    let test = |elo1, model| Sprt::new(0.0, elo1, 0.05, 0.05, model).unwrap();
    let (normalized, logistic) =
        (|elo1| test(elo1, SprtModel::Normalized), |elo1| test(elo1, SprtModel::Logistic));
    let kind =
        |name, test| Kind { name, test, draws: 0.6, single_games: false, games: u64::MAX / 4, give_up: None };
    let curved = |test: Sprt| test.with_test(SprtTest::Curved);
    let of_4000 = Kind { games: 4000, ..kind("[0, 10] nElo, curved, 4,000 games", curved(normalized(10.0))) };
    vec![
        kind("[0, 5] nElo, curved", curved(normalized(5.0))),
        kind("[0, 10] Elo, curved", curved(logistic(10.0))),
        Kind { draws: 0.97, ..kind("[0, 5] Elo, 97% draws, curved", curved(logistic(5.0))) },
        Kind { name: "[0, 10] nElo, curved, 4,000 games, given up", give_up: Some(0.05), ..of_4000 },
        of_4000,
        kind("[0, 5] nElo", normalized(5.0)),
        kind("[0, 10] nElo", normalized(10.0)),
        Kind { draws: 0.9, ..kind("[0, 10] nElo, 90% draws", normalized(10.0)) },
        kind("[0, 10] Elo", logistic(10.0)),
        Kind { single_games: true, ..kind("[0, 10] nElo, single games", normalized(10.0)) },
        Kind { single_games: true, ..kind("[0, 10] BayesElo", logistic(10.0).with_bayes_elo()) },
        kind("[0, 10] nElo, one of four", normalized(10.0).one_of(4)),
        kind("[0, 10] nElo, mixture", normalized(10.0).with_mixture(true)),
        kind("[0, 10] Elo, mixture", logistic(10.0).with_mixture(true)),
        Kind { games: 4000, ..kind("[0, 10] nElo, 4,000 games", normalized(10.0)) },
        Kind {
            games: 4000,
            ..kind("[0, 10] nElo, mixture, 4,000 games", normalized(10.0).with_mixture(true))
        },
        Kind {
            games: 4000,
            give_up: Some(0.05),
            ..kind("[0, 10] nElo, 4,000 games, given up", normalized(10.0))
        },
    ]
}

/// The results at the end of a simulated test, and whether the test was given up.
fn end_of(kind: &Kind, simulator: &Simulator, seed: u64, number: u32) -> (Observations, bool) {
    let per_observation = if kind.single_games { 1 } else { 2 };
    let decided = simulator.run(seed, number).games / per_observation;
    let most = kind.games / per_observation;
    let mut results = simulator.results(seed, number);
    let mut seen = Observations::of(Pentanomial::default(), Wdl::default());
    let mut next_look = 1;
    for (played, results) in (1..=decided.min(most)).zip(&mut results) {
        seen = results;
        let (Some(least), Observations::Pairs(pairs)) = (kind.give_up, seen) else { continue };
        if played >= next_look && played < decided.min(most) {
            let chance = kind.test.chance_of_h1(&pairs, most - played).unwrap_or(1.0);
            if chance < least {
                return (seen, true);
            }
            // The chance does not fall that fast.
            next_look = played + if chance > 6.0 * least { 10 } else { 1 };
        }
    }
    (seen, false)
}

#[derive(Clone, Copy, Default)]
struct Tally {
    tests: u32,
    /// How often the fixed-length interval contained the truth, the intervals after the test in Elo and in nElo did, and the
    /// estimate was too high.
    counts: [u32; 4],
    /// The sums of the margins at fixed length and after the test, in nElo.
    margins: [f64; 2],
}

impl Tally {
    fn add(&mut self, kind: &Kind, shares: &ResultShares, (seen, gave_up): (Observations, bool)) {
        let truths = [SprtModel::Logistic, SprtModel::Normalized].map(|model| shares.elo(model));
        let futility = kind.give_up.map(|chance| SprtFutility { chance, pairs: kind.games / 2, gave_up });
        let fixed = NormalizedEloEstimate::new(&seen.score());
        let after = kind.test.estimate(&seen, futility);
        let after =
            after.unwrap_or(SprtEstimate { elo: EloEstimate::new(&seen.score()), normalized_elo: fixed });
        let holds = |[lower, upper]: [f64; 2], truth: f64| lower <= truth && truth <= upper;
        let nelo =
            |estimate: &NormalizedEloEstimate| [estimate.lower, estimate.upper].map(NormalizedElo::value);
        let held = [
            holds(nelo(&fixed), truths[1]),
            holds([after.elo.lower, after.elo.upper].map(Elo::value), truths[0]),
            holds(nelo(&after.normalized_elo), truths[1]),
            after.normalized_elo.nelo.value() > truths[1],
        ];
        self.tests += 1;
        self.counts.iter_mut().zip(held).for_each(|(count, held)| *count += u32::from(held));
        self.margins[0] += fixed.margin();
        self.margins[1] += after.normalized_elo.margin();
    }

    fn shares(&self) -> [f64; 4] {
        self.counts.map(|count| f64::from(count) / f64::from(self.tests))
    }
}

fn simulated(kind: &Kind, truth: f64, tests: u32, seed: u64) -> Tally {
    let model = SprtModel::Normalized;
    let shares = if kind.single_games {
        let (draws, others) = ((1000.0 * kind.draws) as u64, (500.0 * (1.0 - kind.draws)) as u64);
        let games = Observations::Games(Wdl::new(others, draws, others));
        ResultShares::tilted(&games, truth, model).unwrap()
    } else {
        ResultShares::assumed(truth, model, kind.draws, Elo::new(0.0))
    };
    let simulator = Simulator::new(&kind.test, &shares);
    let mut tally = Tally::default();
    (0..tests).for_each(|number| tally.add(kind, &shares, end_of(kind, &simulator, seed, number)));
    tally
}

/// The columns for each kind and true difference: shares of intervals that contain the truth, the share of estimates that
/// are too high, and mean margins in nElo.
const COLUMNS: &str = "test,true_nelo,tests,fixed_length,after_test_elo,after_test_nelo,estimate_too_high,\
                       fixed_length_margin,after_test_margin";

#[test]
#[ignore = "simulates for seconds; .ci/nightly runs it"]
#[expect(clippy::print_stdout, reason = "the table of a simulation")]
fn intervals_after_a_test_hold_the_truth_as_often_as_they_say() {
    let many: Option<u32> = std::env::var("SPRT_COVERAGE_TESTS").ok().map(|tests| tests.parse().unwrap());
    let truths: &[f64] = if many.is_some() { &[-10.0, -5.0, 0.0, 2.5, 5.0, 10.0] } else { &[0.0, 5.0] };
    let tests = many.unwrap_or(40);
    let kinds = kinds();
    let (mut sum, mut too_seldom) = (Tally::default(), Vec::new());
    println!("{COLUMNS}");
    let tallies = thread::scope(|scope| {
        let of_kind = |(kind, seed)| {
            let of_truth = move |&truth| scope.spawn(move || simulated(kind, truth, tests, seed));
            truths.iter().map(of_truth).collect::<Vec<_>>()
        };
        let threads: Vec<_> = kinds.iter().zip(1..).flat_map(of_kind).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for (kind, tallies) in kinds.iter().zip(tallies.chunks(truths.len())) {
        for (&truth, &tally) in truths.iter().zip(tallies) {
            let [fixed, elo, nelo, high] = tally.shares();
            let [of_fixed, of_after] = tally.margins.map(|margin| margin / f64::from(tests));
            let name = kind.name;
            println!(
                "\"{name}\",{truth},{tests},{fixed:.4},{elo:.4},{nelo:.4},{high:.4},{of_fixed:.2},{of_after:.2}"
            );
            // Four standard deviations of the simulation, plus a tolerance for the approximation.
            let error = 0.01 + 4.0 * (0.95 * 0.05 / f64::from(tests)).sqrt();
            if elo.min(nelo) < 0.95 - error {
                too_seldom.push(format!("{name} at {truth}"));
            }
            sum.tests += tally.tests;
            sum.counts.iter_mut().zip(tally.counts).for_each(|(count, more)| *count += more);
        }
    }
    let [fixed, elo, nelo, high] = sum.shares();
    assert!(too_seldom.is_empty() || many.is_none(), "{too_seldom:?}");
    assert!(fixed < 0.92, "{fixed}: they need no other interval");
    assert!(
        (elo - 0.95).abs() < 0.02 && (nelo - 0.95).abs() < 0.02 && (high - 0.5).abs() < 0.05,
        "{elo} {nelo} {high}"
    );
}
