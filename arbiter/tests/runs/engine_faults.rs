//! Every misbehaviour of an engine ends its game, and only its game, with its own termination.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use referee::Side;
use referee::openings::{Book, BookFormat, BookOptions};
use runner::Termination::{
    self, Crash, Disconnect, FailedToStart, IllegalMove, NoHandshake, NoMove, Stall, TimeLoss,
};
use runner::{FinishReason, GameRecord, ProtocolName, Run, RunConfig, SearchLimits};
use stats::Outcome;

use Expected::{Fine, Loses, LosesSome, NeverStarts, Warning};

use super::arena;
use crate::programs::is_wine;

/// A bad engine, and the expected outcome of a match against it.
#[derive(Clone, Copy)]
struct Case {
    /// The mode of the mock engine.
    mode: &'static str,
    expected: Expected,
    /// Changes the match from the usual one.
    adapt: fn(&mut RunConfig),
    /// An opening instead of the usual ones, for faults that do not occur in every position.
    opening: Option<&'static str>,
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

impl Case {
    /// A match with the usual openings.
    pub const fn new(mode: &'static str, expected: Expected) -> Case {
        Case { mode, expected, adapt: |_| {}, opening: None }
    }

    /// A match from this position.
    pub const fn from(mut self, opening: &'static str) -> Case {
        self.opening = Some(opening);
        self
    }

    /// A match with changes.
    pub const fn with(mut self, adapt: fn(&mut RunConfig)) -> Case {
        self.adapt = adapt;
        self
    }

    /// A match in which we soon stop waiting for `uciok` or `readyok`.
    pub const fn impatient(self) -> Case {
        self.with(|config| {
            // The good engine starts at the same time, and a flood takes cores.
            config.engines[1].start_timeout = Some(config.timeouts.ready);
            config.timeouts.ready = Duration::from_millis(800);
        })
    }
}

/// The bad engine plays with a clock, the good one with a node limit.
fn on_the_clock(config: &mut RunConfig) {
    let clock = "0.1+0.1".parse().unwrap();
    config.engines[0].limits = Some(SearchLimits { clock: Some(clock), ..SearchLimits::default() });
}

/// The bad engine plays with a time for each move.
fn by_time_per_move(config: &mut RunConfig) {
    let movetime = Some(Duration::from_millis(100));
    config.engines[0].limits = Some(SearchLimits { movetime, ..SearchLimits::default() });
}

/// Both engines play to a depth, and the bad one is known to speak xboard's protocol. Only its start has a time limit.
fn by_depth_in_xboards_protocol(config: &mut RunConfig) {
    by_depth(config);
    config.engines[0].protocol = Some(ProtocolName::Xboard);
    config.engines[0].start_timeout = Some(Duration::from_millis(800));
}

/// Both engines play to a depth.
fn by_depth(config: &mut RunConfig) {
    config.limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
}

/// Both sides can castle for a while.
const CASTLING: &str = "r3k2r/p1pp1p1p/8/8/8/8/P1PP1P1P/R3K2R w KQkq -";

/// Both sides can promote at once.
const PROMOTION: &str = "4k3/P6P/8/8/8/8/p6p/4K3 w - -";

/// Black moves first.
const BLACK_TO_MOVE: &str = "1nbqkbn1/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/1NBQKB2 b - -";

/// An engine without `setboard` plays from here without `edit`, which the mock does not know.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// The back ranks are weak.
const BACK_RANKS: &str = "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - -";

/// The system's message for a file that is no program, and for programs that end in these ways.
const NO_PROGRAM: &str = if cfg!(windows) { "it is no program for this system" } else { "Permission denied" };
const ABORTED: &str = if cfg!(windows) { "0xC0000409 (abort" } else { "signal 6" };
const BAD_ACCESS: &str = if cfg!(windows) { "0xC0000005 (access violation)" } else { "signal 11" };

/// Modes that fail under Wine 8, whose console keeps copies of handles that an engine closes.
const NOT_UNDER_WINE: [&str; 3] = ["close-input", "close-output", "close-output-on-uci"];

/// The table, in which every mode occurs.
const CASES: &[Case] = &[
    Case::new("well", Fine),
    // During the handshake.
    Case::new("well", NeverStarts(FailedToStart, "cannot start /nowhere/engine"))
        .with(|config| config.engines[0].program = "/nowhere/engine".into()),
    Case::new("well", NeverStarts(FailedToStart, NO_PROGRAM))
        .with(|config| config.engines[0].program = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into()),
    Case::new("exit-at-start", NeverStarts(NoHandshake, "exit code 3")),
    Case::new("slow-start", Fine),
    Case::new("banner", Fine),
    Case::new("complains-at-start", Fine),
    Case::new("brings-child", Fine),
    Case::new("brings-stray", Fine),
    Case::new("no-uciok", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("error-on-uci", NeverStarts(NoHandshake, "exit code 3")),
    Case::new("exit-on-uci", NeverStarts(NoHandshake, "exit code 3")),
    Case::new("crash-on-uci", NeverStarts(NoHandshake, ABORTED)),
    Case::new("stop-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("close-output-on-uci", NeverStarts(NoHandshake, "closed its input or its output")),
    Case::new("flood-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("endless-line-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("option-flood", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("many-options", Fine),
    Case::new("odd-options", Fine),
    Case::new("binary-introduction", Fine),
    // Getting ready.
    Case::new("never-ready", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("crash-on-isready", NeverStarts(Crash, ABORTED)),
    Case::new("flood-on-isready", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("slow-ready", Fine),
    Case::new("twice-ready", Fine),
    Case::new("hang-on-new-game", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("crash-on-new-game", NeverStarts(Crash, ABORTED)),
    Case::new("slow-new-game", Fine),
    Case::new("exit-between-games", LosesSome(Crash, "exit code 4")),
    Case::new("close-input", Loses(Disconnect, "closed its input or its output")),
    Case::new("close-errors", Fine),
    // Exits during a search.
    Case::new("crash", Loses(Crash, ABORTED)),
    Case::new("segfault", Loses(Crash, BAD_ACCESS)),
    Case::new("exit", Loses(Crash, "exit code 7")),
    Case::new("exit-quietly", Loses(Crash, "exit code 0")),
    Case::new("exit-after-move", Loses(Crash, "exit code 5")),
    Case::new("exit-without-line-break", Loses(Crash, "exit code 0")),
    Case::new("leaves-child", Loses(Crash, "exit code 0")),
    Case::new("close-output", Loses(Disconnect, "closed its input or its output")),
    // No answer, or a late one.
    Case::new("hang", Loses(Stall, "no bestmove after")),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(by_depth),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(by_time_per_move),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(on_the_clock),
    Case::new("stop", Loses(Stall, "no bestmove after")),
    Case::new("no-line-break", Loses(Stall, "no bestmove after")),
    Case::new("flood", Loses(Stall, "no bestmove after")),
    Case::new("flood", Loses(Stall, "no bestmove after")).with(on_the_clock),
    Case::new("flood-after-move", Loses(Stall, "no bestmove after")),
    Case::new("flood-errors", Loses(Stall, "no bestmove after")),
    Case::new("endless-line", Loses(Stall, "no bestmove after")),
    Case::new("late", Loses(TimeLoss, "too late")).with(on_the_clock),
    Case::new("late", Loses(TimeLoss, "too late")).with(by_time_per_move),
    Case::new("late", Fine),
    Case::new("late+illegal", Loses(TimeLoss, "a1h8 answered after")).with(by_time_per_move),
    Case::new("late+unreadable", Loses(TimeLoss, "bestmove Nf3 answered after")).with(by_time_per_move),
    Case::new("late+no-move", Loses(TimeLoss, "bestmove (none) answered after")).with(by_time_per_move),
    Case::new("late+null-move", Loses(TimeLoss, "bestmove 0000 answered after")).with(by_time_per_move),
    Case::new("late+empty-move", Loses(TimeLoss, "bestmove answered after")).with(by_time_per_move),
    Case::new("late+no-move", Loses(NoMove, "(none)")),
    // Answers that are not legal moves.
    Case::new("illegal", Loses(IllegalMove, "a1h8")),
    Case::new("other-side", Loses(IllegalMove, "not legal")),
    Case::new("stale-move", LosesSome(IllegalMove, "not legal")),
    Case::new("unreadable", Loses(IllegalMove, "Nf3")),
    Case::new("castling-takes-rook", LosesSome(IllegalMove, "of the other variant")).from(CASTLING),
    Case::new("castling-in-letters", LosesSome(IllegalMove, "O-O")).from(CASTLING),
    Case::new("promotion-without-piece", LosesSome(IllegalMove, "not legal")).from(PROMOTION),
    Case::new("no-move", Loses(NoMove, "(none)")),
    Case::new("null-move", Loses(NoMove, "0000")),
    Case::new("empty-move", Loses(NoMove, "`bestmove`")),
    // Reported but not punished.
    Case::new("two-moves", Warning("unexpected")),
    Case::new("illegal-line", Warning("after 1 legal moves, move \"a1h8\" is not legal")),
    Case::new("unreadable-info", Warning("`cp` expects centipawns, found `inf`; left out")),
    Case::new("unknown-lines", Warning("said `thinking` and 1 more during a search")),
    Case::new("other-move", Warning("but its last PV begins with")),
    Case::new("wrong-mate", Warning("reported mate 3, but its PV mates at ply 1")).from(BACK_RANKS),
    // Harmless oddities.
    Case::new("carriage-returns", Fine),
    Case::new("variants", Fine),
    Case::new("binary", Fine),
    Case::new("absurd-numbers", Fine),
    Case::new("byte-by-byte", Fine),
    Case::new("half-lines", Fine),
    Case::new("blanks", Fine),
    Case::new("talkative", Fine),
    Case::new("odd-ponder", Fine),
    Case::new("move-before-go", Fine),
    Case::new("complains", Fine),
    // At the end.
    Case::new("ignores-quit", Fine),
    Case::new("ignores-signals", Fine),
    Case::new("slow-quit", Fine),
    Case::new("crash-on-quit", Fine),
    Case::new("stop-on-quit", Fine),
    // In xboard's protocol. Openings are PGN's or positions, some with Black to move.
    Case::new("xboard", Fine).with(by_depth),
    Case::new("xboard+san+mute+claims", Fine).with(by_depth),
    Case::new("xboard+once", Fine).with(on_the_clock).from(BLACK_TO_MOVE),
    Case::new("xboard+slow", Fine).with(by_depth_in_xboards_protocol),
    Case::new("xboard+old", Fine).with(by_depth_in_xboards_protocol).from(START),
    Case::new("xboard+nps", Fine),
    Case::new("xboard", NeverStarts(FailedToStart, "does not offer `nps`")),
    Case::new("xboard+refuses", Loses(NoMove, "Illegal move (I do not like it): ")).with(by_depth),
];

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
    let opening =
        |fen: &str| Book::read("arena", fen.as_bytes(), BookFormat::Epd, &BookOptions::default()).unwrap();
    case.opening.map_or_else(arena::book, opening)
}

fn in_time(elapsed: Duration) -> Result<(), String> {
    if elapsed < LONGEST_MATCH { Ok(()) } else { Err(format!("took {elapsed:?}")) }
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
