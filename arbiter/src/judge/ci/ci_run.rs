//! A run of `arbiter ci`: one step after the other.

use std::time::Instant;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::ci_folder::{CiFolder, GitState};
use super::match_step::{self, Builds};
use super::plan::CiPlan;
use super::speed_step::{self, Expected};
use super::step::{Step, StepResult, StepVerdict};
use super::{bench_step, perft_step, protocol_step, tactics_step};
use crate::cli::{Blame, CliError};
use crate::measure::evidence;
use crate::options::machine;

/// A run that is ready to start: the engines are found, and the engine under test has answered `uci`.
#[derive(Debug)]
pub struct CiRun {
    /// The steps with all that they need.
    pub plan: CiPlan,
    pub builds: Builds,
    git: Option<GitState>,
    machine: String,
    measured: Baseline,
    /// Why the engine did not start; `None` if it did.
    failure: Option<String>,
}

impl CiRun {
    /// Finds or builds the engines and starts the engine under test once.
    pub fn prepare(mut plan: CiPlan) -> Result<CiRun, CliError> {
        let mut builds = Builds::find(&plan).usage()?;
        let git = GitState::of(&plan.engine, &plan.baseline.path);
        let clean = git.as_ref().filter(|git| git.uncommitted.is_empty()).map(|git| git.revision.clone());
        let mut measured = Baseline {
            revision: builds.engine.revision.clone().or(clean),
            ..Baseline::of_engine(plan.name.clone())
        };
        let failure = match evidence::introduce(&builds.engine) {
            Err(error) => Some(error.engine_fault()?),
            Ok(session) => {
                measured.version.clone_from(&session.introduction().name);
                builds.engine.version.clone_from(&measured.version);
                if let Some(perft) = &mut plan.perft {
                    perft_step::check_support(session, &builds.engine.name, perft).usage()?;
                }
                None
            }
        };
        Ok(CiRun { plan, builds, git, machine: this_machine(), measured, failure })
    }

    /// Files of the engine's repository with uncommitted changes.
    pub fn uncommitted(&self) -> &[String] {
        self.git.as_ref().map_or(&[], |git| &git.uncommitted)
    }

    /// Runs every step. `on_step` gets each result as soon as it is known.
    pub fn run(
        mut self,
        folder: &CiFolder,
        mut on_step: impl FnMut(&StepResult),
    ) -> Result<CiResult, CliError> {
        let started = Timestamp::now();
        let mut steps = Vec::new();
        for step in self.plan.steps.clone() {
            let start = Instant::now();
            let result = match &self.failure {
                None => self.run_step(step, folder)?,
                Some(failure) => not_started(step, failure, steps.is_empty()),
            };
            let result = StepResult { seconds: start.elapsed().as_secs_f64(), ..result };
            on_step(&result);
            steps.push(result);
        }
        Ok(CiResult {
            schema: CiResult::SCHEMA,
            engine: self.builds.engine.name.clone(),
            uncommitted: self.uncommitted().to_vec(),
            against: self.builds.against.map(|against| against.name),
            machine: self.machine,
            started,
            verdict: CiResult::verdict_on(&steps),
            steps,
            baseline: self.plan.baseline.known,
            measured: self.measured,
        })
    }

    fn run_step(&mut self, step: Step, folder: &CiFolder) -> Result<StepResult, CliError> {
        let CiRun { plan, builds, git, machine, measured, .. } = self;
        let engine = &builds.engine;
        // A new baseline is not compared with the old one.
        let baseline = plan.baseline.known.as_ref().filter(|_| !plan.update_baseline);
        let result = match step {
            Step::Protocol => plan.protocol.as_ref().map(|table| protocol_step::run(table, engine)),
            Step::Perft => {
                plan.perft.as_ref().map(|perft| perft_step::run(perft, engine, &mut measured.perft))
            }
            Step::Bench => plan
                .bench
                .as_ref()
                .map(|table| bench_step::run(table, engine, git.as_ref(), baseline, &mut measured.bench)),
            Step::Tactics => plan.tactics.as_ref().map(|tactics| {
                let mut csv = folder.tactics_table().fault()?;
                tactics_step::run(tactics, engine, baseline, &mut csv, &mut measured.tactics)
            }),
            Step::Speed => plan.speed.as_ref().map(|speed| {
                let expected = Expected { baseline, machine };
                speed_step::run(speed, builds, &expected, &mut measured.speed)
            }),
            Step::Match => {
                plan.games.take().map(|games| match_step::run(games, builds, &folder.match_folder()))
            }
        };
        let why = plan.no_opponent.as_deref().unwrap_or("skipped");
        result.unwrap_or_else(|| {
            Ok(StepResult::new(step, StepVerdict::Skipped, why).check_as_a_whole(step.name()))
        })
    }
}

/// The result of a step whose engine does not start: the first step fails, the others are skipped.
fn not_started(step: Step, failure: &str, is_first: bool) -> StepResult {
    let result = if is_first {
        StepResult::new(step, StepVerdict::Broken, failure)
    } else {
        StepResult::new(step, StepVerdict::Skipped, "skipped, because the engine does not start")
    };
    result.check_as_a_whole(step.name())
}

/// The processor and its cores, as the baseline records them.
fn this_machine() -> String {
    let made = machine::made_now();
    format!("{}, {} cores", made.cpu, made.cores)
}

/// The results of all steps, `ci.json`. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CiResult {
    /// The version of this format.
    pub schema: u32,
    pub engine: String,
    /// Files of its repository with uncommitted changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The build that speed and games are compared with, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    pub machine: String,
    pub started: Timestamp,
    /// The worst verdict of the steps.
    pub verdict: StepVerdict,
    /// The steps in their order.
    pub steps: Vec<StepResult>,
    /// The baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    pub measured: Baseline,
}

impl CiResult {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 2;

    /// The steps with this verdict.
    pub fn steps_with(&self, verdict: StepVerdict) -> Vec<Step> {
        self.steps.iter().filter(|result| result.verdict == verdict).map(|result| result.step).collect()
    }

    /// The worst verdict of some steps; skipped steps do not count.
    pub fn verdict_on(steps: &[StepResult]) -> StepVerdict {
        let verdicts = steps.iter().map(|result| result.verdict).filter(|it| *it != StepVerdict::Skipped);
        verdicts.max().unwrap_or(StepVerdict::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::StepVerdict::{Broken, Inconclusive, Passed, Regression, Skipped};
    use super::*;

    #[test]
    fn the_worst_step_decides_and_a_skipped_one_does_not() {
        let steps = |verdicts: &[StepVerdict]| -> Vec<StepResult> {
            verdicts.iter().map(|verdict| StepResult::new(Step::Bench, *verdict, "")).collect()
        };
        assert_eq!(CiResult::verdict_on(&[]), Passed);
        assert_eq!(CiResult::verdict_on(&steps(&[Passed, Skipped])), Passed);
        assert_eq!(CiResult::verdict_on(&steps(&[Inconclusive, Regression, Passed])), Regression);
        assert_eq!(CiResult::verdict_on(&steps(&[Regression, Broken, Skipped])), Broken);
    }
}
