//! The log-likelihood ratio of a sequential test.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

/// The natural log-likelihood ratio of H1 and H0; a positive one supports H1. Always finite when an
/// [`Sprt`](super::Sprt) computed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Llr(f64);

impl Llr {
    /// A ratio in natural logarithms.
    pub const fn new(value: f64) -> Llr {
        Llr(value)
    }

    /// The ratio as a plain number.
    pub const fn value(self) -> f64 {
        self.0
    }
}

impl Neg for Llr {
    type Output = Llr;

    fn neg(self) -> Llr {
        Llr(-self.0)
    }
}

/// The bare number; precision, sign and width are the caller's (`{:.2}`).
impl fmt::Display for Llr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
