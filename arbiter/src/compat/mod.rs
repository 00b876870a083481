//! The command lines of other programs: `arbiter fastchess …` and `arbiter cutechess …`, also available by naming the
//! program (a link or a copy) after them.
//!
//! A dialect does not play matches itself. Its options become a [`Tournament`], which is also what `config.json` holds. That
//! becomes the configuration of an ordinary run, and the events of the run are printed in the format that scripts, OpenBench
//! and fishtest read. Only the runner decides a test. An option is either honoured or refused with an error that names an
//! alternative.
//!
//! The formats follow fastchess 1.8.2 (`cli.cpp`, `man.md`, `output_fastchess.hpp`, `pgn_builder.cpp`) and cutechess-cli
//! 1.5 (`help.txt`).

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

use crate::options::SharedArgs;

pub use command::{DialectArgs, dialect_of_program, read_line};
pub use dialect_config::Tournament;
pub use result_block::result_blocks;

/// The options of both programs, with their dashes.
pub fn option_names() -> impl Iterator<Item = String> {
    let shared = SharedArgs::names().into_iter().map(|name| format!("-{name}"));
    fastchess_options::names().chain(cutechess_options::names()).map(str::to_owned).chain(shared)
}
