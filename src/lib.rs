//! Arbiter plays UCI chess engines against each other, checks that they know the rules and the tactics, times
//! them, and says with honest error bars which build is better. Tarrasch, the full engine, is in `engine`.
//!
//! Without the feature `harness` only what engines need is left, which is built in a fraction of the time.

pub mod chess;
#[cfg(feature = "harness")]
pub mod cli;
pub mod engine;
#[cfg(feature = "harness")]
pub mod openings;
#[cfg(feature = "harness")]
pub mod process;
#[cfg(feature = "referee")]
pub mod referee;
#[cfg(feature = "harness")]
pub mod report;
#[cfg(feature = "harness")]
pub mod runner;
#[cfg(feature = "harness")]
pub mod stats;
#[cfg(feature = "harness")]
pub mod suites;
pub mod uci;
