//! A tuned parameter.

use std::ops::Range;

use thiserror::Error;

/// A parameter, its range and its schedule: a row of OpenBench's SPSA input.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct SpsaParameter {
    /// The name of the UCI option.
    pub name: String,
    /// Whether the values are integers or any numbers.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: ParameterKind,
    /// The start value.
    pub value: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation in the last pair: the distance of either engine's value from the current value.
    pub c_end: f64,
    /// The learning rate of the last pair: a score of one game moves the value by `r_end` times `c_end`.
    pub r_end: f64,
}

/// The type of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum ParameterKind {
    /// Integers.
    Int,
    /// Floating-point numbers.
    Float,
}

impl ParameterKind {
    /// The smallest perturbation that survives the rounding of [`text`](SpsaParameter::text).
    const fn smallest_step(self) -> f64 {
        match self {
            ParameterKind::Int => 0.5,
            ParameterKind::Float => 0.00001,
        }
    }
}

/// The error in a parameter or a plan, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidSpsa(pub(super) String);

impl SpsaParameter {
    /// Checks the numbers of the parameter.
    ///
    /// # Errors
    /// The first column with an error.
    pub fn validate(&self) -> Result<(), InvalidSpsa> {
        let SpsaParameter { value, min, max, c_end, r_end, .. } = *self;
        let columns = [("value", value), ("min", min), ("max", max), ("c_end", c_end), ("r_end", r_end)];
        let first = |range: Range<usize>, is_wrong: fn(f64) -> bool| {
            columns[range].iter().copied().find(|(_, number)| is_wrong(*number))
        };
        let least = self.kind.smallest_step();
        let problem = if self.name.trim().is_empty() {
            "name: expected the name of a UCI option, found nothing".to_owned()
        } else if let Some((field, _)) = first(0..5, |number| !number.is_finite()) {
            format!("{field}: expected a finite number")
        } else if min >= max {
            format!("min, max: expected min below max, found {min} and {max}")
        } else if !(min..=max).contains(&value) {
            format!("value: expected a number from {min} to {max}, found {value}")
        } else if let Some((field, value)) = first(3..5, |number| number <= 0.0) {
            format!("{field}: expected a number above 0, found {value}")
        } else if let (ParameterKind::Int, Some((field, value))) =
            (self.kind, first(1..3, |limit| limit.fract() != 0.0))
        {
            format!("{field}: expected a whole number, because the type is int; found {value}")
        } else if c_end < least {
            format!("c_end: expected at least {least}, because values are rounded; found {c_end}")
        } else {
            return Ok(());
        };
        Err(InvalidSpsa(problem))
    }

    /// The nearest allowed value of the parameter.
    pub fn nearest(&self, value: f64) -> f64 {
        match self.kind {
            ParameterKind::Int => value.round().clamp(self.min, self.max),
            ParameterKind::Float => value.clamp(self.min, self.max),
        }
    }

    /// An allowed value in the form that the engine reads: an integer, or a number with six decimals.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Int => format!("{value:.0}"),
            ParameterKind::Float => format!("{value:.6}"),
        }
    }
}
