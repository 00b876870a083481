//! Simulates one sequential test with random results.
//!
//! Computing the exact ratio takes some ten microseconds, and a test has thousands of pairs. So the ratio is followed by
//! a closed-form approximation, corrected by its error when the exact ratio was last computed. Once the corrected ratio
//! reaches a bound, the exact one is computed; only the exact ratio decides.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::llr_steps::LlrSteps;
use crate::{Observations, Pentanomial, ResultShares, Sprt, SprtStatus, Wdl};

/// The maximum number of games of a simulated test.
pub(super) const MAX_GAMES: u64 = 4_000_000;

/// Between two looks the ratio is assumed to stay within this many standard deviations of its steps.
const CAUTION: f64 = 5.0;

/// For this many observations every look computes the exact ratio: if the hypotheses are far apart, few observations
/// decide, and they are far from the hypotheses, where the approximation is poor.
const EXACT_AT_FIRST: u64 = 100;

/// If results hardly differ, the approximation is wrong at every look, and the exact ratio would be computed millions of
/// times. After this many wrong looks, 1% of the observations so far pass before the next one.
const WRONG_LOOKS: u64 = 1000;

/// The result of a simulated test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SimulatedTest {
    pub status: SprtStatus,
    pub games: u64,
}

impl SimulatedTest {
    pub fn is_decided(&self) -> bool {
        self.status != SprtStatus::Continue
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Simulator {
    test: Sprt,
    games_per_observation: u64,
    observe: fn([u64; 5]) -> Observations,
    /// For each result but the last, the end of its range of random 32-bit numbers.
    thresholds: [u64; 4],
    worths: [f64; 5],
    /// The two hypotheses for one observation, as mean scores or t-values.
    hypotheses: (f64, f64),
    /// The standard deviation of a step of the ratio, in a test of two differences.
    step: f64,
    /// The absolute mean of a step of the ratio, plus the movement of a curved bound.
    drift: f64,
}

impl Simulator {
    pub fn new(test: &Sprt, shares: &ResultShares) -> Simulator {
        let ([first, second, third, fourth, _], worths, observe): (_, _, fn([u64; 5]) -> Observations) =
            match *shares {
                ResultShares::Pairs(shares) => (shares, [0.0, 0.25, 0.5, 0.75, 1.0], |pairs| {
                    Observations::Pairs(Pentanomial::new(pairs))
                }),
                // Nothing is drawn beyond a win.
                ResultShares::Games([losses, draws, _]) => (
                    [losses, draws, 1.0, 0.0, 0.0],
                    [0.0, 0.5, 1.0, 0.0, 0.0],
                    |[losses, draws, wins, ..]| Observations::Games(Wdl::new(wins, draws, losses)),
                ),
            };
        let mut sum = 0.0;
        let thresholds = [first, second, third, fourth].map(|share| {
            sum += share;
            (sum * 2f64.powi(32)) as u64
        });
        let (games, moments) = shares.moments();
        let LlrSteps { mean, deviation: step } = LlrSteps::new(test, games, moments);
        // A curved bound approaches by less than half of the information.
        let nearer = if test.is_curved() { step * step / 2.0 } else { 0.0 };
        let (hypotheses, drift) = (test.hypotheses(games), mean.abs() + nearer);
        let games_per_observation = games.into();
        Simulator { test: *test, games_per_observation, observe, thresholds, worths, hypotheses, step, drift }
    }

    /// Simulates the test with this number, which selects the random sequence.
    pub fn run(&self, seed: u64, number: u32) -> SimulatedTest {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(u64::from(number));
        let most = MAX_GAMES / self.games_per_observation;
        let mut counts = [0; 5];
        let (mut correction, mut next_look, mut next_exact_look, mut wrong_looks) = (0.0, 1, 1, 0);
        for observations in 1..=most {
            self.observe_one(&mut counts, &mut random);
            if observations < next_look && observations < most {
                continue;
            }
            let (rough, lead) = self.approximation(&counts, observations);
            let bounds = self.test.bounds(&(self.observe)(counts));
            let (lower, upper) = (bounds.lower.value(), bounds.upper.value());
            let mut llr = rough + correction;
            let is_inside = llr > lower && llr < upper;
            let mut pause = 1;
            if !is_inside || observations >= next_exact_look || observations == most {
                let exact = (self.observe)(counts).llr(&self.test);
                let status = bounds.status(exact);
                if status != SprtStatus::Continue || observations == most {
                    return SimulatedTest { status, games: observations * self.games_per_observation };
                }
                llr = exact.value();
                // NaN until results differ, so that the next look is an exact one.
                correction = llr - rough;
                wrong_looks += u64::from(!is_inside);
                if wrong_looks > WRONG_LOOKS {
                    pause += observations / 100;
                }
                let is_young = observations < EXACT_AT_FIRST;
                next_exact_look = if is_young { observations + 1 } else { observations * 2 };
            }
            let distance = (llr - lower).min(upper - llr) / self.stretch(lead, observations);
            let steps = self.safe_steps(distance);
            next_look = observations.saturating_add(steps.max(pause));
        }
        unreachable!("the last observation ends the test")
    }

    /// The results of the test with this number after each observation, without end.
    #[cfg(test)]
    pub fn results(&self, seed: u64, number: u32) -> impl Iterator<Item = Observations> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(u64::from(number));
        let mut counts = [0; 5];
        std::iter::repeat_with(move || {
            self.observe_one(&mut counts, &mut random);
            (self.observe)(counts)
        })
    }

    fn observe_one(&self, counts: &mut [u64; 5], random: &mut ChaCha8Rng) {
        let drawn = u64::from(random.next_u32());
        // Counting comparisons, unlike searching, has no branches to predict.
        let result = self.thresholds.iter().map(|&threshold| usize::from(drawn >= threshold)).sum::<usize>();
        counts[result] += 1;
    }

    /// The ratio if the data are near the hypotheses, with the divergence (n/2)·ln(1 + (t − t₀)²) for the t-value in
    /// normalized Elo and (n/2)·ln(1 + (s − s₀)²/σ²) for the score in logistic Elo (Van den Bergh, "A practical
    /// introduction to the GSPRT" and "Comments on normalized Elo"). NaN if all results are equal.
    ///
    /// Also returns the distance of the data from the middle of the hypotheses, in standard deviations of an observation.
    fn approximation(&self, counts: &[u64; 5], observations: u64) -> (f64, f64) {
        let total = observations as f64;
        let moment = |power: i32| -> f64 {
            let terms =
                counts.iter().zip(self.worths).map(|(&count, worth)| count as f64 * worth.powi(power));
            terms.sum::<f64>() / total
        };
        let mean = moment(1);
        let variance = moment(2) - mean * mean;
        if variance <= f64::EPSILON {
            return (f64::NAN, 0.0);
        }
        let (centre, unit) = self.test.model().centre(mean, variance);
        let games = self.games_per_observation as u32;
        let ratio = self.test.ratio(total, |elo| {
            let hypothesis = self.test.model().hypothesis(elo, games);
            0.5 * ((centre - hypothesis).powi(2) / unit).ln_1p()
        });
        let (h0, h1) = self.hypotheses;
        (ratio, (centre - h0.midpoint(h1)).abs() / unit.sqrt())
    }

    /// The largest ratio of a mixture's step to the step of a test of two differences. The differences that matter in a
    /// mixture are no farther away than the data suggest, plus or minus their error.
    fn stretch(&self, lead: f64, observations: u64) -> f64 {
        if !self.test.is_mixture() {
            return 1.0;
        }
        let reach = lead + CAUTION / (observations as f64).sqrt();
        (0.5 + reach / self.step).max(1.0)
    }

    /// The number of observations before a bound at this distance is likely to be reached, at least 1.
    fn safe_steps(&self, distance: f64) -> u64 {
        let by_chance = (distance / (CAUTION * self.step)).powi(2);
        let by_drift = distance / (CAUTION * self.drift);
        // NaN becomes 0.
        (by_chance.min(by_drift) as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elo, SprtModel, SprtTest};

    fn run_exactly(simulator: &Simulator, seed: u64, number: u32) -> SimulatedTest {
        for results in simulator.results(seed, number) {
            let status = simulator.test.bounds(&results).status(results.llr(&simulator.test));
            if status != SprtStatus::Continue {
                return SimulatedTest { status, games: results.games() };
            }
        }
        unreachable!("a test of unequal hypotheses ends")
    }

    #[test]
    fn the_short_cut_ends_where_the_exact_ratio_does() {
        use SprtModel::{Logistic, Normalized};
        let cases = [
            (0.0, 40.0, 20.0, Normalized),
            (-100.0, 100.0, 30.0, Normalized),
            (300.0, 500.0, 900.0, Normalized),
            (0.0, 30.0, 15.0, Logistic),
            (-200.0, 0.0, 300.0, Logistic),
        ];
        for ((elo0, elo1, truth, model), bounds) in
            cases.into_iter().flat_map(|case| [(case, SprtTest::Wald), (case, SprtTest::Curved)])
        {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().with_test(bounds);
            let shares = ResultShares::assumed(truth, model, 0.5, Elo::new(50.0));
            let simulator = Simulator::new(&test, &shares);
            let (mut games, mut exact_games) = (0, 0);
            for number in 0..8 {
                let (short, exact) = (simulator.run(1, number), run_exactly(&simulator, 1, number));
                assert_eq!(short.status, exact.status, "{elo0} {elo1} {model:?} {bounds:?}");
                games += short.games;
                exact_games += exact.games;
            }
            assert!(games - exact_games <= exact_games / 50, "{games} games, exactly {exact_games}");
        }
    }

    #[test]
    fn results_come_as_often_as_their_shares_say() {
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let shares = [0.0, 0.1, 0.5, 0.4, 0.0];
        let simulator = Simulator::new(&test, &ResultShares::Pairs(shares));
        let (mut counts, mut random) = ([0; 5], ChaCha8Rng::seed_from_u64(1));
        (0..10_000).for_each(|_| simulator.observe_one(&mut counts, &mut random));
        for (count, share) in counts.into_iter().zip(shares) {
            assert!((count as f64 / 10_000.0 - share).abs() < 0.02, "{counts:?}");
        }
        assert_eq!((counts[0], counts[4]), (0, 0));
    }

    /// All games are drawn, so the spread is unknown and every look is exact.
    #[test]
    fn results_without_a_spread_take_few_exact_looks() {
        let test = Sprt::new(-5.7, 5.5, 1e-12, 0.4, SprtModel::Normalized).unwrap();
        let drawn = ResultShares::Games([0.0, 1.0, 0.0]);
        let SimulatedTest { status, games } = Simulator::new(&test, &drawn).run(1, 0);
        let status_after = |draws| {
            let drawn = Observations::Games(Wdl::new(0, draws, 0));
            test.bounds(&drawn).status(drawn.llr(&test))
        };
        assert_eq!(status, status_after(games));
        assert_eq!(status_after(games * 98 / 100), SprtStatus::Continue, "{games} games are too many");
    }
}
