//! The bench step: does the engine search the expected number of nodes?

use super::baseline::{Baseline, BenchRecord};
use super::ci_file::BenchTable;
use super::ci_folder::GitState;
use super::step::{Step, StepResult, StepVerdict};
use crate::cli::CliError;
use crate::measure::evidence::bench;
use crate::measure::evidence::bench::BenchMethod;
use crate::text::number_text::thousands;
use runner::EngineConfig;

/// The bench that is expected, and who says so.
enum ExpectedNodes {
    Commit(u64),
    Baseline(u64),
    Unknown,
}

/// Runs the engine's bench and compares its nodes with the newest commit message that states a bench, or else with the
/// baseline. The bench of a deterministic engine is the same on every machine; a different one means that the search
/// has changed.
pub fn run(
    table: &BenchTable,
    engine: &EngineConfig,
    git: Option<&GitState>,
    baseline: Option<&Baseline>,
    record: &mut Option<BenchRecord>,
) -> Result<StepResult, CliError> {
    let nodes = match bench::nodes(engine, method(table), table.timeout) {
        Ok(nodes) => nodes,
        Err(error) => return StepResult::broken(Step::Bench, error, "bench nodes"),
    };
    *record = Some(BenchRecord { nodes });
    let of_commit = table.commit_pattern.as_ref().and_then(|pattern| git?.stated_bench(&pattern.0));
    let of_commit = of_commit.map(ExpectedNodes::Commit);
    let of_baseline =
        || baseline.and_then(|known| known.bench).map(|bench| ExpectedNodes::Baseline(bench.nodes));
    let expected = of_commit.or_else(of_baseline).unwrap_or(ExpectedNodes::Unknown);
    Ok(judge(nodes, &expected).check_as_a_whole("bench nodes"))
}

fn judge(nodes: u64, expected: &ExpectedNodes) -> StepResult {
    let passed = |sentence| StepResult::new(Step::Bench, StepVerdict::Passed, sentence);
    let failed = |sentence| StepResult::new(Step::Bench, StepVerdict::Regression, sentence);
    let searched = format!("{} nodes", thousands(nodes));
    match *expected {
        ExpectedNodes::Commit(expected) if expected == nodes => {
            passed(format!("{searched}, as the commit message states"))
        }
        ExpectedNodes::Baseline(expected) if expected == nodes => {
            passed(format!("{searched}, as in the baseline"))
        }
        ExpectedNodes::Unknown => passed(searched),
        ExpectedNodes::Commit(expected) => {
            failed(format!("{searched}; the commit message states {}", thousands(expected))).detail(
                "the search has changed; if you intended this, state the new bench in the commit message",
            )
        }
        ExpectedNodes::Baseline(expected) => {
            failed(format!("{searched}; the baseline has {}", thousands(expected)))
                .detail("the search has changed; if you intended this, run `arbiter ci --update-baseline`")
        }
    }
}

fn method(table: &BenchTable) -> BenchMethod<'_> {
    let nodes = &table.nodes.0;
    match &table.command {
        Some(command) => BenchMethod::Shell { command, nodes },
        None => BenchMethod::Uci { line: table.uci.as_deref().unwrap_or_default(), nodes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_that_differs_from_the_expected_one_is_a_regression() {
        assert_eq!(judge(5, &ExpectedNodes::Commit(5)).verdict, StepVerdict::Passed);
        assert_eq!(judge(5, &ExpectedNodes::Baseline(5)).verdict, StepVerdict::Passed);
        assert_eq!(judge(5, &ExpectedNodes::Unknown).verdict, StepVerdict::Passed);
        let changed = judge(5000, &ExpectedNodes::Baseline(4999));
        assert_eq!(changed.verdict, StepVerdict::Regression);
        assert_eq!(changed.sentence, "5,000 nodes; the baseline has 4,999");
        assert_eq!(judge(5, &ExpectedNodes::Commit(6)).verdict, StepVerdict::Regression);
    }
}
