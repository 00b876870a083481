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
fn the_only_winning_move_of_a_game_becomes_a_position_with_its_source_and_verification() {
    let bench = Workbench::new();
    bench.write("a.pgn", SMOTHERED);
    let finished = mine(&bench, &["a.pgn"], &["--out", "new.epd"]).expect_code(0);
    let found = positions(&bench, "new.epd");
    assert_eq!(found.len(), 1, "{}", finished.stderr());
    assert_eq!(operand(&found[0], "bm"), "Qg8+");
    assert_eq!(found[0].id(), Some("new-001"));
    assert_eq!(operand(&found[0], "c0"), "a, game 1: Philidor - Nobody, 1.Qg8+");
    let verification = operand(&found[0], "c1");
    assert!(
        verification.starts_with("Tarrasch ") && verification.contains(", 200000 nodes, depth "),
        "{verification}"
    );
    assert!(verification.contains(": Qg8+ mate in 2, "), "{verification}");
    assert!(operand(&found[0], "c2").starts_with("wins, depth "), "{}", operand(&found[0], "c2"));
    assert!(bench.read("new.epd").contains("# arbiter mine a.pgn --engine"));
    assert!(!bench.path("new.epd.partial").exists() && !bench.path("new.epd.new").exists());
    let solved = ["tactics", TARRASCH, "--suite", "new.epd", "--nodes", "200000"];
    assert!(bench.run(&solved).expect_code(0).stdout().contains("1/1"));
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

/// The line of standard error with the number of positions and of rejected ones.
fn tally(finished: &Finished) -> String {
    let text = finished.stderr();
    text.lines()
        .find(|line| line.contains(" positions in the games: "))
        .unwrap_or_else(|| panic!("{text}"))
        .trim()
        .to_owned()
}

#[test]
fn each_filter_counts_the_positions_that_it_rejects() {
    let bench = Workbench::new();
    bench.write("a.pgn", SMOTHERED);
    let finished = mine(&bench, &["a.pgn"], &[]).expect_code(0);
    // The first is found, the second has one answer to the check, the third mates in one; the fourth is mate.
    assert_eq!(tally(&finished), "3 positions in the games: 1 with one legal move, 1 solved at depth 1");
    let header = bench.read("mined.epd");
    assert!(header.contains("Rejected: 1 with one legal move, 1 solved at depth 1."), "{header}");

    let twice = [SMOTHERED, SMOTHERED].concat();
    bench.write("b.pgn", &twice);
    let finished = mine(&bench, &["b.pgn"], &["--out", "b.epd"]).expect_code(0);
    assert!(tally(&finished).ends_with("1 duplicates of an earlier game"), "{}", tally(&finished));
    assert_eq!(positions(&bench, "b.epd").len(), 1);
}

#[test]
fn a_recapture_is_no_solution() {
    let bench = Workbench::new();
    // White takes a rook, and taking the taker back is the only move that does not lose.
    let game = "[FEN \"3r2k1/pp3ppp/8/8/8/8/PP3PPP/3R1RK1 b - - 0 1\"]\n\n1... Rxd1 2. Rxd1 *\n";
    bench.write("a.pgn", game);
    let finished = mine(&bench, &["a.pgn"], &[]).expect_code(0);
    assert!(tally(&finished).contains("1 solved by a recapture"), "{}", tally(&finished));
    assert!(positions(&bench, "mined.epd").is_empty());
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

#[test]
fn a_run_folder_is_a_source_of_games() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("smothered.epd", "q4r1k/ppp3pp/7N/8/8/1Q6/PP4PP/6K1 w - -\n");
    let run = ["match", TARRASCH, "well", "--openings", "smothered.epd", "--games", "2", "--nodes", "2000"];
    bench.run(&[&run[..], &["--out", "run"]].concat()).expect_code(0);
    let finished = mine(&bench, &["run"], &[]).expect_code(0);
    let found = positions(&bench, "mined.epd");
    assert!(!found.is_empty(), "{}", finished.stderr());
    assert!(
        found.iter().all(|epd| operand(epd, "c0").starts_with("run, game ")),
        "{}",
        bench.read("mined.epd")
    );
}

const GAME: &str = "[White \"one\"]\n[Black \"two\"]\n\n1. e4 e5 2. Nf3 *\n";

fn refused(bench: &Workbench, args: &[&str], words: &[&str]) {
    let before = bench.listing();
    let message = bench.run(args).expect_code(2).stderr();
    for word in words {
        assert!(message.contains(word), "expected `{word}` in: {message}");
    }
    assert_eq!(bench.listing(), before, "something was left behind");
}

fn refused_mine(bench: &Workbench, args: &[&str], words: &[&str]) {
    refused(bench, &[&["mine"], args].concat(), words);
}

fn refused_suite(bytes: &[u8], words: &[&str]) {
    let bench = Workbench::new();
    std::fs::write(bench.path("a.epd"), bytes).unwrap();
    let words = [&["error: a.epd:"], words].concat();
    refused(&bench, &["tactics", TARRASCH, "--suite", "a.epd", "--nodes", "10"], &words);
}

#[test]
fn a_game_that_is_none_is_named_with_its_line() {
    let bench = Workbench::new();
    bench.write("a.pgn", &["\n\n", &GAME.replace("Nf3", "Nf4")].concat());
    refused_mine(
        &bench,
        &["a.pgn", "--engine", TARRASCH],
        &["error: a.pgn:6: game 1: move \"Nf4\" is not legal"],
    );
    bench.write("a.pgn", "nothing here\n");
    refused_mine(&bench, &["a.pgn", "--engine", TARRASCH], &["error: a.pgn: expected at least one game"]);
    bench.write("a.pgn.gz", GAME);
    refused_mine(&bench, &["a.pgn.gz", "--engine", TARRASCH], &["error: a.pgn.gz: expected gzip data"]);
    refused_mine(&bench, &["b.pgn", "--engine", TARRASCH], &["error: b.pgn: "]);
}

#[test]
fn a_folder_without_a_journal_is_no_source() {
    let bench = Workbench::new();
    bench.write("empty/a.txt", "");
    refused_mine(&bench, &["empty", "--engine", TARRASCH], &["empty/events.jsonl"]);
}

#[test]
fn numbers_that_make_no_sense_together_are_refused() {
    let bench = Workbench::new();
    bench.write("a.pgn", GAME);
    let mine = |options: &[&str], word: &str| {
        refused_mine(&bench, &[&["a.pgn", "--engine", TARRASCH], options].concat(), &[word]);
    };
    mine(&["--nodes", "1000"], "--nodes: expected at least two ascending numbers");
    mine(&["--nodes", "1000,10"], "--nodes: expected at least two ascending numbers");
    mine(&["--equal", "200"], "--equal 200: expected less than --winning 200");
    mine(&["--kind", "opening"], "invalid value 'opening'");
    mine(&["--limit", "0"], "--limit");
    mine(&["--out", "book.epd"], "--out book.epd: the file exists");
}

#[test]
fn an_engine_that_reports_one_move_only_cannot_judge() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("a.pgn", GAME);
    refused_mine(&bench, &["a.pgn", "--engine", "well"], &["MultiPV"]);
    refused_mine(&bench, &["a.pgn", "--engine", "nobody"], &["engine `nobody`"]);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_that_breaks_costs_nothing_that_is_done() {
    let bench = Workbench::new();
    bench.write("a.pgn", GAME);
    let script = "#!/bin/sh\nwhile read -r line; do case $line in\nuci) echo 'id name Frail'; \
                  echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;\n\
                  isready) echo readyok;;\ngo*) exit 3;;\nquit) exit 0;;\nesac; done\n";
    bench.write_program("frail", script);
    let finished: Finished = bench.run("mine a.pgn --engine ./frail").expect_code(4);
    let message = finished.stderr();
    assert!(
        message.contains("a, game 1: one - two: ")
            && message.contains("run the same command again to continue"),
        "{message}"
    );
    assert!(bench.path("mined.epd.partial").exists() && !bench.path("mined.epd").exists());
    // Another engine does another task.
    refused_mine(
        &bench,
        &["a.pgn", "--engine", TARRASCH],
        &["mined.epd.partial: this unfinished run has other games"],
    );
}

#[test]
fn a_broken_line_of_a_suite_is_named_with_line_and_column() {
    refused_suite(b"# a\n8/8/8 w - - bm Ra8;\n", &["2: column 1: expected a board"]);
}

#[test]
fn a_solution_that_is_illegal_ambiguous_or_missing_is_named_with_its_operation() {
    refused_suite(
        b"6k1/8/8/8/8/8/8/R3K3 w - - bm Rb8;\n",
        &["1: operation bm: move \"Rb8\" is not legal in 6k1"],
    );
    refused_suite(
        b"4k3/8/8/8/8/8/8/1N2KN2 w - - am Nd2;\n",
        &["1: operation am: move \"Nd2\" could be more than"],
    );
    refused_suite(
        b"6k1/8/8/8/8/8/8/R3K3 w - - bm rook;\n",
        &["1: operation bm: move \"rook\" is not algebraic"],
    );
    refused_suite(b"6k1/8/8/8/8/8/8/R3K3 w - - bm;\n", &["1: operation bm: expected a move"]);
    refused_suite(b"6k1/8/8/8/8/8/8/R3K3 w - - dm 0;\n", &["1: operation dm: expected a number"]);
    refused_suite(b"6k1/8/8/8/8/8/8/R7 w - - dm 2;\n", &["1: FEN", "expected a legal position"]);
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
