//! `arbiter report DIR…`: the report about a run, or the history that several make, as one HTML page.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use crate::cli::ExitCode;
use crate::cli::error::{Blame, CliError, CliResult};
use crate::report::{HistoryReport, RunReport};

/// The arguments of `arbiter report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run folder; several make a history, in which all their games are rated together
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Write the page to this file instead of report.html in the run folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ReportArgs {
    /// Reads the journals and writes the page. Nothing else in the folders is changed, and runs may still be going on.
    pub fn run(self) -> CliResult {
        let file = match (&self.folders[..], self.out) {
            ([folder], out) => {
                let file = out.unwrap_or_else(|| folder.join(RunReport::FILE));
                RunReport::of_folder(folder).usage()?.write(&file).fault()?;
                file
            }
            (folders, Some(file)) => {
                HistoryReport::of_folders(folders).usage()?.write(&file).fault()?;
                file
            }
            (_, None) => {
                let problem = anyhow!(
                    "several runs make a history, which belongs to no run folder: expected --out FILE"
                );
                return Err(CliError::Usage(problem));
            }
        };
        writeln!(io::stdout(), "  wrote {}", file.display()).fault()?;
        Ok(ExitCode::Done)
    }
}
