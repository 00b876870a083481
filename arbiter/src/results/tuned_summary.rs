//! The start and present value of a tuned parameter.

use serde::{Deserialize, Serialize};

use runner::Tuning;

/// A parameter, its first value and its present one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedSummary {
    /// The UCI option.
    pub name: String,
    /// The start value.
    pub from: f64,
    /// The present value, exact: a whole number keeps its fraction for the next pairs.
    pub value: f64,
    /// The present value as the engine takes it.
    pub text: String,
    /// In 95% of runs a parameter without effect ends at most this far from its start value.
    pub by_chance: f64,
}

impl TunedSummary {
    /// The parameters in the order of the run.
    pub fn of_tuning(tuning: &Tuning) -> Vec<TunedSummary> {
        let spsa = tuning.spsa();
        let parameters = spsa.plan().parameters.iter().zip(spsa.parameters());
        let summary = parameters.map(|(parameter, tuned)| TunedSummary {
            name: parameter.name.clone(),
            from: parameter.value,
            value: tuned.value,
            text: parameter.text(parameter.nearest(tuned.value)),
            by_chance: tuned.by_chance,
        });
        summary.collect()
    }

    /// How far the value has moved.
    pub fn change(&self) -> f64 {
        self.value - self.from
    }

    /// The change divided by `by_chance`; 0 before the first change.
    pub fn strength(&self) -> f64 {
        if self.by_chance > 0.0 { self.change().abs() / self.by_chance } else { 0.0 }
    }
}
