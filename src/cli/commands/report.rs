//! `arbiter report DIR`: the report about a run as one HTML page.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::ExitCode;
use crate::cli::error::{Blame, CliResult};
use crate::report::RunReport;

/// The arguments of `arbiter report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Write the page to this file instead of report.html in the run folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ReportArgs {
    /// Reads the journal and writes the page. Nothing else in the folder is changed, and the run may still be going on.
    pub fn run(self) -> CliResult {
        let report = RunReport::of_folder(&self.folder).usage()?;
        let file = self.out.unwrap_or_else(|| self.folder.join(RunReport::FILE));
        report.write(&file).fault()?;
        writeln!(io::stdout(), "  wrote {}", file.display()).fault()?;
        Ok(ExitCode::Done)
    }
}
