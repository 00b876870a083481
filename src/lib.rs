//! Arbiter plays UCI chess engines against each other, checks that they know the rules and the tactics, times
//! them, and says with honest error bars which build is better. Tarrasch, the full engine, is in `engine`.

pub mod chess;
pub mod engine;
pub mod openings;
pub mod process;
pub mod referee;
pub mod report;
pub mod runner;
pub mod stats;
pub mod suites;
pub mod uci;
