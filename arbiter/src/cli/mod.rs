//! The command line: what was typed becomes a validated configuration, then a command runs.
//!
//! One file per command in `commands`; each has its raw arguments and turns them into the types of the library, where
//! invalid combinations are errors and nothing is silently changed. Errors become one clear message and an
//! [`ExitCode`] here, in one place.

mod ablation;
mod books;
mod ci;
mod commands;
mod console;
mod control;
mod engine_sessions;
mod engines;
mod error;
mod exit_code;
mod finished_games;
mod interrupts;
mod machine;
mod match_args;
mod mining_log;
mod new_file;
mod new_folder;
mod play;
mod recorded_path;
mod results_source;
mod run_file;
mod series;
mod sha256;
mod shipped;
mod source_games;
mod sparring;
mod spectators;
mod state_file;
mod step_summary;
mod stop_flag;
mod suite_files;
mod suite_text;
mod versions;
mod web;

use std::io::{self, Write};

use clap::Parser;

pub use exit_code::ExitCode;

use commands::Command;

/// Plays UCI chess engines against each other, checks that they know the rules and the tactics, and says with honest
/// error bars which build is better.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, after_help = ExitCode::HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the program: reads the arguments, runs the command, reports an error, and says how it ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors, and a closed pipe is no reason to fail while printing them.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        }
    };
    cli.command.run().unwrap_or_else(|error| {
        if !error.is_closed_output() {
            let _ = writeln!(io::stderr(), "error: {}", error.message());
        }
        error.exit_code()
    })
}
