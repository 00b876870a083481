//! `arbiter man`: the manual page, made from the same arguments that are parsed.

use std::io;

use clap::CommandFactory;
use clap_mangen::Man;

use super::Cli;
use crate::cli::{Blame, CliResult, ExitCode};

/// Prints the page in roff; `arbiter man | man -l -` shows it.
pub fn run() -> CliResult {
    Man::new(Cli::command()).render(&mut io::stdout()).fault()?;
    Ok(ExitCode::Done)
}
