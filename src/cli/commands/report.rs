//! `arbiter report DIR…`: what came of runs, in the format that is asked for.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::cli::error::{Blame, CliError, CliResult};
use crate::cli::{ExitCode, console};
use crate::report::{ResultsJson, RunOutcome, SummaryText, junit, markdown, results_csv};

/// The arguments of `arbiter report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArgs,

    /// Write to this file, which is replaced if it exists, and not to the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// At most one of these.
#[derive(Debug, Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each format, as they are typed")]
struct FormatArgs {
    /// A row for every two engines that met
    #[arg(long)]
    csv: bool,

    /// Everything but the games, by docs/report.schema.json
    #[arg(long)]
    json: bool,

    /// A test suite for each run, for CI
    #[arg(long)]
    junit: bool,

    /// A few lines for a pull request
    #[arg(long)]
    markdown: bool,
}

impl ReportArgs {
    /// Reads the journals and writes the report. Nothing in the folders is changed, and the runs may be going on.
    pub fn run(self) -> CliResult {
        let mut runs = Vec::new();
        for folder in &self.folders {
            let run = RunOutcome::read(folder).usage()?;
            if let Some(line) = run.torn_line {
                console::note(&format!(
                    "{}: line {line} of the journal was cut off and is left out",
                    folder.display()
                ));
            }
            runs.push(run);
        }
        let text = self.format.text(&runs)?;
        match &self.out {
            Some(file) => fs::write(file, text).with_context(|| file.display().to_string()).usage()?,
            // A closed pipe is no reason to fail.
            None => drop(io::stdout().write_all(text.as_bytes())),
        }
        Ok(ExitCode::Done)
    }
}

impl FormatArgs {
    fn text(&self, runs: &[RunOutcome]) -> Result<String, CliError> {
        if self.csv {
            results_csv(runs).fault()
        } else if self.json {
            ResultsJson::new(runs).text().fault()
        } else if self.junit {
            Ok(junit(runs))
        } else if self.markdown {
            Ok(markdown(runs))
        } else {
            let texts: Vec<String> =
                runs.iter().map(|run| SummaryText::new(&run.summary, false).to_string()).collect();
            Ok(texts.join("\n"))
        }
    }
}
