//! Results of `arbiter ci` for tests.

use jiff::Timestamp;

use super::baseline::{Baseline, BenchRecord, SpeedRecord, TacticsRecord};
use super::ci_run::CiResult;
use super::step::Step;
use super::step::{CheckOutcome, StepResult, StepVerdict};

fn measured(nodes: u64, solved: &[&str]) -> Baseline {
    let record = TacticsRecord {
        suite: "classics.epd".to_owned(),
        sha256: "ab".to_owned(),
        limit: "go nodes 1000".to_owned(),
        positions: 3,
        solved: solved.iter().map(|id| (*id).to_owned()).collect(),
    };
    Baseline {
        version: Some("Mock 1".to_owned()),
        bench: Some(BenchRecord { nodes }),
        speed: Some(SpeedRecord { nodes_per_second: 1_234_567, machine: "a machine, 2 cores".to_owned() }),
        tactics: vec![record],
        ..Baseline::of_engine("mock")
    }
}

fn result(steps: Vec<StepResult>, baseline: Baseline, measured: Baseline) -> CiResult {
    CiResult {
        schema: CiResult::SCHEMA,
        engine: "mock".to_owned(),
        uncommitted: Vec::new(),
        against: None,
        machine: "a machine, 2 cores".to_owned(),
        started: Timestamp::UNIX_EPOCH,
        verdict: CiResult::verdict_on(&steps),
        steps,
        baseline: Some(baseline),
        measured,
    }
}

/// A build that equals its baseline.
pub fn passed() -> CiResult {
    let steps = vec![
        StepResult::new(Step::Bench, StepVerdict::Passed, "1,000 nodes, as in the baseline")
            .check_as_a_whole("bench nodes"),
    ];
    result(steps, measured(1000, &["one", "two"]), measured(1000, &["one", "two"]))
}

/// A build with another bench, fewer solved positions, uncommitted changes, and an undecided match.
pub fn regression() -> CiResult {
    let steps = vec![
        StepResult::new(Step::Perft, StepVerdict::Passed, "6 positions, 1,000 nodes, all counts correct")
            .check("smirf.epd", CheckOutcome::Passed),
        StepResult::new(Step::Bench, StepVerdict::Regression, "1,200 nodes; the baseline has 1,000")
            .detail("the search has changed; if you intended this, run `arbiter ci --update-baseline`")
            .check_as_a_whole("bench nodes"),
        StepResult::new(Step::Tactics, StepVerdict::Regression, "1 of 3 positions solved")
            .detail("required but not solved: two")
            .check("classics.epd: required positions", CheckOutcome::Failed("not solved: two".to_owned())),
        StepResult::new(Step::Match, StepVerdict::Inconclusive, "10 games cannot tell new and old apart")
            .check_as_a_whole("no regression"),
    ];
    let mut result = result(steps, measured(1000, &["one", "two"]), measured(1200, &["three"]));
    result.against = Some("mock@0123456".to_owned());
    result.uncommitted = vec!["src/search.rs".to_owned()];
    result
}
