//! Simultaneous perturbation stochastic approximation: many numbers tuned at once by pairs of noisy comparisons.
//!
//! Every pair of games changes all parameters at once, each by its step up or down at random, and lets the one end of
//! the change play the other. The score moves every parameter towards the end that won, by a little (Spall, "An overview
//! of the simultaneous perturbation method for efficient optimization", 1998). Schedules and their parameters are those
//! of fishtest and OpenBench, where a user gives the step and the rate for the last pair.

mod descent;
mod parameter;
mod plan;

pub use descent::{Spsa, TunedParameter};
pub use parameter::{InvalidParameter, ParameterKind, SpsaParameter};
pub use plan::{InvalidSpsa, SpsaPlan};
