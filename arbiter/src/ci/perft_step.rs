//! Does the engine know the rules?

use anyhow::anyhow;

use super::baseline::PerftRecord;
use super::plan::{PerftPlan, Printed};
use super::step::Step;
use super::step_result::{CheckOutcome, StepResult, StepVerdict};
use crate::cli::{Blame, CliError};
use crate::engines::EngineSession;
use crate::evidence::{Unanswered, perft};
use crate::perft::{CountError, EngineCounter, PerftMismatch, PerftSuite};
use crate::text::number_text::{counted, thousands};
use runner::EngineConfig;

/// So many wrong positions are told.
const MOST_TOLD: usize = 5;

/// What a suite came to.
#[derive(Debug, Default)]
struct Counted {
    nodes: u64,
    wrong: Vec<String>,
}

/// Counts every position of the suites, and adds what was counted right to `records`.
///
/// # Errors
/// The engine does not count moves, or cannot play Chess960: the configuration is wrong.
pub fn run(
    plan: &PerftPlan,
    engine: &EngineConfig,
    records: &mut Vec<PerftRecord>,
) -> Result<StepResult, CliError> {
    let broken = |unanswered| StepResult::broken(Step::Perft, unanswered, "counting");
    let mut counter = match perft::counter(engine) {
        Ok(counter) => counter,
        Err(unanswered) => return broken(unanswered),
    };
    let (mut positions, mut nodes) = (0, 0);
    let mut result = StepResult::new(Step::Perft, StepVerdict::Passed, "");
    let mut wrong = Vec::new();
    for Printed { suite, sha256 } in &plan.suites {
        let counted = match count_suite(&mut counter, suite, plan.max_depth) {
            Ok(counted) => counted,
            Err(unanswered) => return broken(unanswered),
        };
        positions += suite.positions.len();
        nodes += counted.nodes;
        let right = counted.wrong.is_empty();
        result = result.check(suite.name.clone(), CheckOutcome::of(right, || counted.wrong.join("\n")));
        wrong.extend(counted.wrong);
        if right {
            records.push(PerftRecord {
                suite: suite.name.clone(),
                sha256: sha256.clone(),
                positions: suite.positions.len(),
                nodes: counted.nodes,
            });
        }
    }
    let all = counted(positions as u64, "position");
    let counted = format!("{all}, {} nodes", thousands(nodes));
    if wrong.is_empty() {
        return Ok(StepResult { sentence: format!("{counted}, all counts right"), ..result });
    }
    let sentence = format!("{} of {all} counted wrong", wrong.len());
    let details = wrong.into_iter().take(MOST_TOLD).collect();
    Ok(StepResult { verdict: StepVerdict::Regression, sentence, details, ..result })
}

/// Checks that an engine counts moves at all, before anything else is asked of it.
///
/// # Errors
/// It does not; the message says what can be done.
pub fn check_that_it_counts(session: EngineSession, engine: &str) -> Result<(), CliError> {
    match EngineCounter::new(engine.to_owned(), session).probe() {
        Err(error @ (CountError::DoesNotCount { .. } | CountError::NoCounts { .. })) => {
            Err(anyhow!("perft: {error}; leave [perft] out, or `--skip perft`")).usage()
        }
        // One that breaks will show it when it is asked again.
        _ => Ok(()),
    }
}

fn count_suite(
    counter: &mut EngineCounter,
    suite: &PerftSuite,
    max_depth: u32,
) -> Result<Counted, Unanswered> {
    let mut counted = Counted::default();
    for position in perft::counts(counter, suite, max_depth) {
        let place = format!("{}: {}", position.place(), position.position.name);
        let check = position.check?;
        counted.nodes += check.nodes;
        counted.wrong.extend(check.mismatch.map(|mismatch| told(&place, &mismatch)));
    }
    Ok(counted)
}

/// The place, the counts, and the smallest position that differs, in a line.
fn told(place: &str, mismatch: &PerftMismatch) -> String {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let place = format!("{place} at depth {depth}");
    let counts = format!("expected {}, counted {}", thousands(*expected), thousands(*found));
    match difference {
        None => format!("{place}: {counts}; shakmaty counts so too: the suite is wrong"),
        Some(difference) => {
            format!("{place}: {counts}; in {}{}", difference.fen, perft::wrong_moves(difference))
        }
    }
}
