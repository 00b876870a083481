//! The perft step: does the engine generate the legal moves?

use std::mem;

use anyhow::{Result, anyhow, bail};

use super::baseline::PerftRecord;
use super::plan::{HashedSuite, PerftPlan};
use super::step::Step;
use super::step::{CheckOutcome, StepResult, StepVerdict};
use crate::cli::CliError;
use crate::engines::EngineSession;
use crate::measure::evidence::{MeasureError, perft};
use crate::measure::perft::{EngineCounter, PerftMismatch, PerftSuite, countable, note_skipped};
use crate::text::number_text::{counted, thousands};
use runner::EngineConfig;

/// The most wrong positions that are listed.
const MOST_LISTED: usize = 5;

/// The counts of a suite.
#[derive(Debug, Default)]
struct Counted {
    nodes: u64,
    wrong: Vec<String>,
}

/// Counts every position of the suites, and adds the suites that were counted correctly to `records`.
pub fn run(
    plan: &PerftPlan,
    engine: &EngineConfig,
    records: &mut Vec<PerftRecord>,
) -> Result<StepResult, CliError> {
    let broken = |error| StepResult::broken(Step::Perft, error, "counts");
    let mut counter = match perft::counter(engine) {
        Ok(counter) => counter,
        Err(error) => return broken(error),
    };
    let (mut positions, mut nodes) = (0, 0);
    let mut result = StepResult::new(Step::Perft, StepVerdict::Passed, "");
    let mut wrong = Vec::new();
    for HashedSuite { suite, sha256 } in &plan.suites {
        let counted = match count_suite(&mut counter, suite, plan.max_depth) {
            Ok(counted) => counted,
            Err(error) => return broken(error),
        };
        positions += suite.positions.len();
        nodes += counted.nodes;
        let is_correct = counted.wrong.is_empty();
        result = result.check(suite.name.clone(), CheckOutcome::of(is_correct, || counted.wrong.join("\n")));
        wrong.extend(counted.wrong);
        if is_correct {
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
        return Ok(StepResult { sentence: format!("{counted}, all counts correct"), ..result });
    }
    let sentence = format!("{} of {all} with a wrong count", wrong.len());
    let details = wrong.into_iter().take(MOST_LISTED).collect();
    Ok(StepResult { verdict: StepVerdict::Regression, sentence, details, ..result })
}

/// Checks that an engine supports perft, before the first step. Without Chess960 it is not asked for the suites of that
/// which the file does not name.
pub fn check_support(session: EngineSession, engine: &str, plan: &mut PerftPlan) -> Result<()> {
    let mut counter = EngineCounter::new(engine, session);
    counter.probe().map_err(|error| {
        anyhow!("perft: {error}; remove [perft] from arbiter.toml, or add `--skip perft`")
    })?;
    let (counted, skipped) = countable(&counter, mem::take(&mut plan.suites), false);
    if let Some(name) = skipped.first().filter(|_| !plan.is_default) {
        bail!("perft, suites: {name} is of Chess960; engine {engine} has no option UCI_Chess960");
    }
    note_skipped(engine, &skipped);
    plan.suites = counted;
    Ok(())
}

fn count_suite(
    counter: &mut EngineCounter,
    suite: &PerftSuite,
    max_depth: u32,
) -> Result<Counted, MeasureError> {
    let mut counted = Counted::default();
    for position in perft::counts(counter, suite, max_depth) {
        let place = format!("{}: {}", position.place(), position.position.name);
        let check = position.check?;
        counted.nodes += check.nodes;
        counted.wrong.extend(check.mismatch.map(|mismatch| described(&place, &mismatch)));
    }
    Ok(counted)
}

/// The place, the counts, and the smallest position with a wrong count, in a line.
fn described(place: &str, mismatch: &PerftMismatch) -> String {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let place = format!("{place} at depth {depth}");
    let counts = format!("expected {}, counted {}", thousands(*expected), thousands(*found));
    match difference {
        None => format!("{place}: {counts}; shakmaty agrees with the engine, so the suite is wrong"),
        Some(difference) => {
            format!("{place}: {counts}; in {}{}", difference.fen, perft::wrong_moves(difference))
        }
    }
}
