//! Asks one step after the other.

use std::time::Instant;

use jiff::Timestamp;

use super::baseline::Baseline;
use super::ci_folder::CiFolder;
use super::contestants::Contestants;
use super::gate_result::GateResult;
use super::git_state::GitState;
use super::plan::CiPlan;
use super::speed_step::Expected;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};
use super::{bench_step, match_step, perft_step, protocol_step, speed_step, tactics_step};
use crate::cli::{Blame, CliError};
use crate::evidence;
use crate::matches::machine;

/// A build before the gate: introduced, and known to be asked only what it can answer.
#[derive(Debug)]
pub struct Gate {
    /// What is asked.
    pub plan: CiPlan,
    /// Who takes part.
    pub contestants: Contestants,
    git: Option<GitState>,
    machine: String,
    measured: Baseline,
    /// What the engine did instead of introducing itself.
    broke: Option<String>,
}

impl Gate {
    /// Finds and builds the engines and lets the one in question introduce itself.
    ///
    /// # Errors
    /// A program is not there, has not the options, or does not count moves where it is asked to.
    pub fn open(plan: CiPlan) -> Result<Gate, CliError> {
        let mut contestants = Contestants::find(&plan).usage()?;
        let git = GitState::of(&plan.engine, &plan.baseline.path);
        let clean = git.as_ref().filter(|git| git.uncommitted.is_empty()).map(|git| git.revision.clone());
        let mut measured = Baseline {
            revision: contestants.engine.revision.clone().or(clean),
            ..Baseline::of_engine(plan.name.clone())
        };
        let broke = match evidence::start(&contestants.engine) {
            Err(unanswered) => Some(unanswered.engines_doing()?),
            Ok(session) => {
                measured.version.clone_from(&session.introduction().name);
                contestants.engine.version.clone_from(&measured.version);
                if plan.perft.is_some() {
                    perft_step::check_that_it_counts(session, &contestants.engine.name)?;
                }
                None
            }
        };
        Ok(Gate { plan, contestants, git, machine: this_machine(), measured, broke })
    }

    /// Files of the engine's repository with changes that are in no commit.
    pub fn uncommitted(&self) -> &[String] {
        self.git.as_ref().map_or(&[], |git| &git.uncommitted)
    }

    /// Asks every step and tells each answer as soon as it is there.
    ///
    /// # Errors
    /// The configuration turns out to be wrong, or something cannot be written.
    pub fn ask(
        mut self,
        folder: &CiFolder,
        mut tell: impl FnMut(&StepResult),
    ) -> Result<GateResult, CliError> {
        let started = Timestamp::now();
        let mut steps = Vec::new();
        for step in self.plan.steps.clone() {
            let begun = Instant::now();
            let result = match &self.broke {
                None => self.answer(step, folder)?,
                Some(broke) => unanswered(step, broke, steps.is_empty()),
            };
            let result = StepResult { seconds: begun.elapsed().as_secs_f64(), ..result };
            tell(&result);
            steps.push(result);
        }
        Ok(GateResult {
            schema: GateResult::SCHEMA,
            engine: self.contestants.engine.name.clone(),
            uncommitted: self.uncommitted().to_vec(),
            against: self.contestants.against.map(|against| against.name),
            machine: self.machine,
            started,
            verdict: GateResult::verdict_on(&steps),
            steps,
            baseline: self.plan.baseline.known,
            measured: self.measured,
        })
    }

    fn answer(&mut self, step: Step, folder: &CiFolder) -> Result<StepResult, CliError> {
        let Gate { plan, contestants, git, machine, measured, .. } = self;
        let engine = &contestants.engine;
        // What is made anew is not held against what it was.
        let baseline = plan.baseline.known.as_ref().filter(|_| !plan.update_baseline);
        let answer = match step {
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
                speed_step::run(speed, contestants, &expected, &mut measured.speed)
            }),
            Step::Match => {
                plan.games.take().map(|games| match_step::run(games, contestants, &folder.of_match()))
            }
        };
        answer.unwrap_or_else(|| Ok(StepResult::new(step, StepVerdict::LeftOut, "not asked")))
    }
}

/// What is said about the steps of an engine that does not introduce itself.
fn unanswered(step: Step, broke: &str, is_first: bool) -> StepResult {
    let result = if is_first {
        StepResult::new(step, StepVerdict::Broken, broke)
    } else {
        StepResult::new(step, StepVerdict::LeftOut, "left out, since the engine does not start")
    };
    result.check_as_a_whole(step.name())
}

/// Processor and cores, as a speed is kept with.
fn this_machine() -> String {
    let made = machine::made_now();
    format!("{}, {} cores", made.cpu, made.cores)
}
