//! The measurements of a build: its bench, perft, tactics, speed, and a match against another build. Each measurement is
//! a file. `arbiter ci` compares them with a baseline, `arbiter bisect` with those of a good build.

pub mod bench;
pub mod games;
mod measure_error;
mod number_pattern;
pub mod perft;
pub mod speed;
pub mod tactics;

pub use measure_error::{MeasureError, introduce, start};
pub use number_pattern::NumberPattern;
