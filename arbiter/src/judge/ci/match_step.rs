//! The match step: is the build weaker?

use std::iter;
use std::path::Path;

use anyhow::{Result, anyhow};

use super::plan::{CiPlan, MatchPlan};
use super::step::{Step, StepResult, StepVerdict};
use crate::cli::{Blame, CliError, console};
use crate::engines::{self, EngineSpec};
use crate::measure::evidence::games::{self, MatchOutcome};
use crate::options::machine;
use crate::report::verdict::verdict;
use crate::results::Summary;
use crate::run::{Played, playing};
use crate::text::number_text::counted;
use runner::{EngineConfig, RunConfig, RunPlan, Termination, cores_per_game};

/// Plays the match into a run folder of its own.
pub fn run(plan: MatchPlan, builds: &Builds, folder: &Path) -> Result<StepResult, CliError> {
    let Some(other) = builds.other() else {
        let same = StepResult::new(
            Step::Match,
            StepVerdict::Passed,
            "skipped, because both builds are the same program",
        );
        return Ok(same.check_as_a_whole("no regression"));
    };
    let MatchPlan { table, test, book, openings } = plan;
    let engines = vec![builds.engine.clone(), other.clone()];
    let default = (machine::cores() / cores_per_game(&engines, false)).max(1);
    let mut config = RunConfig {
        clock: table.clock.unwrap_or_default(),
        concurrency: table.concurrency.map_or(default, usize::from),
        limits: table.limits,
        adjudication: table.adjudication,
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
    let Played { summary, reason } = playing::play_into(plan, openings, folder)?;
    let result = judge(&summary, MatchOutcome::of(&reason))?;
    if result.verdict != StepVerdict::Passed {
        console::note(&format!("games in {}", folder.display()));
    }
    Ok(result.check_as_a_whole("no regression"))
}

fn judge(summary: &Summary, outcome: MatchOutcome) -> Result<StepResult, CliError> {
    let ours = &summary.engines[0];
    let broke = ours.other_faults();
    let (verdict_on_it, mut sentence) = match outcome {
        MatchOutcome::OpponentDoesNotStart(detail) => {
            return Err(anyhow!("match: the build to compare with does not start: {detail}")).usage();
        }
        MatchOutcome::DoesNotStart(detail) => (StepVerdict::Broken, detail),
        _ if broke > 0 => {
            let games = counted(broke, "game");
            (StepVerdict::Broken, format!("{} lost {games} by a fault: see `bad/`", ours.name))
        }
        MatchOutcome::AcceptedH0 => (StepVerdict::Regression, verdict(summary)),
        MatchOutcome::AcceptedH1 => (StepVerdict::Passed, verdict(summary)),
        MatchOutcome::Interrupted => {
            (StepVerdict::Inconclusive, "interrupted before the SPRT decided.".to_owned())
        }
        MatchOutcome::Undecided => (StepVerdict::Inconclusive, verdict(summary)),
    };
    sentence.extend(games::llr(summary).map(|llr| format!(" {llr}")));
    let result = StepResult::new(Step::Match, verdict_on_it, sentence);
    Ok(match ours.faults_of(Termination::TimeLoss) {
        0 => result,
        losses => result.detail(format!("{} lost {} on time", ours.name, counted(losses, "game"))),
    })
}

/// The two builds, found and built.
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
