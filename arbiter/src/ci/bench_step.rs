//! Does the engine search what it is said to search?

use std::time::Duration;

use super::baseline::{Baseline, BenchRecord};
use super::ci_file::BenchTable;
use super::git_state::GitState;
use super::step::Step;
use super::step_result::{StepResult, StepVerdict};
use crate::cli::CliError;
use crate::evidence::bench;
use crate::evidence::bench::BenchQuestion;
use crate::text::number_text::thousands;
use runner::EngineConfig;

/// Whose number the build is held against.
enum Promise {
    Commit(u64),
    Baseline(u64),
    Nobody,
}

/// Counts the nodes of the engine's own bench, and compares them with what the log of the repository promises, or else
/// with the baseline. A deterministic engine has the same number on any machine; where it differs, the search has
/// changed.
///
/// # Errors
/// The pattern finds no number, or the command cannot be run.
pub fn run(
    table: &BenchTable,
    engine: &EngineConfig,
    git: Option<&GitState>,
    baseline: Option<&Baseline>,
    record: &mut Option<BenchRecord>,
) -> Result<StepResult, CliError> {
    let nodes = match bench::nodes(engine, question(table), Duration::from_secs(table.timeout)) {
        Ok(nodes) => nodes,
        Err(unanswered) => return StepResult::broken(Step::Bench, unanswered, "nodes searched"),
    };
    *record = Some(BenchRecord { nodes });
    let of_log =
        table.commit_pattern.as_ref().and_then(|pattern| git?.promise(&pattern.0)).map(Promise::Commit);
    let of_baseline = || baseline.and_then(|known| known.bench).map(|bench| Promise::Baseline(bench.nodes));
    let promise = of_log.or_else(of_baseline).unwrap_or(Promise::Nobody);
    Ok(judge(nodes, &promise).check_as_a_whole("nodes searched"))
}

fn judge(nodes: u64, promise: &Promise) -> StepResult {
    let passed = |sentence| StepResult::new(Step::Bench, StepVerdict::Passed, sentence);
    let failed = |sentence| StepResult::new(Step::Bench, StepVerdict::Regression, sentence);
    let searched = format!("{} nodes", thousands(nodes));
    match *promise {
        Promise::Commit(expected) if expected == nodes => passed(format!("{searched}, as the log promises")),
        Promise::Baseline(expected) if expected == nodes => passed(format!("{searched}, as in the baseline")),
        Promise::Nobody => passed(format!("{searched}; nothing to compare with yet")),
        Promise::Commit(expected) => failed(format!("{searched}; the log promises {}", thousands(expected)))
            .detail("the search has changed: if it was meant to, the message of the commit has to say so"),
        Promise::Baseline(expected) => {
            failed(format!("{searched}; the baseline has {}", thousands(expected)))
                .detail("the search has changed: if it was meant to, `arbiter ci --update-baseline`")
        }
    }
}

fn question(table: &BenchTable) -> BenchQuestion<'_> {
    let nodes = &table.nodes.0;
    match &table.command {
        Some(command) => BenchQuestion::Shell { command, nodes },
        None => BenchQuestion::Uci { line: table.uci.as_deref().unwrap_or_default(), nodes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_than_promised_is_a_regression_and_no_promise_is_none() {
        assert_eq!(judge(5, &Promise::Commit(5)).verdict, StepVerdict::Passed);
        assert_eq!(judge(5, &Promise::Baseline(5)).verdict, StepVerdict::Passed);
        assert_eq!(judge(5, &Promise::Nobody).verdict, StepVerdict::Passed);
        let changed = judge(5000, &Promise::Baseline(4999));
        assert_eq!(changed.verdict, StepVerdict::Regression);
        assert_eq!(changed.sentence, "5,000 nodes; the baseline has 4,999");
        assert_eq!(judge(5, &Promise::Commit(6)).verdict, StepVerdict::Regression);
    }
}
