//! What results mean: rating lists, sequential tests, and what tests and adjudication cost.

pub mod adjudication;
pub mod forecast;
pub mod plan;
pub mod rate;
pub mod sprt;
