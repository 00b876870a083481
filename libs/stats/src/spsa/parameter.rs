//! A tuned parameter.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A parameter, its range and its schedule: a row of OpenBench's SPSA input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaParameter {
    /// The name of the UCI option.
    pub name: String,
    /// Whole numbers or any.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The start value.
    pub value: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation in the last pair: the distance of either engine from the present value.
    pub c_end: f64,
    /// The learning rate of the last pair: a score of one game moves the value by this times `c_end`.
    pub r_end: f64,
}

/// The values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Whole numbers.
    Int,
    /// Any numbers.
    Float,
}

impl ParameterKind {
    /// The smallest perturbation that is left of a value [as text](SpsaParameter::text).
    const fn smallest_step(self) -> f64 {
        match self {
            ParameterKind::Int => 0.5,
            ParameterKind::Float => 0.00001,
        }
    }
}

/// A problem of a parameter.
#[derive(Clone, Debug, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum InvalidParameter {
    /// The name is empty.
    #[error("name: expected the name of a UCI option, found nothing")]
    NoName,
    /// A number is infinite or not a number.
    #[error("{0}: expected a finite number")]
    NotFinite(&'static str),
    /// The range is empty.
    #[error("min, max: expected min below max, found {min} and {max}")]
    EmptyRange { min: f64, max: f64 },
    /// The start value is outside the range.
    #[error("value: expected a number from {min} to {max}, found {value}")]
    OutOfRange { value: f64, min: f64, max: f64 },
    /// A limit of an `int` has a fraction.
    #[error("{field}: expected a whole number, because the type is int; found {value}")]
    NotWhole { field: &'static str, value: f64 },
    /// `c_end` or `r_end` is not positive.
    #[error("{field}: expected a number above 0, found {value}")]
    NotPositive { field: &'static str, value: f64 },
    /// Rounding would remove the perturbation.
    #[error("c_end: expected at least {least}, because values are rounded; found {found}")]
    StepTooSmall { least: f64, found: f64 },
}

impl SpsaParameter {
    /// Checks the numbers against each other.
    ///
    /// # Errors
    /// The first column that is wrong.
    pub fn validate(&self) -> Result<(), InvalidParameter> {
        let SpsaParameter { value, min, max, .. } = *self;
        if self.name.trim().is_empty() {
            return Err(InvalidParameter::NoName);
        }
        let columns =
            [("value", value), ("min", min), ("max", max), ("c_end", self.c_end), ("r_end", self.r_end)];
        if let Some((field, _)) = columns.iter().find(|(_, number)| !number.is_finite()) {
            return Err(InvalidParameter::NotFinite(field));
        }
        if min >= max {
            return Err(InvalidParameter::EmptyRange { min, max });
        }
        if !(min..=max).contains(&value) {
            return Err(InvalidParameter::OutOfRange { value, min, max });
        }
        if let Some((field, value)) = columns[3..].iter().copied().find(|(_, number)| *number <= 0.0) {
            return Err(InvalidParameter::NotPositive { field, value });
        }
        let fraction = columns[1..3].iter().copied().find(|(_, limit)| limit.fract() != 0.0);
        if let (ParameterKind::Int, Some((field, value))) = (self.kind, fraction) {
            return Err(InvalidParameter::NotWhole { field, value });
        }
        let least = self.kind.smallest_step();
        if self.c_end < least {
            return Err(InvalidParameter::StepTooSmall { least, found: self.c_end });
        }
        Ok(())
    }

    /// The nearest possible value of the parameter.
    pub fn nearest(&self, value: f64) -> f64 {
        match self.kind {
            ParameterKind::Int => value.round().clamp(self.min, self.max),
            ParameterKind::Float => value.clamp(self.min, self.max),
        }
    }

    /// A possible value as the engine reads it: a whole number, or six digits after the point.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Int => format!("{value:.0}"),
            ParameterKind::Float => format!("{value:.6}"),
        }
    }
}
