//! Late and missing answers are explained by system data: briefly in the record, with figures in `bad/`.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::arena;
use runner::Termination::{Stall, TimeLoss};

#[test]
fn a_late_or_missing_answer_is_explained_by_what_the_engine_did() {
    // The clock of the engine, if it has one; how long its late answer, or `readyok`, is waited for, in milliseconds; how
    // the game ends; and what is said of it.
    for (mode, clock, patience, termination, said, verdict) in [
        // On a busy machine too: the time spent waiting for a core is less than the delay.
        ("burns-time", Some("0.1"), 20_000, TimeLoss, "too late", "the engine thought too long"),
        ("late", Some("0.1"), 20_000, TimeLoss, "too late", "the engine was idle"),
        ("stop", Some("0.3"), 500, Stall, "no bestmove", "the engine was stopped by a signal"),
        // It gets ready at its start, but not when a game is to begin.
        ("stops-before-game", None, 600, Stall, "readyok", "the engine was stopped by a signal"),
        ("never-ready", None, 600, Stall, "readyok", ""),
    ] {
        let games = arena::played(&[mode, "well"], |config| {
            let patience = Duration::from_millis(patience);
            match clock {
                Some(_) => config.timeouts.late = patience,
                None => config.timeouts.ready = patience,
            }
            config.engines[0].limits = clock.map(arena::clock);
        });
        assert_eq!(games.len(), 2, "{mode}");
        for (record, log) in games {
            let detail = record.detail.unwrap();
            assert_eq!(record.termination, termination, "{mode}: {detail}");
            assert!(detail.contains(said) && detail.contains(verdict), "{mode}: {detail}");
            let verdict = format!("verdict: {verdict}");
            for figures in [&verdict[..], "measured in the last", "engine: ", "runner: ", "load"] {
                assert!(log.contains(figures), "{mode}, {figures}: {log}");
            }
        }
    }
}
