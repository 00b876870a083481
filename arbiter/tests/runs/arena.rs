//! Runs of mock engines, each in its own folder.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use referee::openings::{Book, BookFormat, BookOptions};
use runner::{
    Adjudication, BookConfig, EngineConfig, Event, FinishReason, GameRecord, Run, RunConfig, RunPlan,
    SearchLimits, Timeouts,
};

use crate::programs::MOCK_ENGINE;

/// Enough openings that no game of a test repeats another.
const OPENINGS: &str = include_str!("../../../suites/openings/arbiter-balanced.epd");

pub fn book() -> Book {
    Book::read("arena", OPENINGS.as_bytes(), BookFormat::Epd, &BookOptions::default()).unwrap()
}

/// A run of mock engines, one per mode, with games limited to 20 moves. `tag` appears in the engines' command lines.
pub fn config(modes: &[&str], tag: &str) -> RunConfig {
    let engine = |(index, mode): (usize, &&str)| EngineConfig {
        name: format!("{mode}-{index}"),
        program: MOCK_ENGINE.into(),
        args: vec![(*mode).to_owned(), tag.to_owned()],
        ..EngineConfig::default()
    };
    let book = BookConfig { seed: 1, ..BookConfig::of("arena") };
    RunConfig {
        timeouts: Timeouts {
            ready: Duration::from_secs(3),
            stall: Duration::from_secs(1),
            late: Duration::from_secs(1),
        },
        limits: SearchLimits { nodes: Some(20), ..SearchLimits::default() },
        adjudication: Adjudication { max_moves: Some(20), ..Adjudication::default() },
        ..RunConfig::of(2, book, modes.iter().enumerate().map(engine).collect())
    }
}

/// The limits of an engine that has only this clock.
pub fn clock(text: &str) -> SearchLimits {
    SearchLimits { clock: Some(text.parse().unwrap()), ..SearchLimits::default() }
}

/// Plays a run of mock engines, and checks that none of them is left alive. Returns the games, each with the protocol log
/// that it has if it was lost by a fault.
pub fn played(modes: &[&str], adapt: impl FnOnce(&mut RunConfig)) -> Vec<(GameRecord, String)> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("arena-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let mut config = config(modes, &tag);
    adapt(&mut config);
    let (games, _) = play(RunPlan::new(config).unwrap().start(book(), folder.path()).unwrap());
    #[cfg(target_os = "linux")]
    assert_eq!(processes_left(&tag), 0, "an engine is left alive");
    let with_log = games.into_iter().map(|game| {
        // Logs are numbered from 1.
        let log = std::fs::read_to_string(folder.path().join(format!("bad/{}.log", game.game + 1)));
        (game, log.unwrap_or_default())
    });
    with_log.collect()
}

/// Plays a run to its end. Returns its games in the order of the schedule, and why it ended.
pub fn play(run: Run) -> (Vec<GameRecord>, FinishReason) {
    let mut games: Vec<GameRecord> = Vec::new();
    let reason = run
        .execute(|event| {
            if let Event::GameFinished(record) = event {
                games.push((**record).clone());
            }
        })
        .unwrap();
    games.sort_by_key(|record| record.game);
    (games, reason)
}

/// How many processes with `tag` in their arguments stay behind; a killed process may take a moment to end.
#[cfg(target_os = "linux")]
pub fn processes_left(tag: &str) -> usize {
    let timeout = std::time::Instant::now() + Duration::from_secs(10);
    while processes_with(tag) > 0 && std::time::Instant::now() < timeout {
        std::thread::sleep(Duration::from_millis(20));
    }
    processes_with(tag)
}

#[cfg(target_os = "linux")]
fn processes_with(tag: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let command_lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    command_lines.filter(|line| line.split(|byte| *byte == 0).any(|word| word == tag.as_bytes())).count()
}
