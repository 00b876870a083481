//! `arbiter fastchess`: the same openings, games and text as fastchess, and what its users and workers rely on.
//!
//! `transcripts/` has what fastchess alpha 1.8.2 (74deac23) printed for the same command lines and the same engines. Where
//! a `fastchess` is on the search path, it is asked again.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use regex_lite::Regex;

use crate::dialects::{BOOK, bench, line, play, tags};
use crate::processes::interrupt;
use crate::workbench::wait_until;

const LONG: &str = "-rounds 7 -repeat -ratinginterval 3 -maxmoves 60 -resign movecount=3 score=300 \
                    -draw movenumber=20 movecount=4 score=50 -recover";

const SHORT: &str = "-rounds 2 -repeat -ratinginterval 1 -maxmoves 20 -testEnv";

/// A text without the time that it took.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("Total Time")).collect::<Vec<_>>().join("\n") + "\n"
}

/// The program of that name, where it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[test]
fn the_transcript_is_that_of_fastchess() {
    for (modes, rest, recorded) in [
        (["well", "well"], LONG.to_owned(), include_str!("transcripts/random_moves.txt")),
        (["illegal", "well"], format!("{SHORT} -recover"), include_str!("transcripts/illegal_moves.txt")),
    ] {
        let bench = bench();
        let finished = play(&bench, modes, &rest).expect_code(0);
        assert_eq!(timeless(&finished.stdout()), recorded);
        let Some(fastchess) = installed("fastchess") else { continue };
        let output = Command::new(fastchess)
            .args(line(modes, &rest).split_whitespace())
            .current_dir(bench.path("."))
            .output();
        let theirs = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(timeless(&theirs), recorded, "the installed fastchess");
    }
}

#[test]
fn each_opening_is_played_with_both_colours_in_the_order_of_fastchess() {
    let bench = bench();
    play(&bench, ["well", "well"], LONG).expect_code(0);
    let tags = |name| tags(&bench.read("games.pgn"), name);
    // From a PGN that fastchess wrote for the same command line; the book comes round after five rounds.
    let order = [0, 3, 4, 2, 1, 0, 3];
    let book: Vec<&str> = BOOK.lines().collect();
    let expected: Vec<&str> = order.iter().flat_map(|index| [book[*index]; 2]).collect();
    assert_eq!(tags("FEN"), expected);
    assert_eq!(tags("White"), ["A", "B"].repeat(7));
    assert_eq!(tags("Round")[..4], ["1", "1", "2", "2"]);
}

#[test]
fn the_first_opening_follows_the_last_wherever_a_tournament_begins() {
    let bench = bench();
    let fens = |program: &str, book: &str, start: u32, pgn: &str| {
        let rest = format!("-openings file=mini.epd {book} start={start} -maxmoves 2");
        bench.run(&format!("{program} {}", line(["well", "well"], &rest))).expect_code(0);
        tags(&bench.read(pgn), "FEN")
    };
    let run = "run --out kept -- fastchess";
    for (program, pgn) in [("fastchess", "games.pgn"), (run, "kept/games.pgn")] {
        for order in ["order=sequential", "order=random"] {
            let _ = fs::remove_dir_all(bench.path("kept"));
            let first = fens(program, order, 2, pgn);
            let _ = fs::remove_dir_all(bench.path("kept"));
            assert_eq!((first.len(), fens(program, order, 1_000_002, pgn)), (4, first.clone()), "{order}");
        }
    }
}

#[test]
fn a_worker_finds_what_it_looks_for() {
    let bench = bench();
    let rest = format!("{SHORT} -recover -report penta=true -crc32 pgn=true");
    let finished = play(&bench, ["exit-after-move", "well"], &rest).expect_code(0);
    let text = finished.stdout();
    assert!(text.is_ascii());
    // Token 2 is the game, token 6 the result (OpenBench); a crash has one of its words (fishtest).
    let games: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("Finished game"))
        .map(|line| line.split(' ').collect())
        .collect();
    let numbers: Vec<&str> = games.iter().map(|words| words[2]).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"]);
    assert!(games.iter().all(|words| ["1-0", "0-1", "1/2-1/2"].contains(&words[6])), "{text}");
    assert_eq!(text.matches("disconnects}").count(), 4, "{text}");
    let counts = Regex::new(
        r"Games: ([0-9]+), Wins: ([0-9]+), Losses: ([0-9]+), Draws: ([0-9]+), Points: ([0-9.]+) \(",
    );
    let counts: Vec<String> = counts.unwrap().captures_iter(&text).map(|found| found[1].to_owned()).collect();
    assert_eq!(counts, ["2", "4"], "after each pair, none skipped");
    assert!(text.contains("Ptnml(0-2): [2, 0, 0, 0, 0]"), "{text}");
    let last = text.lines().rfind(|line| line.contains("has CRC32: ")).unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&fs::read(bench.path("games.pgn")).unwrap());
    assert!(last.ends_with(&format!("{:#x}", crc.sum())), "{last}");
    assert_eq!(bench.read("games.pgn").matches("[Termination \"abandoned\"]").count(), 4);
    assert!(text.trim_end().ends_with("(hours:minutes:seconds)") && text.contains("Finished match\n"));
    assert!(!bench.path("config.json").exists(), "several workers share a folder");
}

#[test]
fn a_tournament_goes_on_from_its_state_file() {
    let bench = bench();
    play(&bench, ["illegal", "well"], "-rounds 6 -recover").expect_code(0);
    let first = bench.read("games.pgn");
    let whole = bench.run("fastchess -config file=config.json -rounds 7").expect_code(0);
    let text = whole.stdout();
    assert!(text.contains("Started game 13 of 14 (A vs B)") && !text.contains("game 12 of"), "{text}");
    assert!(text.contains("Games: 14, Wins: 0, Losses: 14, Draws: 0"), "{text}");
    let both = bench.read("games.pgn");
    assert!(both.starts_with(&first), "the first games are kept, whatever append says");
    let other = self::bench();
    play(&other, ["illegal", "well"], "-rounds 7 -recover").expect_code(0);
    for tag in ["FEN", "Round"] {
        assert_eq!(tags(&both, tag), tags(&other.read("games.pgn"), tag));
    }
}

#[test]
fn a_tournament_of_single_games_goes_on_with_the_next_game() {
    let bench = bench();
    play(&bench, ["illegal", "well"], "-rounds 3 -repeat -report penta=false -recover").expect_code(0);
    let first = bench.read("games.pgn");
    let state = bench.read("config.json");
    assert!(state.contains("\"losses\": 6"), "{state}");
    bench.write("config.json", &state.replace("\"losses\": 6", "\"losses\": 5"));
    let said = bench.run("fastchess -config file=config.json").expect_code(0).stdout();
    assert_eq!(said.matches("Started game").count(), 1, "{said}");
    assert!(said.contains("Started game 6 of 6 (B vs A)"), "{said}");
    for tag in ["FEN", "Round", "White"] {
        let (first, both) = (tags(&first, tag), tags(&bench.read("games.pgn"), tag));
        assert_eq!(both[6..], first[5..], "the sixth game again");
    }
}

#[test]
fn an_interrupt_ends_it_at_once_and_leaves_no_process() {
    let bench = bench();
    let line = line(["slow-ready", "well"], "-rounds 500 -recover");
    let mut child = bench.spawn(&format!("fastchess {line}"));
    wait_until("the first game is written", || bench.path("games.pgn").exists());
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(bench.processes(), 0);
}

#[test]
fn nobody_plays_on_for_a_worker_that_is_gone() {
    let bench = bench();
    fs::create_dir(bench.path("tmp")).unwrap();
    let line = line(["well", "well"], "-rounds 1000000 -recover -testEnv");
    let mut command = bench.command(&format!("fastchess {line}"));
    let mut child = command.env("TMPDIR", bench.path("tmp")).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().starts_with("Finished game 1 ")));
    drop(said);
    wait_until("it ends", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_dir(bench.path("tmp")).unwrap().count(), 0);
}

#[test]
fn a_test_goes_on_from_the_results_of_a_state_file() {
    let test = "-sprt elo0=-300 elo1=0 alpha=0.05 beta=0.05 -recover";
    let end = |said: &str| said.lines().rfind(|line| line.starts_with("Games: ")).map(str::to_owned);
    let bench = bench();
    let whole = play(&bench, ["illegal", "well"], &format!("-rounds 50 {test}")).expect_code(0).stdout();
    assert!(whole.contains("completed - H0 was accepted"), "{whole}");
    play(&bench, ["illegal", "well"], &format!("-rounds 2 {test}")).expect_code(0);
    let rest = bench.run("fastchess -config file=config.json -rounds 50").expect_code(0).stdout();
    assert!(rest.contains("Started game 5 of 100") && rest.contains("completed - H0 was accepted"), "{rest}");
    assert_eq!(end(&rest), end(&whole));
}
