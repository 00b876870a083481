//! What `arbiter mine` and `arbiter tactics` refuse, in one message, with nothing left behind.

use crate::workbench::{Finished, TARRASCH, Workbench};

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

#[cfg(unix)]
#[test]
fn an_engine_that_breaks_costs_nothing_that_is_done() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Workbench::new();
    bench.write("a.pgn", GAME);
    let script = "#!/bin/sh\nwhile read -r line; do case $line in\nuci) echo 'id name Frail'; \
                  echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;\n\
                  isready) echo readyok;;\ngo*) exit 3;;\nquit) exit 0;;\nesac; done\n";
    bench.write("frail", script);
    std::fs::set_permissions(bench.path("frail"), PermissionsExt::from_mode(0o755)).unwrap();
    let finished: Finished = bench.run(&["mine", "a.pgn", "--engine", "./frail"]).expect_code(4);
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
    let told = bench.run(&args).expect_code(0).stderr();
    assert!(told.contains("warning: a.epd: 1 line not in UTF-8"), "{told}");
}
