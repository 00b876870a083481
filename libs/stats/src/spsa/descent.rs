//! A run of SPSA.

use std::collections::BTreeMap;

use super::responses::{LearnedParameter, Responses};
use super::{SpsaPlan, Steps};
use crate::normal::Z_95;

/// A run of SPSA. It depends on the plan and the scores of the pairs, but not on the order in which scores arrive.
///
/// ```
/// use stats::{ParameterKind, Spsa, SpsaParameter, SpsaPlan, Steps};
///
/// let (name, kind) = ("Margin".to_owned(), ParameterKind::Int);
/// let margin = SpsaParameter { name, kind, value: 100.0, min: 0.0, max: 200.0, c_end: 10.0, r_end: 0.02 };
/// let (alpha, gamma, stability) = (SpsaPlan::ALPHA, SpsaPlan::GAMMA, SpsaPlan::STABILITY);
/// let parameters = vec![margin];
/// let mut spsa = Spsa::new(SpsaPlan { pairs: 1000, alpha, gamma, stability, delay: 0, seed: 1, steps: Steps::Given, known: vec![], parameters });
/// let [first, second] = spsa.ends(0).expect("the first pair can be played");
/// let has_first_more = first[0] > second[0];
/// // The first engine wins both games, so the value moves towards its own.
/// spsa.record(0, 2);
/// assert_eq!(spsa.parameters()[0].value > 100.0, has_first_more);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spsa {
    plan: SpsaPlan,
    /// The value of each parameter after the first pairs.
    values: Vec<f64>,
    /// The variance of each value, if the parameter has no effect and steps are given.
    chance: Vec<f64>,
    /// What has been learned about the parameters, if steps are learned.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    responses: Option<Responses>,
    /// The scores of the first pairs, which the values already reflect. A later pair's score waits for those before it.
    scores: Vec<i8>,
    /// The scores of later pairs, which are not used yet.
    waiting: BTreeMap<u32, i8>,
    /// The values of both engines, for each pair that may be played and whose score is not used yet.
    ends: BTreeMap<u32, [Vec<f64>; 2]>,
}

/// A run with learned steps is not over before this many pairs.
const LEAST_PAIRS: u32 = 500;

/// The Elo that a change must be expected to gain, so that a value found differs from the start value.
const LEAST_GAIN: f64 = 0.1;

/// The current value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedParameter {
    /// The current value, not rounded.
    pub value: f64,
    /// The distance from the start value that 95% of parameters without effect do not exceed; 0 if steps are learned.
    pub by_chance: f64,
    /// What has been learned about the parameter, if steps are learned.
    pub learned: Option<LearnedParameter>,
}

impl Spsa {
    /// A run before its first game.
    ///
    /// # Panics
    /// If the plan is not valid.
    pub fn new(plan: SpsaPlan) -> Spsa {
        assert_eq!(plan.validate(), Ok(()));
        let values: Vec<f64> = plan.parameters.iter().map(|parameter| parameter.value).collect();
        let mut spsa = Spsa {
            chance: vec![0.0; values.len()],
            responses: (!plan.steps.is_given()).then(|| Responses::new(&plan.parameters)),
            values,
            scores: Vec::new(),
            waiting: BTreeMap::new(),
            ends: BTreeMap::new(),
            plan,
        };
        (0..=spsa.plan.delay).for_each(|pair| spsa.open(pair));
        (0..).zip(spsa.plan.known.clone()).for_each(|(pair, score)| spsa.record(pair, score));
        spsa
    }

    /// The parameters and the schedule.
    pub fn plan(&self) -> &SpsaPlan {
        &self.plan
    }

    /// The number of pairs whose scores are in the values.
    pub fn pairs(&self) -> u32 {
        self.scores.len() as u32
    }

    /// The scores that are in the values: wins minus losses of the first engine in each of the first pairs.
    pub fn scores(&self) -> &[i8] {
        &self.scores
    }

    /// The values of both engines in a pair. `None` while they depend on pairs without a score, and after the pair's
    /// own score has been used.
    pub fn ends(&self, pair: u32) -> Option<&[Vec<f64>; 2]> {
        self.ends.get(&pair)
    }

    /// Adds the score of a pair: wins minus losses of the first engine. A second score of a pair is ignored.
    pub fn record(&mut self, pair: u32, score: i8) {
        if pair >= self.pairs() {
            self.waiting.entry(pair).or_insert(score);
        }
        // Whatever the order of the scores, the run ends with the same pair.
        while !self.is_over()
            && let Some(score) = self.waiting.remove(&self.pairs())
        {
            self.learn(self.pairs(), f64::from(score));
            self.scores.push(score);
            self.open(self.pairs() + self.plan.delay);
        }
    }

    /// The current values of the parameters, in the order of the plan.
    pub fn parameters(&self) -> Vec<TunedParameter> {
        let learned = self.responses.as_ref().map(Responses::learned);
        let parameter = |index: usize| TunedParameter {
            value: self.values[index],
            by_chance: Z_95 * self.chance[index].sqrt(),
            learned: learned.as_ref().map(|learned| learned[index]),
        };
        (0..self.values.len()).map(parameter).collect()
    }

    /// The Elo that the best values are expected to gain over the current ones, if steps are learned.
    pub fn left_to_gain(&self) -> Option<f64> {
        Some(self.responses.as_ref()?.learned().iter().map(|learned| learned.left).sum())
    }

    /// Whether the model expects less gain from more games than they are worth. Always false if steps are given.
    pub fn is_over(&self) -> bool {
        let Steps::Learned { worth } = self.plan.steps else { return false };
        self.pairs() >= LEAST_PAIRS && self.left_to_gain().is_some_and(|left| left < worth)
    }

    /// A plan of SPSA that starts from the values found. If steps were learned, the plan has these steps, and rates that
    /// suit `pairs` pairs. A parameter keeps its start value if the change is expected to gain almost nothing.
    pub fn continued(&self, pairs: u32) -> SpsaPlan {
        let mut plan = SpsaPlan { pairs, known: Vec::new(), ..self.plan.clone() };
        for (parameter, tuned) in plan.parameters.iter_mut().zip(self.parameters()) {
            if tuned.learned.is_none_or(|learned| learned.gain >= LEAST_GAIN) {
                parameter.value = parameter.nearest(tuned.value);
            }
        }
        if let Some(responses) = &self.responses {
            let found = responses.steps().into_iter().zip(responses.rates(pairs));
            for (parameter, (step, rate)) in plan.parameters.iter_mut().zip(found) {
                (parameter.c_end, parameter.r_end) = (rounded(step), rounded(rate));
            }
            plan.steps = Steps::Given;
        }
        plan
    }

    fn open(&mut self, pair: u32) {
        if pair < self.plan.pairs {
            let steps = self.responses.as_ref().map_or_else(|| self.plan.steps(pair), Responses::steps);
            self.ends.insert(pair, self.plan.ends(&self.values, &steps, pair));
        }
    }

    fn learn(&mut self, pair: u32, score: f64) {
        let ends = self.ends.remove(&pair);
        if let Some(responses) = &mut self.responses {
            if let Some(ends) = ends {
                responses.learn(&ends, score);
            }
            self.values = responses.values();
            return;
        }
        let perturbation = self.plan.perturbation(pair);
        for (index, parameter) in self.plan.parameters.iter().enumerate() {
            let moved = self.plan.gain(parameter, pair) * score;
            let value = &mut self.values[index];
            *value = (*value + moved * perturbation.sign(index)).clamp(parameter.min, parameter.max);
            self.chance[index] += moved.powi(2);
        }
    }
}

/// A number with three significant digits.
fn rounded(number: f64) -> f64 {
    let unit = 10f64.powf(number.log10().floor() - 2.0);
    (number / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Elo, ParameterKind, SpsaParameter};

    fn parameter(name: &str, kind: ParameterKind, value: f64) -> SpsaParameter {
        let (min, max, c_end, r_end) = (-200.0, 200.0, 6.0, 0.02);
        SpsaParameter { name: name.to_owned(), kind, value, min, max, c_end, r_end }
    }

    fn plan(pairs: u32, delay: u32, parameters: Vec<SpsaParameter>) -> SpsaPlan {
        SpsaPlan {
            pairs,
            alpha: SpsaPlan::ALPHA,
            gamma: SpsaPlan::GAMMA,
            stability: SpsaPlan::STABILITY,
            delay,
            seed: 7,
            steps: Steps::Given,
            known: Vec::new(),
            parameters,
        }
    }

    /// The Elo of an engine: 10 at the optimum, 30 and -50, and falling quadratically away from it. The third
    /// parameter has no effect.
    fn strength(values: &[f64]) -> f64 {
        10.0 - (values[0] - 30.0).powi(2) / 50.0 - (values[1] + 50.0).powi(2) / 100.0
    }

    /// The score of a pair between engines with this Elo difference. Half of the games are drawn.
    fn score(difference: f64, random: &mut ChaCha8Rng) -> i8 {
        let expected = Elo::new(difference).expected_score();
        let game = |random: &mut ChaCha8Rng| -> i8 {
            let drawn: f64 = random.random();
            let (win, draw) = (expected - 0.25, 0.5);
            if drawn < win { 1 } else { -i8::from(drawn >= win + draw) }
        };
        game(random) + game(random)
    }

    fn three(first: f64, second: f64) -> Vec<SpsaParameter> {
        vec![
            parameter("first", ParameterKind::Int, first),
            parameter("second", ParameterKind::Float, second),
            parameter("idle", ParameterKind::Int, 0.0),
        ]
    }

    fn tuned(seed: u64) -> Spsa {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut spsa = Spsa::new(SpsaPlan { seed, ..plan(10_000, 8, three(0.0, 0.0)) });
        for pair in 0..10_000 {
            let [first, second] = spsa.ends(pair).unwrap();
            let score = score((strength(first) - strength(second)).clamp(-150.0, 150.0), &mut random);
            spsa.record(pair, score);
        }
        spsa
    }

    #[test]
    fn the_best_values_of_a_known_function_are_found() {
        for seed in 1..=3 {
            let spsa = tuned(seed);
            let [first, second, _] = &spsa.parameters()[..] else { panic!() };
            assert!((first.value - 30.0).abs() < 12.0, "{first:?}");
            assert!((second.value + 50.0).abs() < 15.0, "{second:?}");
        }
    }

    #[test]
    fn what_changes_nothing_stays_within_what_chance_would_do() {
        let idle = (0..100).map(|index| parameter(&index.to_string(), ParameterKind::Float, 0.0)).collect();
        let mut spsa = Spsa::new(plan(1000, 0, idle));
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..1000).for_each(|pair| spsa.record(pair, score(0.0, &mut random)));
        let inside = spsa.parameters().iter().filter(|idle| idle.value.abs() <= idle.by_chance).count();
        assert!((88..100).contains(&inside), "{inside} of 100");
    }

    #[test]
    fn the_last_pair_has_the_step_and_rate_that_were_asked_for() {
        let plan = plan(1000, 0, three(0.0, 0.0));
        let last = &plan.parameters[0];
        assert!((plan.step(last, 999) - last.c_end).abs() < 1e-12);
        assert!((plan.gain(last, 999) - last.r_end * last.c_end).abs() < 1e-12);
        assert!(plan.step(last, 0) > last.c_end && plan.gain(last, 0) > plan.gain(last, 500));
    }

    #[test]
    fn whole_numbers_are_rounded_up_as_often_as_they_are_nearer_to_the_next() {
        let plan = plan(4000, 0, vec![parameter("whole", ParameterKind::Int, 0.0)]);
        let mut sum = 0.0;
        for pair in 0..4000 {
            let [first, second] = plan.ends(&[0.3], &plan.steps(pair), pair);
            assert!(first[0].fract().abs() < 1e-9);
            let step = plan.step(&plan.parameters[0], pair);
            assert!(((first[0] - second[0]).abs() - 2.0 * step).abs() <= 1.0);
            sum += first[0] + second[0];
        }
        assert!((sum / 8000.0 - 0.3).abs() < 0.05, "{}", sum / 8000.0);
    }

    #[test]
    fn a_pair_waits_for_all_but_the_last_few_before_it() {
        let mut spsa = Spsa::new(plan(10, 2, three(0.0, 0.0)));
        assert!(spsa.ends(2).is_some() && spsa.ends(3).is_none());
        spsa.record(1, 2);
        assert!(spsa.ends(3).is_none());
        spsa.record(0, -1);
        assert!(spsa.ends(4).is_some() && spsa.ends(5).is_none() && spsa.ends(1).is_none());
        (2..10).for_each(|pair| spsa.record(pair, 1));
        assert_eq!((spsa.pairs(), spsa.ends.len()), (10, 0));
    }

    #[test]
    fn a_value_stays_in_its_range() {
        let edge = SpsaParameter { max: 3.0, r_end: 5.0, ..parameter("edge", ParameterKind::Int, 0.0) };
        let mut spsa = Spsa::new(plan(50, 0, vec![edge]));
        for pair in 0..50 {
            let [first, second] = spsa.ends(pair).unwrap();
            assert!(first[0] <= 3.0 && second[0] <= 3.0);
            let up = if first[0] > second[0] { 2 } else { -2 };
            spsa.record(pair, up);
        }
        assert!((spsa.parameters()[0].value - 3.0).abs() < 1e-9);
        assert!((spsa.continued(1).parameters[0].value - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_wrong_plan_says_which_parameter_and_column() {
        let wrong = |change: fn(&mut SpsaParameter)| {
            let mut plan = plan(10, 0, three(0.0, 0.0));
            change(&mut plan.parameters[1]);
            plan.validate().unwrap_err().to_string()
        };
        assert_eq!(
            wrong(|p| p.max = -200.0),
            "parameter second: min, max: expected min below max, found -200 and -200"
        );
        assert_eq!(
            wrong(|p| p.value = 300.0),
            "parameter second: value: expected a number from -200 to 200, found 300"
        );
        assert_eq!(wrong(|p| p.r_end = 0.0), "parameter second: r_end: expected a number above 0, found 0");
        assert_eq!(wrong(|p| p.c_end = f64::NAN), "parameter second: c_end: expected a finite number");
        assert_eq!(wrong(|p| "First".clone_into(&mut p.name)), "parameter First: listed twice");
        let none = SpsaPlan { parameters: Vec::new(), ..plan(10, 0, three(0.0, 0.0)) };
        assert_eq!(none.validate().unwrap_err().to_string(), "parameters: expected at least one");
    }

    proptest! {
        #[test]
        fn the_order_in_which_pairs_end_changes_nothing(
            scores in prop::collection::vec(-2_i8..=2, 30),
            order in any::<u64>(),
            known in 0_usize..=30,
        ) {
            let new = || Spsa::new(plan(30, 4, three(0.0, 0.0)));
            let mut expected = new();
            for (pair, &score) in scores.iter().enumerate() {
                expected.record(pair as u32, score);
            }
            let (mut spsa, mut random, mut played) = (new(), ChaCha8Rng::seed_from_u64(order), [false; 30]);
            while spsa.pairs() < 30 {
                let open: Vec<u32> = spsa.ends.keys().copied().filter(|&pair| !played[pair as usize]).collect();
                let pair = open[random.random_range(0..open.len())];
                played[pair as usize] = true;
                spsa.record(pair, scores[pair as usize]);
            }
            prop_assert_eq!(&spsa, &expected);
            // Nor does it matter whether the first pairs were played before.
            let mut rest = Spsa::new(SpsaPlan { known: scores[..known].to_vec(), ..plan(30, 4, three(0.0, 0.0)) });
            (known..30).for_each(|pair| rest.record(pair as u32, scores[pair]));
            prop_assert_eq!(rest.parameters(), spsa.parameters());
        }
    }
}
