//! Runs and series that are killed at random moments and continue to the same games.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use runner::{Event, GameRecord, JOURNAL_FILE, Journal};
use serde_json::Value;

use crate::workbench::{PATIENCE, TARRASCH, Workbench};

/// Limits of a life: the run is killed at most this many microseconds after its start, or after this many games.
const MOST_MICROS: u64 = 80_000;
const MOST_GAMES: u64 = 5;

/// The approximate size of such a game in the journal, in bytes.
const BYTES_OF_A_GAME: u64 = 2000;

/// A tournament that is started as often as needed, and killed at moments derived from a seed.
struct KilledRun<'a> {
    bench: &'a Workbench,
    args: &'a [&'a str],
    moments: ChaCha8Rng,
    seed: u64,
}

impl KilledRun<'_> {
    /// Lives from a start to a kill. Returns whether the run was killed rather than finished.
    fn live_and_die(&mut self) -> bool {
        let enough = self.journal_bytes() + self.moments.random_range(0..MOST_GAMES * BYTES_OF_A_GAME);
        // Every other life also has a time limit, which often falls before the first game.
        let by_the_clock = self.moments.random_bool(0.5);
        let life = if by_the_clock { self.moments.random_range(0..MOST_MICROS) } else { u64::MAX };
        let mut arbiter = self.begin();
        let start = Instant::now();
        while self.journal_bytes() < enough && start.elapsed() < Duration::from_micros(life) {
            assert!(start.elapsed() < PATIENCE, "seed {}: no progress", self.seed);
            if arbiter.try_wait().unwrap().is_some() {
                return false;
            }
            thread::sleep(Duration::from_micros(500));
        }
        // It may have ended by itself at the last moment.
        let killed = arbiter.try_wait().unwrap().is_none();
        let _ = arbiter.kill();
        arbiter.wait().unwrap();
        killed
    }

    /// Resumes the run, or starts it if the last start did not get that far.
    fn begin(&self) -> Child {
        if self.bench.path("run/run.toml").exists() {
            return self.bench.spawn("resume run");
        }
        let _ = fs::remove_dir_all(self.bench.path("run"));
        self.bench.spawn(&[self.args, &["--out", "run"]].concat())
    }

    fn journal_bytes(&self) -> u64 {
        fs::metadata(self.bench.path("run").join(JOURNAL_FILE)).map_or(0, |file| file.len())
    }
}

/// The games that a run's journal counts, by number.
fn counted(bench: &Workbench, run: &str, seed: u64) -> BTreeMap<u32, GameRecord> {
    let mut games = BTreeMap::new();
    for event in Journal::read(&bench.path(run).join(JOURNAL_FILE)).unwrap() {
        if let Event::GameFinished(record) = event
            && record.is_counted()
        {
            let again = games.insert(record.game, *record);
            assert!(again.is_none(), "seed {seed}: counted twice: {again:?}");
        }
    }
    games
}

/// Plays a tournament uninterrupted and again with this many kills, and compares the results.
fn killed_and_uninterrupted_agree(engines: &[&str], options: &[&str], kills: u32) {
    let mocks: Vec<&str> = engines.iter().filter_map(|engine| engine.split(':').next()).collect();
    let bench = Workbench::with_mocks(&mocks);
    let short = ["--nodes", "20", "--maxmoves", "5"];
    agree_in(&bench, &[&["match"], engines, options, &short].concat(), kills);
}

/// Compares the two for any command that plays a run in the bench. The runs are kept in `whole` and `run`.
fn agree_in(bench: &Workbench, command: &[&str], kills: u32) {
    let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros() as u64;
    let args = [command, &["--openings", "book.epd", "--seed", "3", "--concurrency", "2"]].concat();
    bench.run(&[&args[..], &["--out", "whole"]].concat()).expect_code(0);

    let moments = ChaCha8Rng::seed_from_u64(seed);
    let mut run = KilledRun { bench, args: &args, moments, seed };
    for count in 0..kills {
        assert!(run.live_and_die(), "seed {seed}: the run was over after {count} of {kills} killings");
    }
    bench.run("resume run").expect_code(0);

    let [whole, resumed] = ["whole", "run"].map(|folder| counted(bench, folder, seed));
    let essence = |games: &BTreeMap<u32, GameRecord>| -> Vec<(u32, usize, usize, String)> {
        games.values().map(|game| (game.game, game.white, game.black, game.opening.fen.clone())).collect()
    };
    assert_eq!(essence(&resumed), essence(&whole), "seed {seed}");
    let expected: Vec<u32> = (0..whole.len() as u32).collect();
    assert_eq!(whole.into_keys().collect::<Vec<_>>(), expected);
    assert!(bench.read("run/games.pgn") == bench.read("whole/games.pgn"), "seed {seed}: the PGN differs");
    #[cfg(any(target_os = "linux", windows))]
    assert_eq!(bench.processes(), 0, "seed {seed}: engines outlive the program");
}

#[test]
fn a_round_robin_of_four_that_is_killed_fifty_times_loses_and_repeats_nothing() {
    let engines = ["well", "carriage-returns", "binary", "well:Hash=2"];
    killed_and_uninterrupted_agree(&engines, &["--games", "80"], 50);
}

#[test]
fn a_gauntlet_that_is_killed_goes_on_to_the_same_games() {
    let engines = ["well", "carriage-returns", "illegal"];
    killed_and_uninterrupted_agree(&engines, &["--games", "80", "--format", "gauntlet"], 12);
}

#[test]
fn a_knockout_that_is_killed_goes_on_to_the_same_bracket() {
    let engines = ["well", "carriage-returns", "binary", "illegal", "crash"];
    let options = ["--games", "20", "--format", "knockout,extra-pairs=2"];
    killed_and_uninterrupted_agree(&engines, &options, 12);
}

#[test]
fn a_run_for_the_best_that_is_killed_deals_the_same_games() {
    let engines = ["well", "carriage-returns", "illegal"];
    let options = ["--base", "well:Hash=2", "--best", "--within", "80", "--games", "80"];
    killed_and_uninterrupted_agree(&engines, &options, 12);
}

#[test]
fn a_tuning_run_that_is_killed_goes_on_to_the_same_values() {
    let bench = Workbench::new();
    bench.write("spec.csv", "UCI_Elo, int, 2000, 1200, 3000, 700, 0.2\n");
    let engine = format!("{TARRASCH}:UCI_LimitStrength=true,Seed=1");
    let tune = ["tune", &engine, "--spec", "spec.csv", "--games", "80"];
    let short = ["--nodes", "200", "--maxmoves", "20", "--resign", "count=1,score=100"];
    agree_in(&bench, &[&tune[..], &short[..]].concat(), 12);
    let values = |run: &str| {
        let summary: Value = serde_json::from_str(&bench.read(&format!("{run}/summary.json"))).unwrap();
        summary["tuned"].clone()
    };
    assert_eq!(values("run"), values("whole"));
    assert_ne!(values("run")[0]["value"], 2000.0, "it has not moved");
}

/// Starts `args`, kills the process whenever its folder has grown by some bytes, and resumes once the file `state` exists.
/// Drafts of files do not count as growth. Returns the number of kills before a process ends by itself, with this exit code.
pub fn killed_until(
    code: i32,
    growth: u64,
    bench: &Workbench,
    folder: &str,
    state: &str,
    args: &[&str],
) -> u32 {
    let bytes = || {
        let files = bench.listing().into_iter().filter(|path| path.starts_with(bench.path(folder)));
        let files = files.filter(|path| path.extension().is_none_or(|ending| ending != "draft"));
        files.filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum::<u64>()
    };
    for lives in 0..100 {
        let before = bytes();
        let has_begun = bench.path(folder).join(state).exists();
        let args = if has_begun { &["resume", folder] } else { args };
        let said = fs::File::create(bench.path("said")).unwrap();
        let mut arbiter = bench.spawn_with(args, Stdio::null(), said.into());
        let start = Instant::now();
        while bytes() <= before + growth {
            if let Some(status) = arbiter.try_wait().unwrap() {
                assert_eq!(status.code(), Some(code), "{}", bench.read("said"));
                return lives;
            }
            assert!(start.elapsed() < PATIENCE, "no progress");
            thread::sleep(Duration::from_millis(1));
        }
        let _ = arbiter.kill();
        arbiter.wait().unwrap();
    }
    panic!("it comes to no end");
}

#[test]
fn a_ladder_that_is_killed_goes_on_to_the_same_games() {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    // Each life reads the book.
    let book = suites::suite("openings", "arbiter-balanced.epd").unwrap();
    bench.write("small.epd", &book.split_inclusive('\n').take(100).collect::<String>());
    let line = "match well illegal --ladder 1+0.01,2+0.02,40/8 --sprt 0,200 --model logistic --maxmoves 5 --concurrency 1 \
                --openings small.epd --seed 1 --out";
    // Mock engines search to depth 1, so their games prove nothing.
    bench.run(&format!("{line} whole")).expect_code(3);
    let args: Vec<&str> = line.split_whitespace().chain(["out"]).collect();
    assert!(killed_until(3, 6 * BYTES_OF_A_GAME, &bench, "out", "ladder.toml", &args) > 2);
    for rung in ["1-1+0.01", "2-2+0.02", "3-40_8"] {
        let games = |folder: &str| {
            let games = counted(&bench, &format!("{folder}/{rung}"), 0).into_values();
            let before = games.filter(|game| !game.after_decision);
            before.map(|game| (game.game, game.opening.fen, game.result)).collect::<Vec<_>>()
        };
        assert!(!games("whole").is_empty());
        assert_eq!(games("out"), games("whole"));
    }
    let state = ["out", "whole"].map(|folder| bench.read(&format!("{folder}/ladder.toml")));
    assert_eq!(state[0].split("[run]").next(), state[1].split("[run]").next());
}
