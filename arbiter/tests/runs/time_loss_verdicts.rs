//! Late and missing answers are explained by system data: briefly in the record, with figures in `bad/`.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::arena;
use runner::{GameRecord, Run, SearchLimits, Termination};

/// Plays two games of a slow engine that has its own clock. Returns the records and the logs.
fn two_games(mode: &str, clock: &str) -> Vec<(GameRecord, String)> {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("verdict-tag-{}-{mode}", std::process::id());
    let mut config = arena::config(&[mode, "well"], &tag);
    config.timeouts.late = Duration::from_secs(20);
    if mode == "stop" {
        config.timeouts.late = Duration::from_millis(500);
    }
    config.engines[0].limits =
        Some(SearchLimits { clock: Some(clock.parse().unwrap()), ..SearchLimits::default() });
    let (games, _) = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    assert_eq!(arena::processes_left(&tag), 0, "an engine is left alive");
    let with_log = games.into_iter().map(|record| {
        // Logs are numbered from 1.
        let log = folder.path().join("bad").join(format!("{}.log", record.game + 1));
        (record, std::fs::read_to_string(log).unwrap())
    });
    with_log.collect()
}

fn explained(mode: &str, clock: &str, termination: Termination, verdict: &str) {
    let games = two_games(mode, clock);
    assert_eq!(games.len(), 2);
    for (record, log) in games {
        let detail = record.detail.unwrap();
        assert_eq!(record.termination, termination, "{detail}");
        assert!(detail.contains(verdict), "{detail}");
        for figures in
            [&format!("verdict: {verdict}"), "measured in the last", "engine: ", "runner: ", "load"]
        {
            assert!(log.contains(figures), "{figures}: {log}");
        }
    }
}

#[test]
fn an_engine_that_works_beyond_its_time_thought_too_long() {
    // On a busy machine too: the time spent waiting for a core is less than the delay.
    explained("burns-time", "0.1", Termination::TimeLoss, "the engine thought too long");
}

#[test]
fn an_engine_that_sleeps_was_idle() {
    explained("late", "0.1", Termination::TimeLoss, "the engine was idle");
}

#[test]
fn silence_before_the_game_is_explained_too() {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("verdict-tag-{}-silent", std::process::id());
    let mut config = arena::config(&["stops-before-game", "well"], &tag);
    config.timeouts.ready = Duration::from_millis(600);
    let (games, _) = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    // The engine gets ready at its start, but not when a game is to begin.
    assert_eq!(games.len(), 2);
    for record in games {
        let detail = record.detail.unwrap();
        assert_eq!(record.termination, Termination::Stall, "{detail}");
        assert!(
            detail.contains("readyok") && detail.contains("the engine was stopped by a signal"),
            "{detail}"
        );
    }
}

#[test]
fn silence_when_it_is_started_has_a_log_and_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("verdict-tag-{}-never-ready", std::process::id());
    let mut config = arena::config(&["never-ready", "well"], &tag);
    config.timeouts.ready = Duration::from_millis(600);
    let (games, _) = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    assert_eq!(games[0].termination, Termination::Stall);
    let log = std::fs::read_to_string(folder.path().join("bad/1.log")).unwrap();
    for words in ["isready", "verdict: ", "measured in the last", "engine: "] {
        assert!(log.contains(words), "{words}: {log}");
    }
    assert_eq!(arena::processes_left(&tag), 0, "an engine is left alive");
}

#[test]
fn an_engine_that_is_stopped_is_told_from_one_that_sleeps() {
    explained("stop", "0.3", Termination::Stall, "the engine was stopped by a signal");
}
