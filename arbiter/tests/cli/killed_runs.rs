//! Runs and series that are killed at random moments and continue to the same games.

use std::collections::BTreeMap;
use std::fs;
use std::iter::{repeat_n, repeat_with};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use runner::{Event, GameRecord, JOURNAL_FILE, Journal};
use serde_json::Value;

use crate::workbench::{PATIENCE, TARRASCH, Workbench};

/// Limits of a life: the run is killed at most this many microseconds after its start, or when its folder has grown by this
/// many bytes, which are a few games.
const MOST_MICROS: u64 = 80_000;
const MOST_BYTES: u64 = 10_000;

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

/// Plays tournaments uninterrupted and again with this many kills, and compares the results.
macro_rules! killed {
    ($($name:ident: $engines:literal, $options:literal, $kills:literal;)+) => {$(
        #[test]
        fn $name() {
            let mocks = $engines.split(' ').filter_map(|engine| engine.split(':').next());
            let bench = Workbench::with_mocks(&mocks.collect::<Vec<_>>());
            let line = concat!("match ", $engines, " --maxmoves 5 ", $options);
            agree_in(&bench, &line.split(' ').collect::<Vec<_>>(), $kills);
        }
    )+};
}

killed! {
    a_round_robin_of_four_that_is_killed_fifty_times_loses_and_repeats_nothing:
        "well carriage-returns binary well:Hash=2", "--games 80 --nodes 20", 50;
    a_gauntlet_that_is_killed_goes_on_to_the_same_games:
        "well carriage-returns illegal", "--games 80 --nodes 20 --format gauntlet", 12;
    an_engine_of_xboards_protocol_goes_on_to_the_same_games:
        "xboard:proto=xboard well", "--games 40 --depth 1", 12;
    a_knockout_that_is_killed_goes_on_to_the_same_bracket:
        "well carriage-returns binary illegal crash", "--games 20 --nodes 20 --format knockout,extra-pairs=2", 12;
    a_run_for_the_best_that_is_killed_deals_the_same_games:
        "well carriage-returns illegal", "--base well:Hash=2 --best --within 80 --games 80 --nodes 20", 12;
}

/// Does so for any command that plays a run in the bench. The runs are kept in `whole` and `run`.
fn agree_in(bench: &Workbench, command: &[&str], kills: usize) {
    let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros() as u64;
    let args = [command, &["--openings", "book.epd", "--seed", "3", "--concurrency", "2"]].concat();
    bench.run(&[&args[..], &["--out", "whole"]].concat()).expect_code(0);

    // Every other life also has a time limit, which often falls before the first game.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let moments = repeat_with(|| {
        let life = if random.random_bool(0.5) { random.random_range(0..MOST_MICROS) } else { u64::MAX };
        (random.random_range(0..MOST_BYTES), Duration::from_micros(life))
    });
    let args = [&args[..], &["--out", "run"]].concat();
    let killed = killed_at(moments.take(kills), 0, bench, "run", "run.toml", &args);
    assert_eq!(killed, kills as u32, "seed {seed}: the run was over too soon");

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
fn a_tuning_run_that_is_killed_goes_on_to_the_same_values() {
    let bench = Workbench::new();
    // Steps are learned.
    bench.write("spec.csv", "UCI_Elo, int, 2000, 1200, 3000\n");
    let engine = format!("{TARRASCH}:UCI_LimitStrength=true,Seed=1");
    let tune = ["tune", &engine, "--spec", "spec.csv", "--games", "80", "--no-verify"];
    let short = ["--nodes", "200", "--maxmoves", "20", "--resign", "count=1,score=100"];
    agree_in(&bench, &[&tune[..], &short[..]].concat(), 12);
    let values = |run: &str| {
        let summary: Value = serde_json::from_str(&bench.read(&format!("{run}/summary.json"))).unwrap();
        summary["tuned"].clone()
    };
    assert_eq!(values("run"), values("whole"));
    assert_ne!(values("run")[0]["value"], 2000.0, "it has not moved");
}

/// Starts `args`, kills the process at each of these moments, and resumes once the file `state` exists: when its folder has
/// grown by so many bytes, or after so long. Drafts of files do not count as growth. Returns the number of kills before a
/// process ends by itself, with this exit code.
pub fn killed_at(
    moments: impl IntoIterator<Item = (u64, Duration)>,
    code: i32,
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
    for (lives, (growth, life)) in (0..).zip(moments.into_iter().chain([(u64::MAX, Duration::MAX)])) {
        let has_begun = bench.path(folder).join(state).exists();
        if !has_begun {
            let _ = fs::remove_dir_all(bench.path(folder));
        }
        let args = if has_begun { &["resume", folder] } else { args };
        let before = bytes();
        let said = fs::File::create(bench.path("said")).unwrap();
        let mut arbiter = bench.spawn_with(args, Stdio::null(), said.into());
        let start = Instant::now();
        while bytes() <= before.saturating_add(growth) && start.elapsed() < life {
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
    unreachable!("nobody kills the last one")
}

/// Whenever the folder has grown by so many bytes.
pub fn whenever_grown(bytes: u64) -> impl Iterator<Item = (u64, Duration)> {
    repeat_n((bytes, Duration::MAX), 100)
}

#[test]
fn a_ladder_that_is_killed_goes_on_to_the_same_games() {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    // Each life reads the book.
    let book = suites::suite("openings", "arbiter-balanced.epd").unwrap();
    bench.write("small.epd", &book.split_inclusive('\n').take(100).collect::<String>());
    let line = "match well illegal --ladder 1+0.01,2+0.02,40/8 --sprt 0,200 --model logistic --maxmoves 5 --concurrency 1 \
                --openings small.epd --seed 1 --out";
    let line: Vec<&str> = line.split_whitespace().collect();
    // Mock engines search to depth 1, so their games prove nothing.
    bench.run(&[&line[..], &["whole"]].concat()).expect_code(3);
    let args = [&line[..], &["out"]].concat();
    assert!(killed_at(whenever_grown(12_000), 3, &bench, "out", "ladder.toml", &args) > 2);
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
