//! The parameters and the schedule of a run.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{InvalidSpsa, ParameterKind, SpsaParameter};

/// The parameters and the schedule of a run, and the seed of its random choices.
///
/// In pair `k` of `n`, counted from 1, the engines get the current value ± `c`. A score of `s` (wins minus losses, from
/// -2 to 2) moves the value by `a / c · s`, where
///
/// ```text
/// c = c_end · (n / k)^gamma
/// a = r_end · c_end² · ((A + n) / (A + k))^alpha      A = stability · n
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct SpsaPlan {
    /// The number of pairs of games.
    pub pairs: u32,
    /// The exponent of the learning rate `a`.
    #[cfg_attr(feature = "serde", serde(default = "SpsaPlan::default_alpha"))]
    pub alpha: f64,
    /// The exponent of the perturbation `c`.
    #[cfg_attr(feature = "serde", serde(default = "SpsaPlan::default_gamma"))]
    pub gamma: f64,
    /// `A` divided by the number of pairs. A larger `A` makes the first steps smaller.
    #[cfg_attr(feature = "serde", serde(default = "SpsaPlan::default_stability"))]
    pub stability: f64,
    /// The values of a pair do not depend on the `delay` pairs before it, so that pairs can be played in parallel.
    pub delay: u32,
    /// The seed of the random directions.
    pub seed: u64,
    /// Whether steps and rates are given with the parameters or learned from the games.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Steps::is_given"))]
    pub steps: Steps,
    /// The scores of the first pairs, which were played before this run: wins minus losses of the first engine.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub known: Vec<i8>,
    /// The parameters, at least one.
    pub parameters: Vec<SpsaParameter>,
}

/// How far the values of a pair are apart, and how far its score moves them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Steps {
    /// By `c_end` and `r_end` of each parameter and the schedule of the plan.
    #[default]
    Given,
    /// By a model of how each parameter changes the strength. `c_end`, `r_end` and the schedule have no effect.
    Learned {
        /// The run is over once the best values are expected to gain less than this over the current ones, in Elo.
        worth: f64,
    },
}

impl Steps {
    /// Whether steps and rates are given with the parameters.
    pub fn is_given(&self) -> bool {
        *self == Steps::Given
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Perturbation {
    /// For each parameter, whether the first engine has the larger value.
    ups: Vec<bool>,
    /// For each parameter, the number from 0 to 1 that is added before rounding down; equal for both engines.
    offsets: Vec<f64>,
}

impl SpsaPlan {
    /// The default of `alpha`.
    pub const ALPHA: f64 = 0.602;
    /// The default of `gamma`.
    pub const GAMMA: f64 = 0.101;
    /// The default of `stability`.
    pub const STABILITY: f64 = 0.1;
}

#[cfg(feature = "serde")]
impl SpsaPlan {
    fn default_alpha() -> f64 {
        SpsaPlan::ALPHA
    }

    fn default_gamma() -> f64 {
        SpsaPlan::GAMMA
    }

    fn default_stability() -> f64 {
        SpsaPlan::STABILITY
    }
}

impl SpsaPlan {
    /// Checks the parameters and the schedule.
    ///
    /// # Errors
    /// The first problem.
    pub fn validate(&self) -> Result<(), InvalidSpsa> {
        let wrong = |problem: String| Err(InvalidSpsa(problem));
        if self.parameters.is_empty() {
            return wrong("parameters: expected at least one".to_owned());
        }
        let schedule = [("alpha", self.alpha), ("gamma", self.gamma), ("stability", self.stability)];
        if let Some((field, value)) = schedule.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            return wrong(format!("{field}: expected a number from 0 to 1, found {value}"));
        }
        if let Steps::Learned { worth } = self.steps
            && !(0.0..1000.0).contains(&worth)
        {
            return wrong(format!("worth: expected a number from 0 to 1000, found {worth}"));
        }
        if let Some(score) = self.known.iter().find(|score| !(-2..=2).contains(*score)) {
            return wrong(format!("known: expected scores of pairs, from -2 to 2, found {score}"));
        }
        if self.known.len() > self.pairs as usize {
            return wrong(format!(
                "known: expected at most {} scores, found {}",
                self.pairs,
                self.known.len()
            ));
        }
        let mut names = HashSet::new();
        for parameter in &self.parameters {
            let name = &parameter.name;
            parameter.validate().or_else(|problem| wrong(format!("parameter {name}: {problem}")))?;
            if !names.insert(name.to_lowercase()) {
                return wrong(format!("parameter {name}: listed twice"));
            }
        }
        Ok(())
    }

    /// The perturbation `c` of a parameter in a pair; pairs are numbered from 0.
    pub(super) fn step(&self, parameter: &SpsaParameter, pair: u32) -> f64 {
        parameter.c_end * (f64::from(self.pairs) / f64::from(pair + 1)).powf(self.gamma)
    }

    /// The change of a parameter per point of a pair's score: `a / c`.
    pub(super) fn gain(&self, parameter: &SpsaParameter, pair: u32) -> f64 {
        let (all, present) = (f64::from(self.pairs), f64::from(pair + 1));
        let held = self.stability * all;
        let rate =
            parameter.r_end * parameter.c_end.powi(2) * ((held + all) / (held + present)).powf(self.alpha);
        rate / self.step(parameter, pair)
    }

    pub(super) fn perturbation(&self, pair: u32) -> Perturbation {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(pair));
        let parameters = || 0..self.parameters.len();
        Perturbation {
            ups: parameters().map(|_| random.random()).collect(),
            offsets: parameters().map(|_| random.random()).collect(),
        }
    }

    /// The perturbations `c` of all parameters in a pair.
    pub(super) fn steps(&self, pair: u32) -> Vec<f64> {
        self.parameters.iter().map(|parameter| self.step(parameter, pair)).collect()
    }

    /// The values of both engines in a pair, at a distance of `steps` from the current ones.
    pub(super) fn ends(&self, values: &[f64], steps: &[f64], pair: u32) -> [Vec<f64>; 2] {
        let perturbation = self.perturbation(pair);
        [1.0, -1.0].map(|side| {
            let parameters = self.parameters.iter().enumerate();
            let end = |(index, parameter): (usize, &SpsaParameter)| {
                let exact = values[index] + side * perturbation.sign(index) * steps[index];
                let taken = match parameter.kind {
                    ParameterKind::Int => (exact + perturbation.offsets[index]).floor(),
                    ParameterKind::Float => exact,
                };
                taken.clamp(parameter.min, parameter.max)
            };
            parameters.map(end).collect()
        })
    }
}

impl Perturbation {
    /// 1 if the first engine has the larger value of the parameter, otherwise -1.
    pub(super) fn sign(&self, parameter: usize) -> f64 {
        if self.ups[parameter] { 1.0 } else { -1.0 }
    }
}
