//! A run that is interrupted by Ctrl-C continues with the same games as an uninterrupted one; `killed_runs` has the other
//! kind.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::finished_games::{games, journalled};
use crate::workbench::{PATIENCE, TARRASCH, Workbench};

/// How many games the match has: enough to be caught in the middle.
const GAMES: usize = 14;

/// A match whose games take a while and do not depend on the machine.
fn arguments(out: &str) -> Vec<&str> {
    let mut args =
        vec!["match", TARRASCH, "well", "--openings", "book.epd", "--seed", "7", "--concurrency", "2"];
    args.extend(["--games", "14", "--nodes", "8000", "--maxmoves", "12", "--out", out]);
    args
}

/// Waits for something that happens sooner or later, and fails when it takes too long.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "still waiting: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal and waits for the end.
fn end_by(mut arbiter: Child, signal: Signal) -> ExitStatus {
    kill_process(Pid::from_child(&arbiter), signal).unwrap();
    arbiter.wait().unwrap()
}

/// Starts a command and waits until the run has one more game than before.
fn start_and_wait_for_a_game(bench: &Workbench, args: &[&str]) -> Child {
    let before = journalled(bench, "run").len();
    let mut arbiter = bench.spawn(args);
    wait_until("a game", || journalled(bench, "run").len() > before || arbiter.try_wait().unwrap().is_some());
    arbiter
}

#[test]
fn an_interrupted_match_finishes_its_games_and_is_resumed_with_the_missing_ones() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.run(&arguments("whole")).expect_code(0);
    let arbiter = start_and_wait_for_a_game(&bench, &arguments("run"));
    assert_eq!(end_by(arbiter, Signal::INT).code(), Some(3));
    #[cfg(target_os = "linux")]
    assert_eq!(bench.processes(), 0);
    let finished = journalled(&bench, "run");
    assert!(!finished.is_empty() && finished.len() < GAMES, "{finished:?}");
    assert_eq!(games(&bench, "run").len(), finished.len(), "what is finished is in the PGN");

    let text = bench.run(&["resume", "run"]).expect_code(0).stdout();
    assert!(text.contains(&format!("{GAMES} games")), "{text}");
    let mut all = journalled(&bench, "run");
    all.sort_unstable();
    assert_eq!(all, (0..GAMES as u32).collect::<Vec<_>>(), "each game is played once");
    assert_eq!(games(&bench, "run"), games(&bench, "whole"));
    bench.run(&["report", "run", "--out", "again.html"]).expect_code(0);
    assert!(
        bench.read("again.html") == bench.read("run/report.html"),
        "the journal makes the page of the resumed run"
    );
}

#[test]
fn what_a_stopped_run_left_is_what_its_journal_says() {
    let bench = Workbench::with_mocks(&["well"]);
    let mut arbiter = start_and_wait_for_a_game(&bench, &arguments("run"));
    bench.run(&["control", "run", "stop", "now"]).expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let left = json(&bench.read("run/summary.json"));
    assert!(left["games"].as_u64() >= Some(1), "{left}");
    let status = json(&bench.run(&["status", "run", "--json"]).expect_code(0).stdout());
    assert_eq!(status["summary"], left);
    bench.run(&["report", "run", "--out", "again.html"]).expect_code(0);
    assert!(
        bench.read("again.html") == bench.read("run/report.html"),
        "the journal makes the page of the stopped run"
    );
}
