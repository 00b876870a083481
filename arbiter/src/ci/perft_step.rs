//! Does the engine know the rules?

use anyhow::anyhow;

use super::baseline::PerftRecord;
use super::contestants;
use super::contestants::Answered;
use super::plan::{PerftPlan, Printed};
use super::step::Step;
use super::step_result::{CheckOutcome, StepResult, StepVerdict};
use crate::cli::{Blame, CliError};
use crate::engines::EngineSession;
use crate::perft::{
    CountError, EngineCounter, PerftCheck, PerftDifference, PerftMismatch, PerftPosition, PerftSuite,
};
use crate::text::number_text::{counted, thousands};
use runner::EngineConfig;
use runner::process::EngineError;

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
    let session = match contestants::start(engine)? {
        Ok(session) => session,
        Err(broke) => return Ok(broken(broke)),
    };
    let mut counter = EngineCounter::new(engine.name.clone(), session);
    let (mut positions, mut nodes) = (0, 0);
    let mut result = StepResult::new(Step::Perft, StepVerdict::Passed, "");
    let mut wrong = Vec::new();
    for Printed { suite, sha256 } in &plan.suites {
        let counted = match count_suite(&mut counter, suite, plan.max_depth)? {
            Ok(counted) => counted,
            Err(broke) => return Ok(broken(broke)),
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
) -> Result<Answered<Counted>, CliError> {
    let mut counted = Counted::default();
    for position in &suite.positions {
        match PerftCheck::run(counter, position, max_depth) {
            Ok(check) => {
                counted.nodes += check.nodes;
                counted.wrong.extend(check.mismatch.map(|mismatch| told(suite, position, &mismatch)));
            }
            Err(CountError::Engine(error @ (EngineError::Silent { .. } | EngineError::Ended { .. }))) => {
                return Ok(Err(format!("{}:{}: {error}", suite.name, position.line)));
            }
            Err(error) => {
                let error = anyhow::Error::new(error);
                return Err(error.context(format!("perft, {}:{}", suite.name, position.line))).usage();
            }
        }
    }
    Ok(Ok(counted))
}

fn broken(what_it_did: String) -> StepResult {
    StepResult::new(Step::Perft, StepVerdict::Broken, what_it_did).check_as_a_whole("counting")
}

/// The place, the counts, and the smallest position that differs, in a line.
fn told(suite: &PerftSuite, position: &PerftPosition, mismatch: &PerftMismatch) -> String {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let place = format!("{}:{}: {} at depth {depth}", suite.name, position.line, position.name);
    let counts = format!("expected {}, counted {}", thousands(*expected), thousands(*found));
    let Some(PerftDifference { fen, missing, extra, .. }) = difference else {
        return format!("{place}: {counts}; shakmaty counts so too: the suite is wrong");
    };
    let moves = |word: &str, moves: &[String]| {
        if moves.is_empty() { String::new() } else { format!("; {word}: {}", moves.join(" ")) }
    };
    format!("{place}: {counts}; in {fen}{}{}", moves("missing", missing), moves("illegal", extra))
}
