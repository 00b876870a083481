//! Rating lists that grow: a folder of runs under one set of conditions, and who plays next.

mod command;
mod conditions;
mod counted_run;
mod list_file;
mod page;
mod pgn_by_engine;
mod play;
mod rounds;
mod standing;
mod written_runs;

pub use command::ListPart;
