//! Others' command lines: `arbiter fastchess …` and `arbiter cutechess …`, and the same when the program is called by the
//! name of theirs.
//!
//! A dialect owns nothing of a match. Its words become a [`Tournament`], which is also what `config.json` holds; that becomes
//! the configuration of a run like any other, and the events of the run are printed in the form that scripts, OpenBench and
//! fishtest read. The runner alone decides a test. What an option of theirs asks for is done, or it is an error that names
//! what to use instead.
//!
//! The forms are those of fastchess 1.8.2 (`cli.cpp`, `man.md`, `output_fastchess.hpp`, `pgn_builder.cpp`) and
//! cutechess-cli 1.5 (`help.txt`).

mod command;
mod cutechess_options;
mod cutechess_results;
mod dialect_config;
mod engine_options;
mod fastchess_options;
mod option_table;
mod output;
mod pgn_out;
mod reason;
mod result_block;
mod run_of_tournament;
mod scores;
mod state_file_text;
mod temporary_run;
mod written_files;

pub use command::{DialectArgs, dialect_of_program, read_line};
pub use dialect_config::Tournament;
pub use result_block::result_blocks;

/// The options of both programs, with their dashes.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    fastchess_options::names().chain(cutechess_options::names())
}
