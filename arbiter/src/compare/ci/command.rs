//! `arbiter ci`: checks of a build, with one verdict.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::baseline::BaselineFile;
use super::ci_folder;
use super::ci_plan::{CiPlan, CiRequest};
use super::ci_result::{CiResult, StepResult};
use super::ci_run::CiRun;
use super::ci_text::{conclusion, step_text};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::is_ignored;
use crate::files::new_file;
use crate::measure::{CiFile, Step};
use crate::report::verdict::Verdict;
use crate::run::playing;
use crate::text::listed;

#[derive(Debug, Args)]
pub struct CiArgs {
    #[command(flatten)]
    request: CiRequest,

    /// New folder for the reports [default: results/<date>-ci-<engine>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl CiArgs {
    /// A request to run these steps of the usual file, or all of its steps if `only` is empty.
    pub fn of(only: Vec<Step>, update_baseline: bool) -> CiArgs {
        let (config, skip) = (CiFile::NAME.into(), Vec::new());
        let request = CiRequest { config, engine: None, against: None, only, skip, update_baseline };
        CiArgs { request, out: None }
    }

    pub fn run(self) -> CliResult {
        let (baseline, path, result) = self.measure()?;
        let mut out = stdout();
        write!(out, "{}", conclusion(&result).terminal(console::wants_colour(&io::stdout()))).fault()?;
        let code = if self.request.update_baseline {
            update(&baseline, &result)?
        } else {
            result.verdict.exit_code()
        };
        writeln!(out, "  reports in {}", path.display()).fault()?;
        Ok(code)
    }

    /// Measures the first baseline and writes the parts that pass. Returns the steps that fail, including games of the
    /// build with sanitizers. The caller has already checked the protocol.
    pub fn first_baseline() -> Result<Vec<StepResult>, CliError> {
        let file = CiFile::read(CiFile::NAME.as_ref()).usage()?;
        let mut steps = file.steps();
        steps.retain(|step| *step != Step::Protocol && !step.plays_games());
        if steps.is_empty() {
            steps.push(Step::Protocol);
        }
        let (baseline, _, mut result) = CiArgs::of(steps, true).measure()?;
        if file.tactics.is_some_and(|tactics| tactics.nodes.is_none()) && result.measured.tactics.len() == 1 {
            // A position that is solved only by chance does not belong in the baseline.
            let again = CiArgs::of(vec![Step::Tactics], true).measure()?.2.measured.tactics;
            let is_sure = |id: &String| again.iter().all(|suite| suite.solved.contains(id));
            result.measured.tactics.iter_mut().for_each(|suite| suite.solved.retain(is_sure));
        }
        if file.sanitize.is_some() {
            result.steps.extend(CiArgs::of(vec![Step::Sanitize], false).measure()?.2.steps);
        }
        result.steps.retain(|step| !step.judgement.verdict.passes());
        // Suites that perft counts rightly stay.
        for failed in result.steps.iter().filter(|failed| failed.step != Step::Perft) {
            result.measured.forget(failed.step);
        }
        baseline.update(&result.measured).of_path()?;
        warn_of_baseline(&baseline, &result);
        Ok(result.steps)
    }

    /// Runs the steps and writes the reports. Returns the old baseline, the folder of the reports, and the result.
    pub fn measure(&self) -> Result<(BaselineFile, PathBuf, CiResult), CliError> {
        let file = CiFile::read(&self.request.config).usage()?;
        let plan = CiPlan::new(&file, &self.request).usage()?;
        self.out.as_deref().map_or(Ok(()), new_file::check_out).usage()?;
        let baseline = plan.baseline.clone();
        let ci = CiRun::prepare(plan)?;
        warn_of_changes(ci.uncommitted());
        let usual = || new_file::below_results(&format!("ci-{}", playing::file_name(&ci.builds.engine.name)));
        let path = self.out.clone().unwrap_or_else(usual);
        ci_folder::create(&path, &ci.plan, &ci.builds).of_path()?;
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        // A closed pipe shows at the last write.
        let result = ci.run(&path, |step| {
            let _ = write!(out, "{}", step_text(step, colour));
        })?;
        playing::append_text(&ci_folder::write_reports(&path, &result).fault()?);
        Ok((baseline, path, result))
    }
}

fn warn_of_changes(uncommitted: &[String]) {
    const MOST_NAMED: usize = 3;
    if uncommitted.is_empty() {
        return;
    }
    let named = listed(uncommitted, MOST_NAMED);
    console::note(&format!("warning: the working tree has uncommitted changes ({named})"));
}

/// Writes the measurements as the new baseline if the build passes. The first baseline is accepted from any build, with a
/// note of what the build misses.
fn update(file: &BaselineFile, result: &CiResult) -> CliResult {
    let path = file.path.display();
    let is_first = file.known.is_none() && result.verdict == Verdict::Worse;
    if !result.verdict.passes() && !is_first {
        console::note(&format!("{path} was not changed, because the build did not pass"));
        return Ok(result.verdict.exit_code());
    }
    file.update(&result.measured).of_path()?;
    console::note(&format!("baseline written to {path}; commit it with the change that it belongs to"));
    if is_first {
        let missed = result.steps.iter().filter(|step| step.judgement.verdict == Verdict::Worse);
        let missed =
            missed.map(|step| format!("{}: {}", step.step, step.judgement.sentence)).collect::<Vec<_>>();
        console::note(&format!(
            "the first baseline is accepted although the build fails in: {}",
            missed.join("; ")
        ));
    }
    warn_of_baseline(file, result);
    Ok(ExitCode::Done)
}

fn warn_of_baseline(file: &BaselineFile, result: &CiResult) {
    let path = file.path.display();
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
}
