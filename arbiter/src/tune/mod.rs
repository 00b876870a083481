//! `arbiter tune`: tunes UCI options of an engine by SPSA.
//!
//! The engine plays against itself. Each pair of games has other values of the options, computed from the scores of
//! earlier pairs. Display, stop, `resume` and report are those of any other run.

mod ask_tell;
mod command;
mod spec;

pub use command::TuneArgs;
pub use spec::TunedForm;
pub(crate) use spec::read as read_parameters;
