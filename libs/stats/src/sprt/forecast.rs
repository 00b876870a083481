//! The length and the outcome of a sequential test at a known difference, by simulation.

use std::num::NonZero;
use std::thread;

use super::simulated_test::{MAX_GAMES, SimulatedTest, Simulator};
use crate::{ResultShares, Sprt, SprtStatus, Wdl};

/// The outcomes of many simulated tests at one true difference.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct SprtForecast {
    /// The true difference, in Elo of the test's model.
    pub elo: f64,
    /// The number of simulated tests.
    pub tests: u32,
    /// The number of tests that accepted H0.
    pub accepted_h0: u32,
    /// The number of tests that accepted H1.
    pub accepted_h1: u32,
    /// The number of tests undecided after [`SprtForecast::MAX_GAMES`].
    pub undecided: u32,
    /// The mean length of a test; `None` if a test was undecided, since its length is unknown.
    pub mean_games: Option<f64>,
    /// The median number of games to a decision; `None` if fewer than half of the tests were decided.
    pub median_games: Option<u64>,
    /// The number of games after which 95% of the tests were decided; `None` if fewer were.
    pub most_games: Option<u64>,
}

impl SprtForecast {
    /// A simulated test is given up after this many games, so that every simulation ends.
    pub const MAX_GAMES: u64 = MAX_GAMES;

    /// Simulates `tests` tests whose results are drawn from `shares`. The same seed gives the same forecast, whatever the
    /// number of threads.
    pub fn new(test: &Sprt, shares: &ResultShares, tests: u32, seed: u64) -> SprtForecast {
        let ended = simulate(&Simulator::new(test, shares), tests, seed);
        let count = |status| ended.iter().filter(|test| test.status == status).count() as u32;
        let mut games: Vec<u64> =
            ended.iter().filter(|test| test.is_decided()).map(|test| test.games).collect();
        games.sort_unstable();
        let decided_by = |share: f64| {
            let place = (share * f64::from(tests)).ceil() as usize;
            place.checked_sub(1).and_then(|place| games.get(place).copied())
        };
        let undecided = count(SprtStatus::Continue);
        let mean = games.iter().sum::<u64>() as f64 / f64::from(tests);
        SprtForecast {
            elo: shares.elo(test.model()),
            tests,
            accepted_h0: count(SprtStatus::AcceptH0),
            accepted_h1: count(SprtStatus::AcceptH1),
            undecided,
            mean_games: (undecided == 0 && tests > 0).then_some(mean),
            median_games: decided_by(0.5),
            most_games: decided_by(0.95),
        }
    }

    /// The probability of accepting H1, and its 95% interval given the number of simulated tests; `None` without tests.
    pub fn pass_probability(&self) -> Option<(f64, (f64, f64))> {
        let others = self.tests - self.accepted_h1;
        let passes = Wdl::new(u64::from(self.accepted_h1), 0, u64::from(others)).score();
        (self.tests > 0).then(|| (passes.mean(), passes.interval()))
    }
}

/// Simulates the tests on all cores. Each test has its own random sequence, so the result does not depend on the number of
/// cores.
fn simulate(simulator: &Simulator, tests: u32, seed: u64) -> Vec<SimulatedTest> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get) as u32;
    thread::scope(|scope| {
        let share_of = |thread: u32| (thread..tests).step_by(threads as usize);
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                scope
                    .spawn(move || share_of(thread).map(|test| simulator.run(seed, test)).collect::<Vec<_>>())
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join().expect("a simulation does not panic")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elo, SprtModel};

    fn forecast(elo0: f64, elo1: f64, truth: f64, tests: u32) -> SprtForecast {
        let test = Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap();
        let shares = ResultShares::assumed(truth, SprtModel::Logistic, 0.5, Elo::new(0.0));
        SprtForecast::new(&test, &shares, tests, 1)
    }

    #[test]
    fn a_seed_gives_one_forecast_and_what_no_test_tells_is_not_guessed() {
        assert_eq!(forecast(0.0, 40.0, 20.0, 50), forecast(0.0, 40.0, 20.0, 50));
        let hopeless = forecast(0.0, 1e-6, 0.5e-6, 1);
        assert_eq!((hopeless.undecided, hopeless.mean_games, hopeless.median_games), (1, None, None));
        assert!(hopeless.pass_probability().unwrap().0 <= 0.0);
        let none = forecast(0.0, 40.0, 20.0, 0);
        assert_eq!((none.mean_games, none.median_games, none.pass_probability()), (None, None, None));
    }
}
