//! Arbiter plays UCI chess engines against each other, checks that they know the rules and the tactics, times
//! them, and says with honest error bars which build is better.

pub mod cli;
pub mod report;
pub mod suites;
