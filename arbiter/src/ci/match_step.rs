//! Is the engine no weaker?

use std::path::Path;

use anyhow::anyhow;

use super::contestants::Contestants;
use super::plan::MatchPlan;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};
use crate::cli::{Blame, CliError, console};
use crate::evidence::games;
use crate::evidence::games::MatchEvidence;
use crate::matches::{Played, machine, playing};
use crate::report::verdict::verdict;
use crate::run_state::Summary;
use crate::text::number_text::counted;
use runner::{RunConfig, RunPlan, Termination, cores_per_game};

/// Plays the match into a run folder of its own.
///
/// # Errors
/// The other build does not start, or the folder cannot be written.
pub fn run(plan: MatchPlan, contestants: &Contestants, folder: &Path) -> Result<StepResult, CliError> {
    let Some(other) = contestants.other() else {
        let name = contestants.against.as_ref().map_or("the baseline", |against| &against.name);
        let same = StepResult::new(
            Step::Match,
            StepVerdict::Passed,
            format!("the same program as {name}: not played"),
        );
        return Ok(same.check_as_a_whole("no regression"));
    };
    let MatchPlan { table, test, book, openings } = plan;
    let engines = vec![contestants.engine.clone(), other.clone()];
    let room = (machine::cores() / cores_per_game(&engines, false)).max(1);
    let config = RunConfig {
        concurrency: table.concurrency.map_or(room, |games| usize::from(games.max(1))),
        limits: table.limits,
        adjudication: table.adjudication,
        sprt: Some(test),
        made: Some(machine::made_now()),
        ..RunConfig::of(table.games, book, engines)
    };
    let mut plan = RunPlan::new(config).usage()?;
    playing::introduce(&mut plan).usage()?;
    let Played { summary, reason } = playing::play_into(plan, openings, folder)?;
    let result = judge(&summary, MatchEvidence::of(&reason))?;
    if result.verdict != StepVerdict::Passed {
        console::note(&format!("the games are in {}", folder.display()));
    }
    Ok(result.check_as_a_whole("no regression"))
}

fn judge(summary: &Summary, evidence: MatchEvidence) -> Result<StepResult, CliError> {
    let ours = &summary.engines[0];
    let broke = ours.other_faults();
    let (verdict_on_it, mut sentence) = match evidence {
        MatchEvidence::OtherDoesNotStart(detail) => {
            return Err(anyhow!("match: the build to be held against does not start: {detail}")).usage();
        }
        MatchEvidence::DoesNotStart(detail) => (StepVerdict::Broken, detail),
        _ if broke > 0 => {
            let games = counted(broke, "game");
            (StepVerdict::Broken, format!("{} broke in {games}: see `bad/`", ours.name))
        }
        MatchEvidence::Weaker => (StepVerdict::Regression, verdict(summary)),
        MatchEvidence::NotWeaker => (StepVerdict::Passed, verdict(summary)),
        MatchEvidence::Interrupted => {
            (StepVerdict::Inconclusive, "interrupted before the test decided.".to_owned())
        }
        MatchEvidence::Undecided => (StepVerdict::Inconclusive, verdict(summary)),
    };
    sentence.extend(games::ratio(summary).map(|ratio| format!(" {ratio}")));
    let result = StepResult::new(Step::Match, verdict_on_it, sentence);
    Ok(match ours.faults_of(Termination::TimeLoss) {
        0 => result,
        losses => result.detail(format!("{} lost {} on time", ours.name, counted(losses, "game"))),
    })
}
