//! Simultaneous perturbation stochastic approximation (SPSA): tunes many parameters at once from noisy comparisons.
//!
//! Each pair of games perturbs all parameters at once, each up or down at random; one engine gets the perturbed values,
//! the other the opposite ones. The score moves every parameter a little towards the winner (Spall, "An overview of the
//! simultaneous perturbation method for efficient optimization", 1998). As in fishtest and OpenBench, the user gives
//! the perturbation and the learning rate of the last pair.

mod descent;
mod parameter;
mod responses;
mod spsa_plan;

pub use descent::{Spsa, TunedParameter};
pub use parameter::{InvalidSpsa, ParameterKind, SpsaParameter};
pub use responses::LearnedParameter;
pub use spsa_plan::{SpsaPlan, Steps};
