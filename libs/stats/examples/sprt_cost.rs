//! Simulates what sequential tests cost and how often they err: for each test, draw rate and true difference, the mean games
//! and the share of H1 verdicts of the curved and of Wald's test. Computes their mean cost for patches with normally
//! distributed differences, too. `sprt_cost TESTS` prints `results/sprt-cost.csv`.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use stats::{Elo, ResultShares, Sprt, SprtCourse, SprtForecast, SprtModel, SprtTest};

/// The bias of openings in favour of one side, in Elo.
const OPENING_BIAS: f64 = 60.0;

/// True differences, as distances from the middle of the hypotheses in units of the hypotheses' distance: for [0, 5] they
/// are -20, -10, -5, -2.5, 0, 1.25, 2.5, 5, 7.5, 10, 15 and 25.
const PLACES: [f64; 12] = [-4.5, -2.5, -1.5, -1.0, -0.5, -0.25, 0.0, 0.5, 1.0, 1.5, 2.5, 4.5];

/// Mean and standard deviation of the patches' differences in nElo, and the upper bound of a test of [0, x] nElo. First,
/// everyday patches of a young engine; then fishtest's, N(-0.21, 1.11) Elo at 60% draws (a fit of 2018, "realistic, even if
/// optimistic": official-stockfish/Stockfish, issue 1859), with fishtest's bounds and with wider ones.
const PATCHES: [(f64, f64, f64); 5] =
    [(-1.0, 3.0, 5.0), (-1.0, 3.0, 2.0), (-0.33, 1.76, 2.0), (-0.33, 1.76, 5.0), (-1.0, 6.0, 5.0)];

struct Row {
    bounds: (f64, f64),
    risks: (f64, f64),
    model: SprtModel,
    draws: f64,
    places: &'static [f64],
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in [SprtModel::Normalized, SprtModel::Logistic] {
        for draws in [0.5, 0.75, 0.9, 0.97] {
            let row = |bounds, risks, places| Row { bounds, risks, model, draws, places };
            rows.push(row((0.0, 5.0), (0.05, 0.05), &PLACES));
            for bounds in [(0.0, 2.0), (-3.0, 0.0), (-5.0, 0.0), (0.0, 10.0), (-10.0, 10.0), (0.0, 50.0)] {
                rows.push(row(bounds, (0.05, 0.05), &[-0.5, 0.0, 0.5]));
            }
            for risks in [(0.05, 0.1), (0.1, 0.05), (0.01, 0.05), (0.01, 0.01)] {
                rows.push(row((0.0, 10.0), risks, &[-0.5, 0.0, 0.5]));
            }
        }
    }
    rows
}

/// The total games of all patches relative to Wald's test, and the mean of the ratios of single patches.
fn cost_of_patches((mean, deviation, elo1): (f64, f64, f64)) -> (f64, f64) {
    let wald = Sprt::new(0.0, elo1, 0.05, 0.05, SprtModel::Normalized).expect("valid bounds");
    let (mut games, mut ratios, mut total) = ([0.0, 0.0], 0.0, 0.0);
    for place in -40..=40 {
        let place = f64::from(place) / 10.0;
        let weight = (-place * place / 2.0).exp();
        let shares =
            ResultShares::assumed(mean + place * deviation, SprtModel::Normalized, 0.6, Elo::new(0.0));
        let of = |test| SprtCourse::new(&wald.with_test(test), &shares).expect("results differ").mean_games();
        let both = [of(SprtTest::Wald), of(SprtTest::Curved)];
        games.iter_mut().zip(both).for_each(|(sum, games)| *sum += weight * games);
        ratios += weight * both[1] / both[0];
        total += weight;
    }
    (games[1] / games[0], ratios / total)
}

fn main() {
    let tests = std::env::args().nth(1).map_or(1000, |tests| tests.parse().expect("a number of tests"));
    println!("model,draws,elo0,elo1,alpha,beta,truth,tests,wald_games,curved_games,ratio,wald_h1,curved_h1");
    for Row { bounds: (elo0, elo1), risks: (alpha, beta), model, draws, places } in rows() {
        let wald = Sprt::new(elo0, elo1, alpha, beta, model).expect("valid bounds");
        for place in places {
            let truth = f64::midpoint(elo0, elo1) + place * (elo1 - elo0);
            let shares = ResultShares::assumed(truth, model, draws, Elo::new(OPENING_BIAS));
            let [wald, curved] = [SprtTest::Wald, SprtTest::Curved].map(|bounds| {
                let forecast = SprtForecast::new(&wald.with_test(bounds), &shares, tests, 1);
                let games = forecast.mean_games.expect("every test ends");
                (games, f64::from(forecast.accepted_h1) / f64::from(tests))
            });
            let name = match model {
                SprtModel::Normalized => "normalized",
                SprtModel::Logistic | SprtModel::Bayesian => "logistic",
            };
            println!(
                "{name},{draws},{elo0},{elo1},{alpha},{beta},{truth},{tests},{:.0},{:.0},{:.3},{:.4},{:.4}",
                wald.0,
                curved.0,
                curved.0 / wald.0,
                wald.1,
                curved.1
            );
        }
    }
    for (mean, deviation, elo1) in PATCHES {
        let (all, each) = cost_of_patches((mean, deviation, elo1));
        println!(
            "# N({mean}, {deviation}) nElo by [0, {elo1}]: all games {all:.3}, mean of ratios {each:.3}"
        );
    }
}
