//! The suites that this tool makes, and the program itself.

mod hard_suites;
mod perft_mutants;
mod refusals;
