//! Every misbehaviour of an engine ends its game, and only its game, with its own termination.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use referee::Side;
use referee::openings::{Book, BookFormat, BookOptions};
use runner::Termination::IllegalMove;
use runner::{FinishReason, GameRecord, ProtocolName, RunConfig, RunPlan, SearchLimits, Termination};
use stats::Outcome;

use Expected::{Fine, Loses, LosesSome, NeverStarts, Warning};

use super::arena;
use crate::programs::is_wine;

/// A bad engine, and the expected outcome of a match against it: a line of `engine_faults.txt`, whose head explains it.
struct Case {
    mode: &'static str,
    expected: Expected,
    /// What changes the match from the usual one.
    changes: Vec<&'static str>,
}

/// The expected outcome of the games. Texts are parts of the detail or of the warning.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// No fault and no warning.
    Fine,
    /// No fault, but a warning.
    Warning(&'static str),
    /// The bad engine loses every game in this way.
    Loses(Termination, &'static str),
    /// The bad engine loses at least one game in this way, and none in another way.
    LosesSome(Termination, &'static str),
    /// The bad engine does not start, which ends the run.
    NeverStarts(Termination, &'static str),
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let lines = include_str!("engine_faults.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Case::of_line).collect()
});

impl Case {
    fn of_line(line: &'static str) -> Case {
        let mut cells = line.split(" | ");
        let mut cell = || cells.next().unwrap_or_default();
        let (mode, outcome) = (cell(), cell());
        let (kind, way) = outcome.split_once(' ').unwrap_or((outcome, ""));
        let words = match cell() {
            "NO_PROGRAM" => NO_PROGRAM,
            "ABORTED" => ABORTED,
            "BAD_ACCESS" => BAD_ACCESS,
            words => words,
        };
        let termination = || Termination::all().find(|it| serde_json::to_value(it).unwrap() == way).unwrap();
        let expected = match kind {
            "loses" => Loses(termination(), words),
            "loses-some" => LosesSome(termination(), words),
            "never-starts" => NeverStarts(termination(), words),
            "warning" => Warning(words),
            _ => {
                assert_eq!(kind, "fine", "{line}");
                Fine
            }
        };
        Case { mode, expected, changes: cell().split(", ").filter(|change| !change.is_empty()).collect() }
    }

    /// The configuration of the match.
    fn config(&self, tag: &str) -> RunConfig {
        let mut config = arena::config(&[self.mode, "well"], tag);
        let RunConfig { engines, timeouts, limits, ponder, .. } = &mut config;
        for change in &self.changes {
            match *change {
                "nowhere" => engines[0].program = "/nowhere/engine".into(),
                "no-program" => {
                    engines[0].program = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into();
                }
                "impatient" => {
                    // The good engine starts at the same time, and a flood takes cores.
                    engines[1].start_timeout = Some(timeouts.ready);
                    timeouts.ready = Duration::from_millis(800);
                }
                "on-the-clock" => engines[0].limits = Some(arena::clock("0.1+0.1")),
                "by-time-per-move" => {
                    let movetime = Some(Duration::from_millis(100));
                    engines[0].limits = Some(SearchLimits { movetime, ..SearchLimits::default() });
                }
                "by-depth" => *limits = SearchLimits { depth: Some(3), ..SearchLimits::default() },
                "in-xboards-protocol" => {
                    engines[0].protocol = Some(ProtocolName::Xboard);
                    engines[0].start_timeout = Some(Duration::from_millis(800));
                }
                "pondering" => *ponder = true,
                opening => assert!(opening.starts_with("from "), "{opening}"),
            }
        }
        config
    }

    fn book(&self) -> Book {
        let opening = self.changes.iter().find_map(|change| change.strip_prefix("from "));
        let read = |fen: &str| {
            Book::read("arena", fen.as_bytes(), BookFormat::Epd, &BookOptions::default()).unwrap()
        };
        opening.map_or_else(arena::book, read)
    }
}

/// The system's message for a file that is no program, and for programs that end in these ways.
const NO_PROGRAM: &str = if cfg!(windows) { "it is no program for this system" } else { "Permission denied" };
const ABORTED: &str = if cfg!(windows) { "0xC0000409 (abort" } else { "signal 6" };
const BAD_ACCESS: &str = if cfg!(windows) { "0xC0000005 (access violation)" } else { "signal 11" };

/// Modes that fail under Wine 8, whose console keeps copies of handles that an engine closes.
const NOT_UNDER_WINE: [&str; 4] = ["close-input", "close-output", "close-output-on-uci", "xboard+closes"];

/// The time limit of a match on a busy machine; four games that wait for their timeouts take some seconds.
const LONGEST_MATCH: Duration = Duration::from_mins(1);

/// The number of games in each match: two with each colour.
const GAMES: u32 = 4;

/// The number of concurrent matches. Most of them only wait.
const MATCHES_AT_ONCE: usize = 8;

/// The most by which our memory may grow over all matches, in KiB. We keep some hundred KiB of a flood; without a cap it
/// would be a gigabyte.
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

/// All games of a match at once, so that it waits for one timeout only. What happens only now and then is certain to
/// happen in one game after the other.
#[test]
fn every_bad_engine_gets_what_it_deserves_and_the_run_goes_on() {
    play_all(|case| if matches!(case.expected, LosesSome(..)) { 1 } else { GAMES as usize });
}

#[test]
#[ignore = "waits for four times as many timeouts; .ci/nightly runs it"]
fn every_bad_engine_gets_what_it_deserves_in_one_game_after_the_other() {
    play_all(|_| 1);
}

fn play_all(concurrency: fn(&Case) -> usize) {
    let memory_before = peak_memory();
    let is_tried = |case: &usize| !is_wine() || !NOT_UNDER_WINE.contains(&CASES[*case].mode);
    let tasks: Vec<(usize, usize)> =
        (0..CASES.len()).filter(is_tried).map(|case| (case, concurrency(&CASES[case]))).collect();
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

/// Plays a match of the table, and reports what is not as expected.
fn check(index: usize, concurrency: usize) -> Result<(), String> {
    let case = &CASES[index];
    let name = format!("{} (case {index}, {concurrency} at once)", case.mode);
    let tag = format!("tag-{}-{index}-{concurrency}", std::process::id());
    let folder = tempfile::tempdir().unwrap();
    let config = RunConfig { games: GAMES, concurrency, ..case.config(&tag) };
    let begin = Instant::now();
    let run = RunPlan::new(config).unwrap().start(case.book(), folder.path()).unwrap();
    let (games, reason) = arena::play(run);
    let outcome = judge(case.expected, concurrency, &games, &reason)
        .and_then(|()| logs_are_kept(folder.path(), &games));
    let outcome = outcome.and_then(|()| match begin.elapsed() {
        elapsed if elapsed < LONGEST_MATCH => Ok(()),
        elapsed => Err(format!("took {elapsed:?}")),
    });
    #[cfg(target_os = "linux")]
    let outcome = outcome.and_then(|()| match arena::processes_left(&tag) {
        0 => Ok(()),
        left => Err(format!("{left} processes are left alive")),
    });
    outcome.map_err(|problem| format!("{name}: {problem}"))
}

/// Compares the games and warnings with the expectation.
fn judge(
    expected: Expected,
    concurrency: usize,
    games: &[GameRecord],
    reason: &FinishReason,
) -> Result<(), String> {
    match expected {
        NeverStarts(termination, words) => {
            if !matches!(reason, FinishReason::EngineDoesNotStart { engine: 0, .. }) {
                return Err(format!("ended with {reason:?}"));
            }
            // Games that had begun when the third one failed are finished.
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
        Loses(termination, words) => games.iter().try_for_each(|game| is_lost(game, termination, words)),
        LosesSome(termination, words) => {
            if bad.is_empty() && concurrency == 1 {
                return Err("nothing happened".to_owned());
            }
            bad.iter().try_for_each(|game| is_lost(game, termination, words))
        }
        Fine | Warning(_) if !bad.is_empty() => Err(format!("{:?}: {:?}", bad[0].termination, bad[0].detail)),
        Warning(words) => {
            let warned = fine.iter().filter(|game| is_warned(game, words)).count();
            if warned > 0 { Ok(()) } else { Err(format!("no warning in {:?}", fine[0].warnings)) }
        }
        _ => match fine.iter().find(|game| !game.warnings.is_empty()) {
            Some(game) => Err(format!("warned of {:?}", game.warnings)),
            None => Ok(()),
        },
    }
}

/// Whether the bad engine, the first, lost a game in this way.
fn is_lost(game: &GameRecord, termination: Termination, words: &str) -> Result<(), String> {
    let detail = game.detail.as_deref().unwrap_or_default();
    let position_is_told = termination != IllegalMove || detail.contains(&game.final_fen);
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

/// Whether all warnings of a game are about the bad engine and contain these words.
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

/// The peak memory of this process in KiB; 0 if the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
