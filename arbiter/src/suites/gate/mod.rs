//! The gate: everything that a build has to pass before it may go on, as records.
//!
//! A [`Step`] asks one question about a build, and a [`StepResult`] is the answer: a verdict, a sentence, and the
//! single checks behind it. A [`GateResult`] is all of them. What a build did is a [`Baseline`]; one that was kept says
//! what the next build is expected to do. Nothing here starts an engine: who does hands in the records.

mod baseline;
mod baseline_error;
mod gate_result;
mod step;
mod step_result;

pub use baseline::{Baseline, BenchRecord, PerftRecord, SpeedRecord, TacticsRecord};
pub use baseline_error::BaselineError;
pub use gate_result::GateResult;
pub use step::{Step, UnknownStep};
pub use step_result::{CheckOutcome, GateCheck, StepResult, StepVerdict};
