//! A match against each bad engine, with both colours, one game at a time and four.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use referee::Side;
use referee::openings::{Book, BookFormat, BookOptions};
use runner::{FinishReason, GameRecord, Run, Termination};
use stats::Outcome;

use super::case::{Case, Expected};
use super::cases::{CASES, LONGEST_MATCH};
use crate::arena;

/// How many games each match has: two with each colour.
const GAMES: u32 = 4;

/// How many matches are played at once. Most of them only wait.
const MATCHES_AT_ONCE: usize = 8;

/// By how much our own memory may grow over the whole matrix, in KiB. Of an engine that floods us we keep some hundred
/// KiB; without a cap it would be a gigabyte.
const MEMORY_GROWTH: u64 = 128 * 1024;

#[test]
fn every_mode_of_the_mock_engine_is_in_the_table() {
    let program = arena::config(&["well"], "tag").engines[0].program.clone();
    let listed = Command::new(program).arg("--modes").output().unwrap().stdout;
    let listed = String::from_utf8(listed).unwrap();
    let missing: Vec<&str> =
        listed.lines().filter(|mode| !CASES.iter().any(|case| case.mode == *mode)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(listed.lines().count() >= 40);
}

#[test]
fn every_bad_engine_gets_what_it_deserves_and_the_run_goes_on() {
    let memory_before = peak_memory();
    let tasks: Vec<(usize, usize)> =
        (0..CASES.len()).flat_map(|case| [(case, 1), (case, GAMES as usize)]).collect();
    let queue = Arc::new(Mutex::new(tasks.clone().into_iter()));
    let (sender, outcomes) = mpsc::channel();
    for _ in 0..MATCHES_AT_ONCE {
        let (queue, sender) = (Arc::clone(&queue), sender.clone());
        thread::spawn(move || {
            loop {
                let Some((case, concurrency)) = queue.lock().unwrap().next() else { break };
                sender.send(check(case, concurrency)).unwrap();
            }
        });
    }
    let mut problems = Vec::new();
    for _ in &tasks {
        match outcomes.recv_timeout(2 * LONGEST_MATCH) {
            Ok(outcome) => problems.extend(outcome.err()),
            Err(error) => panic!("a match hangs or has panicked ({error}); so far: {problems:#?}"),
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    let growth = peak_memory() - memory_before;
    assert!(growth < MEMORY_GROWTH, "our memory grew by {growth} KiB");
}

/// Plays a match of the table and says what is not as expected.
fn check(index: usize, concurrency: usize) -> Result<(), String> {
    let case = &CASES[index];
    let name = format!("{} (case {index}, {concurrency} at once)", case.mode);
    let tag = format!("tag-{}-{index}-{concurrency}", std::process::id());
    let folder = tempfile::tempdir().unwrap();
    let mut config = arena::config(&[case.mode, "well"], &tag);
    (config.games, config.concurrency) = (GAMES, concurrency);
    (case.adapt)(&mut config);
    let begin = Instant::now();
    let (games, reason) = arena::play(Run::start(config, book(case), folder.path()).unwrap());
    let outcome = judge(case.expected, concurrency, &games, &reason)
        .and_then(|()| logs_are_kept(folder.path(), &games))
        .and_then(|()| in_time(begin.elapsed()));
    #[cfg(target_os = "linux")]
    let outcome = outcome.and_then(|()| match arena::processes_left(&tag) {
        0 => Ok(()),
        left => Err(format!("{left} processes are left alive")),
    });
    outcome.map_err(|problem| format!("{name}: {problem}"))
}

fn book(case: &Case) -> Book {
    let opening = |fen| Book::parse("arena", fen, BookFormat::Epd, &BookOptions::default()).unwrap();
    case.opening.map_or_else(arena::book, opening)
}

fn in_time(elapsed: Duration) -> Result<(), String> {
    if elapsed < LONGEST_MATCH { Ok(()) } else { Err(format!("took {elapsed:?}")) }
}

/// Compares what happened with what should have.
fn judge(
    expected: Expected,
    concurrency: usize,
    games: &[GameRecord],
    reason: &FinishReason,
) -> Result<(), String> {
    match expected {
        Expected::NeverStarts(termination, words) => {
            if !matches!(reason, FinishReason::EngineDoesNotStart { engine: 0, .. }) {
                return Err(format!("ended with {reason:?}"));
            }
            // Games that were begun when the third failed are finished.
            if games.len() < 3 || games.len() > 2 + concurrency {
                return Err(format!("{} games", games.len()));
            }
            return games.iter().try_for_each(|game| is_lost(game, termination, words));
        }
        _ if *reason != FinishReason::AllGamesPlayed => return Err(format!("ended with {reason:?}")),
        _ if games.len() != GAMES as usize => return Err(format!("{} games", games.len())),
        _ => {}
    }
    let (bad, fine): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.termination.is_fault());
    match expected {
        Expected::Loses(termination, words) => {
            games.iter().try_for_each(|game| is_lost(game, termination, words))
        }
        Expected::LosesSome(termination, words) => {
            if bad.is_empty() && concurrency == 1 {
                return Err("nothing happened".to_owned());
            }
            bad.iter().try_for_each(|game| is_lost(game, termination, words))
        }
        Expected::Fine | Expected::Warning(_) if !bad.is_empty() => {
            Err(format!("{:?}: {:?}", bad[0].termination, bad[0].detail))
        }
        Expected::Warning(words) => {
            let warned = fine.iter().filter(|game| is_warned(game, words)).count();
            if warned > 0 { Ok(()) } else { Err(format!("no warning in {:?}", fine[0].warnings)) }
        }
        _ => match fine.iter().find(|game| !game.warnings.is_empty()) {
            Some(game) => Err(format!("warned of {:?}", game.warnings)),
            None => Ok(()),
        },
    }
}

/// Whether the bad engine, the first, has lost a game in this way.
fn is_lost(game: &GameRecord, termination: Termination, words: &str) -> Result<(), String> {
    let detail = game.detail.as_deref().unwrap_or_default();
    let position_is_told = termination != Termination::IllegalMove || detail.contains(&game.final_fen);
    let is_so = game.termination == termination
        && game.offender == Some(bad_side(game))
        && game.outcome(1) == Some(Outcome::Win)
        && detail.contains(words)
        && position_is_told;
    if is_so {
        Ok(())
    } else {
        Err(format!("game {}: {} by {:?}: {detail}", game.game, game.termination, game.offender))
    }
}

/// Whether the warnings of a game are all about the bad engine, and with these words.
fn is_warned(game: &GameRecord, words: &str) -> bool {
    let start = format!("{}: ", bad_side(game));
    game.warnings.iter().any(|text| text.contains(words))
        && game.warnings.iter().all(|text| text.starts_with(&start))
}

fn bad_side(game: &GameRecord) -> Side {
    if game.white == 0 { Side::White } else { Side::Black }
}

/// Every game that ended badly has its protocol log.
fn logs_are_kept(folder: &Path, games: &[GameRecord]) -> Result<(), String> {
    for game in games.iter().filter(|game| game.termination.is_fault()) {
        let path = folder.join("bad").join(format!("{}.log", game.game + 1));
        let log = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !log.contains("# White\n") {
            return Err(format!("{}: {log}", path.display()));
        }
    }
    Ok(())
}

/// The largest memory of this process so far, in KiB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
