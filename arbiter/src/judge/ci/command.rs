//! `arbiter ci`: checks of a build, with one verdict.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::baseline::BaselineFile;
use super::ci_file::CiFile;
use super::ci_folder::CiFolder;
use super::ci_folder::is_ignored;
use super::ci_run::CiResult;
use super::ci_run::CiRun;
use super::ci_text::{conclusion, step_text};
use super::plan::{CiPlan, CiRequest};
use super::step::Step;
use super::step::StepVerdict;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::engines::EngineSpec;
use crate::files::new_folder;
use crate::run::playing;
use crate::run::step_summary;
use crate::text::listed;

/// The arguments of `arbiter ci`.
#[derive(Debug, Args)]
pub struct CiArgs {
    /// Configuration with a table for each step
    #[arg(long, value_name = "FILE", default_value = CiFile::NAME)]
    config: PathBuf,

    /// Test this build instead of the `engine` of the file: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    /// Compare speed and games with this build [default: the commit of the baseline]
    #[arg(long, value_name = "ENGINE")]
    against: Option<EngineSpec>,

    /// Run only these steps: protocol, perft, bench, tactics, speed, match
    #[arg(long, value_name = "STEP", num_args = 1..)]
    only: Vec<Step>,

    /// Skip these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    skip: Vec<Step>,

    /// Write the measurements as the new baseline and show what changed; no games are played
    #[arg(long)]
    update_baseline: bool,

    /// Folder of the reports; it must not exist [default: results/<date>-ci-<engine>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl CiArgs {
    /// Runs the steps, writes the reports and prints the verdict.
    pub fn run(self) -> CliResult {
        let file = CiFile::read(&self.config).usage()?;
        let request = CiRequest {
            engine: self.engine,
            against: self.against,
            only: self.only,
            skip: self.skip,
            update_baseline: self.update_baseline,
        };
        let plan = CiPlan::new(file, &self.config, request).usage()?;
        self.out.as_deref().map_or(Ok(()), new_folder::check_out).usage()?;
        let baseline = plan.baseline.clone();
        let ci = CiRun::prepare(plan)?;
        warn_of_changes(ci.uncommitted());
        let usual =
            || new_folder::below_results(&format!("ci-{}", playing::file_name(&ci.builds.engine.name)));
        let path = self.out.clone().unwrap_or_else(usual);
        let folder = CiFolder::create(&path, &ci.plan, &ci.builds).fault()?;
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        // A closed pipe is reported by the last write.
        let result = ci.run(&folder, |step| {
            let _ = write!(out, "{}", step_text(step, colour));
        })?;
        step_summary::append_text(&folder.write_reports(&result).fault()?);
        write!(out, "{}", conclusion(&result).terminal(colour)).fault()?;
        if self.update_baseline {
            let code = update(&baseline, &result)?;
            writeln!(out, "  reports in {}", path.display()).fault()?;
            return Ok(code);
        }
        writeln!(out, "  reports in {}", path.display()).fault()?;
        Ok(exit_code(result.verdict))
    }
}

/// Warns that the working tree differs from the last commit.
fn warn_of_changes(uncommitted: &[String]) {
    const MOST_NAMED: usize = 3;
    if uncommitted.is_empty() {
        return;
    }
    let named = listed(uncommitted, MOST_NAMED);
    console::note(&format!("warning: the working tree has uncommitted changes ({named})"));
}

/// Writes the measurements as the new baseline if the build passes. The first baseline is that of whatever build there is:
/// what it misses is listed.
fn update(file: &BaselineFile, result: &CiResult) -> CliResult {
    let path = file.path.display();
    let is_first = file.known.is_none() && result.verdict == StepVerdict::Regression;
    if result.verdict != StepVerdict::Passed && !is_first {
        console::note(&format!("{path} was not changed, because the build did not pass"));
        return Ok(exit_code(result.verdict));
    }
    file.update(&result.measured).fault()?;
    console::note(&format!("baseline written to {path}; commit it with the change that it belongs to"));
    if is_first {
        let missed = result.steps.iter().filter(|step| step.verdict == StepVerdict::Regression);
        let missed = missed.map(|step| format!("{}: {}", step.step, step.sentence)).collect::<Vec<_>>();
        console::note(&format!(
            "the first baseline is accepted with what the build misses: {}",
            missed.join("; ")
        ));
    }
    if is_ignored(&file.path) {
        console::note(&format!(
            "warning: git ignores {path}; take it out of .gitignore, or choose another place with `baseline` in {}",
            CiFile::NAME
        ));
    }
    if !result.uncommitted.is_empty() {
        console::note(
            "warning: the baseline names no commit, because of the uncommitted changes; no match can be played against it",
        );
    }
    Ok(ExitCode::Done)
}

fn exit_code(verdict: StepVerdict) -> ExitCode {
    match verdict {
        StepVerdict::Passed | StepVerdict::Skipped => ExitCode::Done,
        StepVerdict::Inconclusive => ExitCode::Inconclusive,
        StepVerdict::Regression => ExitCode::Regression,
        StepVerdict::Broken => ExitCode::EngineBroke,
    }
}
