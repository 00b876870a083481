//! Late and missing answers are explained by system data: briefly in the record, with figures in `bad/`.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::arena;
use runner::GameRecord;
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
        let wrong = || {
            let games = arena::played(&[mode, "well"], |config| {
                let patience = Duration::from_millis(patience);
                match clock {
                    Some(_) => config.timeouts.late = patience,
                    None => config.timeouts.ready = patience,
                }
                config.engines[0].limits = clock.map(arena::clock);
            });
            assert_eq!(games.len(), 2, "{mode}");
            let problem = |(record, log): (GameRecord, String)| {
                let detail = record.detail.unwrap_or_default();
                let figures = [
                    &format!("verdict: {verdict}")[..],
                    "measured in the last",
                    "engine: ",
                    "runner: ",
                    "load",
                ];
                let is_told = detail.contains(said)
                    && detail.contains(verdict)
                    && figures.iter().all(|figures| log.contains(figures));
                (record.termination != termination || !is_told)
                    .then(|| format!("{mode}: {:?}, {detail}\n{log}", record.termination))
            };
            games.into_iter().find_map(problem)
        };
        // On a busy machine an engine may be late for another reason, so a case may be tried again.
        let problems: Vec<String> = (0..4).map_while(|_| wrong()).collect();
        assert!(problems.len() < 4, "{}", problems.join("\n"));
    }
}
