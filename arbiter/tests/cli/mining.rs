//! `arbiter mine`.

use std::thread;
use std::time::{Duration, Instant};

use referee::Epd;

use crate::programs::example;
use crate::workbench::{Finished, PATIENCE, TARRASCH, Workbench};

/// Tarrasch as it does not see Philidor's mate at depth 1.
const MINER: &str = concat!(example!("tarrasch"), ":QuiescenceChecks=false");

/// Philidor's legacy: the queen is given up on g8 for mate by the knight. Then mate in one, which is obvious.
const SMOTHERED: &str = "\
[White \"Philidor\"]
[Black \"Nobody\"]
[FEN \"q4r1k/ppp3pp/7N/8/8/1Q6/PP4PP/6K1 w - - 0 1\"]

1. Qg8+ Rxg8 2. Nf7# 1-0

";

/// Réti 1921: the king holds by going after both pawns at once.
const RETI: &str = "\
[White \"Reti\"]
[Black \"Nobody\"]
[FEN \"7K/8/k1P5/7p/8/8/8/8 w - - 0 1\"]

1. Kg7 h4 2. Kf6 Kb6 3. Ke5 Kxc6 4. Kf4 1/2-1/2

";

/// Mines with few nodes. The options come behind the usual ones.
fn mine(bench: &Workbench, sources: &[&str], options: &[&str]) -> Finished {
    let usual = ["--engine", MINER, "--nodes", "50000,200000"];
    bench.run(&[&["mine"], sources, &usual, options].concat())
}

/// The positions of a suite.
fn positions(bench: &Workbench, file: &str) -> Vec<Epd> {
    let text = bench.read(file);
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|l| Epd::parse(l).unwrap())
        .collect()
}

fn operand(epd: &Epd, opcode: &str) -> String {
    epd.operands(opcode).unwrap().join(" ")
}

#[test]
fn endgames_have_few_pieces_and_one_move_that_holds() {
    let bench = Workbench::new();
    bench.write("a.pgn", &[SMOTHERED, RETI].concat());
    mine(&bench, &["a.pgn"], &["--kind", "endgame"]).expect_code(0);
    let found = positions(&bench, "mined.epd");
    let solutions: Vec<String> = found.iter().map(|epd| operand(epd, "bm")).collect();
    // Which of the king's moves are no obvious ones is for the engine to say.
    let holds = ["Kg7", "Kf6", "Ke5"];
    assert!(!solutions.is_empty(), "{}", bench.read("mined.epd"));
    assert!(solutions.iter().all(|mv| holds.contains(&mv.as_str())), "{solutions:?}");
    assert!(
        found.iter().all(|epd| operand(epd, "c2").starts_with("holds, depth ")),
        "{}",
        bench.read("mined.epd")
    );
    assert!(found.iter().all(|epd| operand(epd, "c0").contains("game 2: Reti - Nobody")));
}

#[test]
fn a_suite_ends_at_its_limit_and_does_not_depend_on_how_many_games_are_searched_at_once() {
    let bench = Workbench::new();
    bench.write("a.pgn", &[SMOTHERED, RETI, SMOTHERED].concat());
    // The same combination with another pawn makes another position.
    bench.write("b.pgn", &SMOTHERED.replace("ppp3pp", "pppp2pp"));
    let found = |name: &str, options: &[&str]| {
        let out = format!("{name}.epd");
        mine(&bench, &["a.pgn", "b.pgn"], &[&["--out", &out], options].concat()).expect_code(0);
        let suite = bench.read(&out).replace(&format!("\"{name}-"), "\"");
        suite.lines().filter(|line| line.contains(" id \"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let alone = found("suite-1", &[]);
    assert_eq!(alone.len(), 2, "{alone:?}");
    assert_eq!(found("suite-2", &["--concurrency", "3"]), alone);
    assert_eq!(found("suite-3", &["--limit", "1", "--concurrency", "2"]), alone[..1]);
}

#[test]
fn mining_that_was_killed_continues_and_makes_the_same_suite() {
    let bench = Workbench::new();
    let games = [SMOTHERED, RETI].concat();
    let many: String = (1..=8).map(|file| games.replace("Philidor", &format!("Philidor {file}"))).collect();
    bench.write("a.pgn", &many);
    let args = ["mine", "a.pgn", "--engine", MINER, "--nodes", "50000,200000"];
    let mut child = bench.spawn(&args);
    let begun = Instant::now();
    let lines =
        || std::fs::read_to_string(bench.path("mined.epd.partial")).unwrap_or_default().lines().count();
    while lines() < 3 {
        assert!(begun.elapsed() < PATIENCE, "no game was done");
        assert!(child.try_wait().unwrap().is_none() || lines() >= 3, "it was over too soon");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!bench.path("mined.epd").exists());
    bench.run(&args).expect_code(0).tells(&["continuing after "]);
    let resumed = bench.read("mined.epd");
    std::fs::remove_file(bench.path("mined.epd")).unwrap();
    bench.run(&args).expect_code(0);
    assert_eq!(bench.read("mined.epd"), resumed);
}

fn refused(bench: &Workbench, args: &[&str], words: &[&str]) {
    let before = bench.listing();
    let message = bench.run(args).expect_code(2).stderr();
    for word in words {
        assert!(message.contains(word), "expected `{word}` in: {message}");
    }
    assert_eq!(bench.listing(), before, "something was left behind");
}

fn refused_suite(bytes: &[u8], words: &[&str]) {
    let bench = Workbench::new();
    std::fs::write(bench.path("a.epd"), bytes).unwrap();
    let words = [&["error: a.epd:"], words].concat();
    refused(&bench, &["tactics", TARRASCH, "--suite", "a.epd", "--nodes", "10"], &words);
}

#[test]
fn a_suite_in_another_encoding_is_named() {
    let line = "6k1/8/8/8/8/8/8/R3K3 w - - bm Ra8+; id \"Réti\";\n";
    let wide: Vec<u8> = format!("\u{feff}{line}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused_suite(&wide, &["1: expected UTF-8 text, found UTF-16 (byte order mark FF FE)"]);
    let bench = Workbench::new();
    bench.write("a.epd", &format!("\u{feff}{line}"));
    let args = ["tactics", TARRASCH, "--suite", "a.epd", "--nodes", "2000"];
    bench.run(&args).expect_code(0);
    let latin: Vec<u8> = line.chars().map(|letter| letter as u8).collect();
    std::fs::write(bench.path("a.epd"), latin).unwrap();
    bench.run(&args).expect_code(0).tells(&["warning: a.epd: 1 line not in UTF-8"]);
}
