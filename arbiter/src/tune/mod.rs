//! `arbiter tune`: tunes the numbers of an engine by games (SPSA).
//!
//! A tuning run is a run: the engine plays itself, each pair of games with other values of its options, which follow from
//! the scores of the pairs before. So it is shown, stopped, resumed and reported as any run is.

mod ask_tell;
mod command;
mod spec;
mod tuned_text;

pub use command::TuneArgs;
pub use tuned_text::TunedForm;
