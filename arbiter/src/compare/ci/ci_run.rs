//! A run of `arbiter ci`: one step after the other, the match last.

use std::path::Path;
use std::time::Instant;
use std::{iter, mem};

use anyhow::Result;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::command::{CiFolder, GitState};
use super::plan::{CiPlan, MatchPlan};
use super::step::{Step, StepResult};
use super::steps;
use crate::cli::{CliError, OrExitCode, console};
use crate::engines::{self, EngineSpec};
use crate::measure::check::{self, check_protocol};
use crate::measure::{Judgement, introduce};
use crate::options::machine;
use crate::report::verdict::Judged;
use crate::run::playing;
use crate::text::number_text::counted;
use runner::{EngineConfig, RunConfig, RunPlan, cores_per_game};

/// A run that is ready to start: the engines are found, and the engine under test has answered `uci`.
#[derive(Debug)]
pub struct CiRun {
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
        let failure = match introduce(&builds.engine) {
            Err(error) => Some(error.engine_fault()?),
            Ok(session) => {
                measured.version.clone_from(&session.introduction().name);
                builds.engine.version.clone_from(&measured.version);
                if let Some(perft) = plan.perft.take() {
                    plan.perft = Some(steps::check_perft(session, &builds.engine.name, perft).usage()?);
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
            let judgement = match &self.failure {
                None => self.judge(step, folder)?,
                Some(failure) if steps.is_empty() => Judgement::new(Judged::Broken, failure),
                Some(_) => Judgement::new(Judged::Skipped, "skipped, because the engine does not start"),
            };
            // What has no parts is a whole.
            let judgement = match &judgement.checks[..] {
                [] => judgement.check_as_a_whole(if step == Step::Match {
                    "no regression"
                } else {
                    step.name()
                }),
                _ => judgement,
            };
            let result = StepResult { step, judgement, seconds: start.elapsed().as_secs_f64() };
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

    fn judge(&mut self, step: Step, folder: &CiFolder) -> Result<Judgement, CliError> {
        let CiRun { plan, builds, git, machine, measured, .. } = self;
        let engine = &builds.engine;
        // A new baseline is not compared with the old one.
        let baseline = plan.baseline.known.as_ref().filter(|_| !plan.update_baseline);
        let judged = match step {
            Step::Protocol => plan.protocol.as_ref().map(|table| {
                let findings = check_protocol(engine, |_| {}).fault()?;
                Ok(check::judge(&findings, &table.may_fail))
            }),
            Step::Perft => plan
                .perft
                .as_ref()
                .map(|test| steps::perft(test, engine, measured).or_else(|error| error.judgement("counts"))),
            Step::Bench => plan.bench.as_ref().map(|table| {
                steps::bench(table, engine, git.as_ref(), baseline, measured)
                    .or_else(|error| error.judgement("bench nodes"))
            }),
            Step::Tactics => plan.tactics.as_ref().map(|test| {
                let mut csv = folder.tactics_table().fault()?;
                steps::tactics(test, engine, baseline, &mut csv, measured)
            }),
            Step::Speed => plan.speed.as_ref().map(|speed| {
                steps::speed(speed, builds, baseline, machine, measured)
                    .or_else(|error| error.judgement("NPS"))
            }),
            Step::Match => plan.games.take().map(|games| play_match(games, builds, &folder.match_folder())),
        };
        let why = plan.no_opponent.as_deref().unwrap_or("skipped");
        judged.unwrap_or_else(|| Ok(Judgement::new(Judged::Skipped, why).check_as_a_whole(step.name())))
    }
}

fn this_machine() -> String {
    let made = machine::made_now();
    format!("{}, {} cores", made.cpu, made.cores)
}

/// The results of all steps, `ci.json`. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CiResult {
    pub schema: u32,
    pub engine: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncommitted: Vec<String>,
    /// The build that speed and games are compared with, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    pub machine: String,
    pub started: Timestamp,
    pub verdict: Judged,
    pub steps: Vec<StepResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    pub measured: Baseline,
}

impl CiResult {
    pub const SCHEMA: u32 = 2;

    pub fn steps_with(&self, verdict: Judged) -> Vec<Step> {
        self.steps
            .iter()
            .filter(|result| result.judgement.verdict == verdict)
            .map(|result| result.step)
            .collect()
    }

    /// The worst verdict of some steps; skipped steps do not count.
    pub fn verdict_on(steps: &[StepResult]) -> Judged {
        let verdicts =
            steps.iter().map(|result| result.judgement.verdict).filter(|it| *it != Judged::Skipped);
        verdicts.max().unwrap_or(Judged::Same)
    }
}

/// Plays the match into a run folder of its own.
fn play_match(plan: MatchPlan, builds: &Builds, folder: &Path) -> Result<Judgement, CliError> {
    let Some(other) = builds.other() else {
        let same = "skipped, because both builds are the same program";
        return Ok(Judgement::new(Judged::Same, same));
    };
    let MatchPlan { table, test, book, openings } = plan;
    let engines = vec![builds.engine.clone(), other.clone()];
    let default = (machine::cores() / cores_per_game(&engines, false)).max(1);
    let mut config = RunConfig {
        clock: table.clock.unwrap_or_default(),
        concurrency: table.concurrency.map_or(default, usize::from),
        limits: table.limits,
        adjudication: table.adjudication,
        affinity: table.affinity,
        logs: table.logs,
        sprt: Some(test),
        made: Some(machine::made_now()),
        ..RunConfig::of(table.games, book, engines)
    };
    if table.clock.is_none() {
        playing::prefer_processor_time(&mut config);
    }
    let mut plan = RunPlan::new(config).usage()?;
    let introductions = plan.introduce().usage()?;
    // The build under test was introduced before the first step.
    console::warn_of_options_of(plan.config(), 1, &introductions[1]);
    let played = playing::play_into(plan, openings, folder)?;
    let mut judgement = Judgement::of_match(&played).or_else(|error| error.judgement("no regression"))?;
    let ours = &played.summary.engines[0];
    let broke = ours.other_faults();
    if broke > 0 {
        let fault = format!("{} lost {} by a fault: see `bad/`", ours.name, counted(broke, "game"));
        judgement.verdict = Judged::Broken;
        judgement.details.insert(0, mem::replace(&mut judgement.sentence, fault));
    }
    if !judgement.verdict.passes() {
        console::note(&format!("games in {}", folder.display()));
    }
    Ok(judgement)
}

#[derive(Clone, Debug)]
pub struct Builds {
    pub engine: EngineConfig,
    /// The build that speed and games are compared with, under another name.
    pub against: Option<EngineConfig>,
}

impl Builds {
    /// Finds or builds both programs; the second one only if a step needs it.
    pub fn find(plan: &CiPlan) -> Result<Builds> {
        let is_needed = plan.speed.is_some() || plan.games.is_some();
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Builds { engine, against: found.next() })
    }

    /// The build to compare with; `None` if it is the same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let EngineConfig { sha256, args, options, .. } = &self.engine;
        let is_same =
            |other: &EngineConfig| (&other.sha256, &other.args, &other.options) == (sha256, args, options);
        self.against.as_ref().filter(|other| !is_same(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Judged::{Better, Broken, CannotTell, Same, Skipped, Worse};
    use super::*;

    #[test]
    fn the_worst_step_decides_and_a_skipped_one_does_not() {
        let steps = |verdicts: &[Judged]| -> Vec<StepResult> {
            let judged = verdicts.iter().map(|verdict| Judgement::new(*verdict, ""));
            judged.map(|judgement| StepResult { step: Step::Bench, judgement, seconds: 0.0 }).collect()
        };
        assert_eq!(CiResult::verdict_on(&[]), Same);
        assert_eq!(CiResult::verdict_on(&steps(&[Better, Skipped])), Better);
        assert_eq!(CiResult::verdict_on(&steps(&[CannotTell, Worse, Same])), Worse);
        assert_eq!(CiResult::verdict_on(&steps(&[Worse, Broken, Skipped])), Broken);
    }
}
