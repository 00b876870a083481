//! A run of `arbiter ci`: the steps in order, the match last.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::builds::{Builds, GitState};
use super::ci_plan::CiPlan;
use super::ci_result::{CiResult, StepResult};
use crate::cli::{CliError, OrExitCode};
use crate::engines::session;
use crate::measure::measurement::{Measurement, Tested};
use crate::measure::{Baseline, Judgement, MeasureError};
use crate::options::machine;
use crate::report::verdict::Verdict;

/// A run that is ready to start: the engines are found, and the engine under test has answered `uci`.
#[derive(Debug)]
pub struct CiRun {
    pub plan: CiPlan,
    pub builds: Builds,
    git: Option<GitState>,
    measured: Baseline,
    failure: Option<String>,
}

impl CiRun {
    pub fn prepare(mut plan: CiPlan) -> Result<CiRun, CliError> {
        let mut builds = Builds::find(&plan).usage()?;
        let git = GitState::of(&plan.engine, &plan.baseline.path);
        let clean = git.as_ref().filter(|git| git.uncommitted.is_empty()).map(|git| git.revision.clone());
        builds.revision = builds.revision.or(clean);
        let other = builds.against.as_ref().and_then(|other| other.revision.as_deref());
        builds.has_same_sources =
            git.as_ref().zip(other).is_some_and(|(git, other)| git.has_sources_of(other));
        let mut measured =
            Baseline { revision: builds.revision.clone(), ..Baseline::of_engine(plan.name.clone()) };
        let failure = match session::introduce(&builds.engine).map_err(MeasureError::from) {
            Err(error) => Some(error.engine_fault()?),
            Ok(session) => {
                measured.version.clone_from(&session.introduction().name);
                builds.engine.version.clone_from(&measured.version);
                session.quit();
                for (step, measurement) in &mut plan.steps {
                    let advice = format!("; remove [{step}] from arbiter.toml, or add `--skip {step}`");
                    let check = |it: &mut Box<dyn Measurement>| it.check_engine(&builds.engine, &advice);
                    measurement.as_mut().map_or(Ok(()), check).usage()?;
                }
                None
            }
        };
        Ok(CiRun { plan, builds, git, measured, failure })
    }

    pub fn uncommitted(&self) -> &[String] {
        self.git.as_ref().map_or(&[], |git| &git.uncommitted)
    }

    pub fn run(mut self, folder: &Path, mut on_step: impl FnMut(&StepResult)) -> Result<CiResult, CliError> {
        let started = runner::now();
        let CiRun { plan, builds, git, measured, failure } = &mut self;
        // A new baseline is not compared with the old one.
        let known = plan.baseline.known.as_ref().filter(|_| !plan.update_baseline);
        let tested = Tested {
            engine: &builds.engine,
            other: builds.other(),
            known,
            repository: git.as_ref().map(|git| &*git.repository),
            folder,
            bisection: None,
        };
        let mut steps = Vec::new();
        for (step, measurement) in &mut plan.steps {
            let start = Instant::now();
            let judgement = match (&*failure, measurement) {
                (None, Some(measurement)) => {
                    let judged = measurement.judge(&tested, measured);
                    judged.or_else(|error| error.judgement(step.check()))?.check_as_a_whole(step.check())
                }
                (failure, _) => {
                    let (verdict, why) = match failure {
                        Some(failure) if steps.is_empty() => (Verdict::Broken, &**failure),
                        Some(_) => (Verdict::Skipped, "skipped, because the engine does not start"),
                        None => (Verdict::Skipped, plan.no_opponent.as_deref().unwrap_or("skipped")),
                    };
                    Judgement::new(verdict, why).check_as_a_whole(step.name())
                }
            };
            let result = StepResult { step: *step, judgement, seconds: start.elapsed().as_secs_f64() };
            on_step(&result);
            steps.push(result);
        }
        Ok(CiResult {
            schema: CiResult::SCHEMA,
            engine: self.builds.engine.name.clone(),
            uncommitted: self.uncommitted().to_vec(),
            against: self.builds.against.map(|against| against.name),
            machine: machine::model(),
            started,
            verdict: CiResult::verdict_on(&steps),
            steps,
            baseline: self.plan.baseline.known,
            measured: self.measured,
        })
    }
}
