//! What results mean: rating lists, sequential tests, and what tests and adjudication cost.

pub mod adjudication;
mod encounter_table;
pub mod forecast;
pub mod plan;
pub mod rate;
pub mod sprt;

pub use encounter_table::EncounterTable;
