//! `arbiter ci`: may a build pass?

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::ci_file::CiFile;
use super::ci_folder::CiFolder;
use super::gate::Gate;
use super::gate_result::GateResult;
use super::gate_text::GateText;
use super::kept_baseline::KeptBaseline;
use super::plan::{CiPlan, Wishes};
use super::step::Step;
use super::step_result::StepVerdict;
use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::engines::EngineSpec;
use crate::files::new_folder;
use crate::matches::{playing, step_summary};
use crate::text::listed;

/// The arguments of `arbiter ci`.
#[derive(Debug, Args)]
pub struct CiArgs {
    /// The file that says what is asked
    #[arg(long, value_name = "FILE", default_value = CiFile::NAME)]
    config: PathBuf,

    /// Another build of the engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    /// The build that speed and games are measured against
    #[arg(long, value_name = "ENGINE")]
    against: Option<EngineSpec>,

    /// Ask these steps of the file and no others: protocol, perft, bench, tactics, speed, match
    #[arg(long, value_name = "STEP", num_args = 1..)]
    only: Vec<Step>,

    /// Leave these steps out
    #[arg(long, value_name = "STEP", num_args = 1..)]
    skip: Vec<Step>,

    /// Keep what is measured as the new baseline, and say what is not as it was; no games are played
    #[arg(long)]
    update_baseline: bool,

    /// The folder of the run; it must not exist yet [default: results/<date>-ci-<engine>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl CiArgs {
    /// Asks the steps, keeps the answers, and says what they come to.
    pub fn run(self) -> CliResult {
        let file = CiFile::read(&self.config).usage()?;
        let wishes = Wishes {
            engine: self.engine,
            against: self.against,
            only: self.only,
            skip: self.skip,
            update_baseline: self.update_baseline,
        };
        let plan = CiPlan::new(file, &self.config, wishes).usage()?;
        self.out.as_deref().map_or(Ok(()), playing::check_out).usage()?;
        let kept = plan.baseline.clone();
        let gate = Gate::open(plan)?;
        warn_of_changes(gate.uncommitted());
        let usual = || {
            new_folder::below_results(&format!("ci-{}", playing::file_name(&gate.contestants.engine.name)))
        };
        let path = self.out.clone().unwrap_or_else(usual);
        let folder = CiFolder::create(&path, &gate.plan, &gate.contestants).fault()?;
        let mut out = io::stdout();
        let text = GateText { colour: console::wants_colour(&out) };
        // A closed pipe shows in the last line.
        let result = gate.ask(&folder, |step| {
            let _ = write!(out, "{}", text.step(step));
        })?;
        step_summary::append_text(&folder.keep(&result).fault()?);
        let changes = text.changes(&result);
        if !changes.is_empty() {
            write!(out, "\n{changes}").fault()?;
        }
        write!(out, "\n{}", text.verdict(&result)).fault()?;
        if self.update_baseline {
            update(&kept, &result)?;
        }
        writeln!(out, "  report in {}", path.display()).fault()?;
        Ok(exit_code(result.verdict))
    }
}

/// Says what is measured when it is not what the last commit holds.
fn warn_of_changes(uncommitted: &[String]) {
    const MOST_NAMED: usize = 3;
    if uncommitted.is_empty() {
        return;
    }
    let named = listed(uncommitted, MOST_NAMED);
    console::note(&format!("note: the working tree has changes that are in no commit ({named})"));
}

/// Puts what was measured in the place of the baseline, unless the build would not have passed at all.
fn update(kept: &KeptBaseline, result: &GateResult) -> CliResult {
    let place = kept.path.display();
    if result.verdict == StepVerdict::Passed {
        kept.update(&result.measured).fault()?;
        console::note(&format!("the baseline is {place}; commit it with the change that it belongs to"));
        if !result.uncommitted.is_empty() {
            console::note(
                "it names no commit, since the working tree has changes: nothing can be played against it",
            );
        }
    } else {
        console::note(&format!("{place} is left as it is: a build that does not pass is no baseline"));
    }
    Ok(exit_code(result.verdict))
}

fn exit_code(verdict: StepVerdict) -> ExitCode {
    match verdict {
        StepVerdict::Passed | StepVerdict::LeftOut => ExitCode::Done,
        StepVerdict::Inconclusive => ExitCode::Inconclusive,
        StepVerdict::Regression => ExitCode::Regression,
        StepVerdict::Broken => ExitCode::EngineBroke,
    }
}
