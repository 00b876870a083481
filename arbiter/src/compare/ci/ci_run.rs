//! A run of `arbiter ci`: the steps in order, the match last.

use std::mem;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::baseline::Baseline;
use super::builds::{Builds, GitState};
use super::ci_folder::CiFolder;
use super::ci_plan::{CiPlan, MatchPlan, SanitizePlan};
use super::ci_result::{CiResult, StepResult};
use super::step::Step;
use super::steps;
use crate::cli::{CliError, OrExitCode, console};
use crate::engines::{self, shortest_clock};
use crate::measure::check::{self, SameTwice};
use crate::measure::{Judgement, introduce};
use crate::options::machine;
use crate::report::verdict::Judged;
use crate::results::EngineSummary;
use crate::run::{playing, sanitized};
use crate::text::number_text::counted;
use runner::{RunConfig, RunPlan, Termination, cores_per_game};
use stats::groups_with_excess;

/// A run that is ready to start: the engines are found, and the engine under test has answered `uci`.
#[derive(Debug)]
pub struct CiRun {
    pub plan: CiPlan,
    pub builds: Builds,
    git: Option<GitState>,
    machine: String,
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

    pub fn uncommitted(&self) -> &[String] {
        self.git.as_ref().map_or(&[], |git| &git.uncommitted)
    }

    pub fn run(
        mut self,
        folder: &CiFolder,
        mut on_step: impl FnMut(&StepResult),
    ) -> Result<CiResult, CliError> {
        let started = runner::now();
        let mut steps = Vec::new();
        for step in self.plan.steps.clone() {
            let start = Instant::now();
            let judgement = match &self.failure {
                None => self.judge(step, folder)?,
                Some(failure) if steps.is_empty() => Judgement::new(Judged::Broken, failure),
                Some(_) => Judgement::new(Judged::Skipped, "skipped, because the engine does not start"),
            };
            // A step without checks of its own counts as one check.
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
                let findings = check::check_twice(engine, &table.may_fail).fault()?;
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
            Step::Sanitize => {
                plan.sanitize.take().map(|games| sanitize(games, &folder.path.join("sanitize")))
            }
            Step::Speed => plan.speed.as_ref().map(|speed| {
                steps::speed(speed, builds, baseline, machine, measured)
                    .or_else(|error| error.judgement("NPS"))
            }),
            Step::Match => {
                let benches = measured.bench.zip(baseline.and_then(|known| known.bench));
                let has_same_bench = benches.is_some_and(|(now, before)| now.nodes == before.nodes);
                plan.games
                    .take()
                    .map(|games| play_match(games, builds, has_same_bench, &folder.path.join("match")))
            }
        };
        let why = plan.no_opponent.as_deref().unwrap_or("skipped");
        judged.unwrap_or_else(|| Ok(Judgement::new(Judged::Skipped, why).check_as_a_whole(step.name())))
    }
}

fn this_machine() -> String {
    let made = machine::made_now();
    format!("{}, {} cores", made.cpu, made.cores)
}

/// Plays games of a sanitized build against itself; any error output fails the step.
fn sanitize(plan: SanitizePlan, folder: &Path) -> Result<Judgement, CliError> {
    let SanitizePlan { build, run, openings } = plan;
    let engine = engines::resolve(&build, &mut console::announce_build).usage()?;
    let concurrency = machine::room_for(cores_per_game(std::slice::from_ref(&engine), false));
    let conditions = RunConfig { concurrency, ..run };
    let games = conditions.games;
    let played = sanitized::play(vec![engine.clone(), engine], &conditions, games, openings, folder)?;
    let mut problems = played.problems();
    if problems.is_empty() {
        let sentence = format!("{} without an error report", counted(played.games, "game"));
        return Ok(Judgement::new(Judged::Same, sentence));
    }
    let first = problems.remove(0);
    let judgement = Judgement::new(Judged::Broken, format!("{first}; see {}", folder.display()));
    Ok(problems.into_iter().fold(judgement, Judgement::detail))
}

fn play_match(
    plan: MatchPlan,
    builds: &Builds,
    has_same_bench: bool,
    folder: &Path,
) -> Result<Judgement, CliError> {
    let Some(other) = builds.other() else {
        let same = "skipped, because both builds are the same program";
        return Ok(Judgement::new(Judged::Same, same));
    };
    let MatchPlan { run, names_clock, concurrency, openings, may_fail } = plan;
    let engines = vec![builds.engine.clone(), other.clone()];
    let default = machine::room_for(cores_per_game(&engines, false));
    let mut config = RunConfig { concurrency: concurrency.map_or(default, usize::from), engines, ..run };
    if !names_clock {
        playing::prefer_processor_time(&mut config);
    }
    for (engine, clock) in config.engines.iter().zip(config.limits.clock.iter().cycle()) {
        // Other problems with an engine show when it plays.
        if let Ok(Some(longer)) = shortest_clock::longer_clock(engine, clock) {
            let name = &engine.name;
            let sentence = format!("{name} hardly thinks at {clock}: use {longer} or a longer time control");
            return Ok(Judgement::new(Judged::CannotTell, sentence));
        }
    }
    let mut plan = RunPlan::new(config).usage()?;
    let introductions = plan.introduce().usage()?;
    // The build under test was introduced before the first step, so only its opponent's options are checked here.
    console::warn_of_options_of(plan.config(), 1, &introductions[1]);
    let played = playing::play_into(plan, openings, folder)?;
    let mut judgement = Judgement::of_match(&played).or_else(|error| error.judgement("no regression"))?;
    if judgement.verdict == Judged::CannotTell && played.summary.plays_alike() {
        let alike = if has_same_bench {
            Some("the same bench".to_owned())
        } else {
            SameTwice::of_builds(&builds.engine, other).or_else(|error| error.engine_fault().map(|_| None))?
        };
        if let Some(alike) = alike {
            judgement.verdict = Judged::Skipped;
            judgement.sentence =
                format!("both builds play the same moves and have {alike}: nothing to compare");
        }
    }
    if let [ours, theirs] = &played.summary.engines[..] {
        judge_faults(&mut judgement, ours, theirs, &may_fail);
    }
    if !judgement.verdict.passes() {
        console::note(&format!("games in {}", folder.display()));
    }
    Ok(judgement)
}

/// A fault fails the build unless `may_fail` names it or the other build shows it too, not clearly less often.
fn judge_faults(
    judgement: &mut Judgement,
    ours: &EngineSummary,
    theirs: &EngineSummary,
    may_fail: &[Termination],
) {
    let is_known = |kind: Termination, count: u64| {
        let of_theirs = theirs.faults_of(kind);
        let shares = [(count, ours.games), (of_theirs, theirs.games)];
        may_fail.contains(&kind) || of_theirs > 0 && !groups_with_excess(&shares).contains(&0)
    };
    let faults = ours.faults.iter().filter(|(kind, _)| **kind != Termination::TimeLoss);
    let (known, new): (Vec<_>, Vec<_>) = faults.partition(|&(kind, count)| is_known(*kind, *count));
    if !known.is_empty() {
        let each = |(kind, count): &(&Termination, &u64)| {
            format!("{kind} {} times, {} {}", count, theirs.name, theirs.faults_of(**kind))
        };
        let known: Vec<String> = known.iter().map(each).collect();
        judgement.details.push(format!("known faults: {}", known.join("; ")));
    }
    if let [(first, _), ..] = new[..] {
        let games = counted(new.iter().map(|(_, count)| **count).sum(), "game");
        let way = format!("see `bad/`; if it is known: may_fail = [\"{first}\"] in [match]");
        let fault =
            format!("{} lost {games} by a fault that {} does not show: {way}", ours.name, theirs.name);
        judgement.verdict = Judged::Broken;
        judgement.details.insert(0, mem::replace(&mut judgement.sentence, fault));
    }
}
