//! Games with clocks that run on the engines' CPU time.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::arena;
use runner::process::ClockKind;
use runner::{Adjudication, GameRecord, Termination};

/// Two games of an engine with such a clock, which end after a few moves.
fn two_games(mode: &str, clock: &str) -> Vec<GameRecord> {
    let games = arena::played(&[mode, "well"], |config| {
        config.clock = ClockKind::Cpu;
        config.timeouts.late = Duration::from_millis(300);
        config.adjudication = Adjudication { max_moves: Some(4), ..Adjudication::default() };
        config.engines[0].limits = Some(arena::clock(clock));
    });
    games.into_iter().map(|(game, _)| game).collect()
}

#[test]
#[ignore = "begins again while the machine is busy; .ci/nightly runs it"]
fn whoever_works_pays_for_it_and_whoever_does_nothing_at_all_is_ended() {
    let cases = [
        // The process works for 0.4 seconds in total.
        ("burns-time", "1", Termination::MaxMoves, ""),
        ("burns-time", "0.2", Termination::TimeLoss, " ms of CPU time, "),
        ("burns-time+no-move", "0.2", Termination::TimeLoss, "(none) answered after"),
        ("burns-time+unreadable", "0.2", Termination::TimeLoss, " ms of CPU time, "),
        // It sleeps longer than its clock allows, again and again.
        ("late", "0.25", Termination::MaxMoves, ""),
        ("hang", "0.1", Termination::Stall, "the engine was idle"),
        ("stop", "0.1", Termination::Stall, "the engine was stopped by a signal"),
        ("flood", "0.1", Termination::Stall, "no bestmove after"),
    ];
    for (mode, clock, termination, expected) in cases {
        // On a busy machine, our timers may be late, which excuses the engine.
        let is_excused =
            |game: &GameRecord| game.warnings.iter().any(|warning| warning.contains("that is not counted"));
        let tries = (0..20).map(|_| two_games(mode, clock));
        let games = { tries }.find(|games| !games.iter().any(is_excused)).expect("a try without an excuse");
        assert_eq!(games.len(), 2, "{mode}");
        for game in games {
            let detail = game.detail.clone().unwrap_or_default();
            assert_eq!(game.termination, termination, "{mode}: {detail}");
            assert!(detail.contains(expected) && !game.excused, "{mode}: {detail}");
        }
    }
}

#[test]
fn a_busy_neighbour_takes_no_time() {
    let is_over = AtomicBool::new(false);
    let games = thread::scope(|scope| {
        for _ in 0..4 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    black_box((0..1000_u64).fold(0, |sum: u64, next| sum.wrapping_mul(31) ^ next));
                }
            });
        }
        let games = two_games("burns-time", "0.55");
        is_over.store(true, Ordering::Relaxed);
        games
    });
    for game in &games {
        assert_eq!(game.termination, Termination::MaxMoves, "{:?}", game.detail);
    }
    // It works for 400 ms in total, most of it in one move.
    let longest = games.iter().flat_map(|game| &game.moves).map(|played| played.time).max().unwrap();
    assert!((300..550).contains(&longest.as_millis()), "{longest:?}");
}
