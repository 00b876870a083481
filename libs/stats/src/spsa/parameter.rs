//! One number that is tuned.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A parameter with its range and its steps: a row of OpenBench's input of an SPSA test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaParameter {
    /// The name of the UCI option.
    pub name: String,
    /// What values it takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The value to begin with.
    pub value: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// How far each of the two engines is from the present value in the last pair.
    pub c_end: f64,
    /// The rate of the last pair: what a pair that is won by one game moves the value by, in parts of `c_end`.
    pub r_end: f64,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// Whole numbers.
    Int,
    /// Any numbers.
    Float,
}

/// What is wrong with a parameter.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidParameter {
    /// Without a name no option can be set.
    #[error("name: expected the name of a UCI option, found nothing")]
    NoName,
    /// A number that is none.
    #[error("{0}: expected a finite number")]
    NotFinite(&'static str),
    /// A range without values.
    #[error("min, max: expected min below max, found {min} and {max}")]
    EmptyRange {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// A beginning outside the range.
    #[error("value: expected a number from {min} to {max}, found {value}")]
    OutOfRange {
        /// The value to begin with.
        value: f64,
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
    },
    /// A whole number that has a fraction.
    #[error("{field}: expected a whole number, because the type is int; found {value}")]
    NotWhole {
        /// The column.
        field: &'static str,
        /// What is there.
        value: f64,
    },
    /// A step or rate that moves nothing.
    #[error("{field}: expected a number above 0, found {value}")]
    NotPositive {
        /// The column.
        field: &'static str,
        /// What is there.
        value: f64,
    },
    /// A step that an engine would not notice.
    #[error("c_end: expected at least 0.5, because the type is int; found {0}")]
    StepTooSmall(f64),
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
        if self.kind == ParameterKind::Int {
            if let Some((field, value)) =
                columns[1..3].iter().copied().find(|(_, limit)| limit.fract() != 0.0)
            {
                return Err(InvalidParameter::NotWhole { field, value });
            }
            if self.c_end < 0.5 {
                return Err(InvalidParameter::StepTooSmall(self.c_end));
            }
        }
        Ok(())
    }

    /// The nearest value that the parameter takes.
    pub fn nearest(&self, value: f64) -> f64 {
        match self.kind {
            ParameterKind::Int => value.round().clamp(self.min, self.max),
            ParameterKind::Float => value.clamp(self.min, self.max),
        }
    }

    /// A value that the parameter takes, as an engine reads it: a whole number, or six digits after the point.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Int => format!("{value:.0}"),
            ParameterKind::Float => format!("{value:.6}"),
        }
    }
}
