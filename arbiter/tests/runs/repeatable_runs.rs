//! What does not count in a journal, and what does not continue it. That the same configuration gives the same games,
//! whatever the concurrency and the interruptions, is tested by `cli/killed_runs.rs` and `cli/scenarios/runs.txt`.

use std::path::Path;

use super::arena;
use runner::{Event, FinishReason, Run, RunConfig, RunError, Termination};

fn start(config: RunConfig, folder: &Path) -> Run {
    Run::start(config, arena::book(), folder).unwrap()
}

fn resume(config: RunConfig, folder: &Path) -> Run {
    Run::resume(config, arena::book(), folder).unwrap()
}

#[test]
fn another_configuration_does_not_continue_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = arena::config(&["well", "binary"], "tournament");
    drop(start(config.clone(), folder.path()));
    config.book.seed = 2;
    let outcome = Run::resume(config, arena::book(), folder.path());
    assert!(matches!(outcome, Err(RunError::OtherRun { .. })));
}

#[test]
fn an_abandoned_game_is_not_counted_and_leaves_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("tag-{}-abandoned", std::process::id());
    let mut config = arena::config(&["hang", "well"], &tag);
    config.timeouts.stall = std::time::Duration::from_mins(10);
    let run = start(config.clone(), folder.path());
    let stop = run.control();
    let mut endings = Vec::new();
    let reason = run.execute(|event| match event {
        Event::GameStarted { .. } => {
            stop.interrupt();
            stop.interrupt();
        }
        Event::GameFinished(record) => endings.push((record.termination, record.result)),
        _ => {}
    });
    assert_eq!(reason.unwrap(), FinishReason::Requested);
    assert_eq!(endings, [(Termination::Abandoned, None)]);
    #[cfg(target_os = "linux")]
    assert_eq!(arena::processes_left(&tag), 0);
    assert_eq!(resume(config, folder.path()).finished().count(), 0);
}

#[test]
fn games_in_flight_when_a_test_decides_are_marked_and_a_resumed_run_stays_decided() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = arena::config(&["well", "illegal"], "sprt-in-flight");
    config.games = 2000;
    config.concurrency = 4;
    config.sprt = Some(stats::Sprt::new(0.0, 200.0, 0.05, 0.05, stats::SprtModel::Logistic).unwrap());
    let run = start(config.clone(), folder.path());
    let mut marks = Vec::new();
    let reason = run.execute(|event| {
        if let Event::GameFinished(record) = event {
            marks.push(record.after_decision);
        }
    });
    assert_eq!(reason.unwrap(), FinishReason::AcceptedH1);
    assert!(marks.is_sorted(), "all that ended after the decision, and nothing before it: {marks:?}");
    assert!(marks.len() < 200, "{marks:?}");
    assert!(resume(config, folder.path()).is_over());
}
