//! `arbiter cutechess`: games, words and results as cutechess-cli has them.

use std::fs;

use regex_lite::Regex;

use crate::dialects::{BOOK, bench, play, tags};
use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Workbench};

#[test]
fn every_two_engines_of_cutechess_alternate_colours() {
    let bench = bench();
    let engines = ["A", "B", "C", "D"].map(|name| format!("-engine cmd={MOCK_ENGINE} name={name} ")).concat();
    let text = format!(
        "cutechess {engines}-each proto=uci tc=inf nodes=9 -maxmoves 1 -games 2 -rounds 3 -pgnout games.pgn"
    );
    bench.run(&text).expect_code(0);
    let [white, black] = ["White", "Black"].map(|side| tags(&bench.read("games.pgn"), side));
    let games: Vec<String> =
        white.iter().zip(&black).map(|(white, black)| format!("{white}{black}")).collect();
    let round = ["AD", "DA", "BC", "CB", "AC", "CA", "DB", "BD", "AB", "BA", "CD", "DC"];
    assert_eq!(games, round.repeat(3));
}

/// The words after `cutechess` for two engines that play the same moves each time.
fn cutechess(bench: &Workbench, rest: &str) -> Finished {
    let text = format!(
        "cutechess -engine cmd={MOCK_ENGINE} name=A arg=well -engine cmd={MOCK_ENGINE} name=B arg=well -each proto=uci tc=inf \
         nodes=9 -maxmoves 8 {rest}"
    );
    bench.run(&text)
}

#[test]
fn an_opening_is_repeated_as_often_as_cutechess_does() {
    let bench = bench();
    let book = "-openings file=mini.epd format=epd -pgnout games.pgn";
    for (rest, openings, warning) in [
        (
            "-rounds 5 -repeat",
            &[0, 0, 1, 1, 2][..],
            "Warning: 2 opening repetitions vs 1 games per encounter",
        ),
        ("-games 4 -repeat 1", &[0, 1, 2, 3], ""),
        ("-games 6 -repeat 3", &[0, 0, 0, 1, 1, 1], ""),
        ("-games 4 -repeat 4", &[0, 0, 0, 0], ""),
        ("-games 2 -rounds 2 -repeat", &[0, 0, 1, 1], ""),
    ] {
        let _ = fs::remove_file(bench.path("games.pgn"));
        let finished = cutechess(&bench, &format!("{book} {rest}")).expect_code(0);
        assert_eq!(
            finished.stderr().lines().find(|line| line.contains("per encounter")).unwrap_or_default(),
            warning
        );
        let pgn = bench.read("games.pgn");
        let expected: Vec<&str> = openings.iter().filter_map(|index| BOOK.lines().nth(*index)).collect();
        assert_eq!(tags(&pgn, "FEN"), expected, "{rest}");
        assert_eq!(tags(&pgn, "White").concat(), "ABABAB"[..openings.len()]);
    }
}

#[test]
fn every_line_of_the_engines_can_be_seen() {
    let bench = bench();
    for option in ["-debug", "-debug all"] {
        let said = cutechess(&bench, option).expect_code(0).stdout();
        for line in ["[0-9]+ >A\\(0\\): uci", "[0-9]+ <B\\(1\\): uciok", "[0-9]+ <A\\(0\\): bestmove [a-h]"] {
            assert!(Regex::new(&format!("(?m)^{line}")).unwrap().is_match(&said), "{line}: {said}");
        }
    }
    // No line is torn by another thread.
    let said = cutechess(&bench, "-debug -rounds 40 -concurrency 4").expect_code(0).stdout();
    let whole =
        "^([0-9]+ [<>][AB]\\([0-9]+\\): |(Started|Finished) |Score of |Elo |SPRT: |Player: |[.]{3}|   \"|$)";
    let whole = Regex::new(whole).unwrap();
    let torn: Vec<&str> = said.lines().filter(|line| !whole.is_match(line)).collect();
    assert_eq!((torn, said.matches("\nScore of A vs B: ").count()), (Vec::new(), 40));
    play(
        &bench,
        ["well", "well"],
        "-rounds 1 -maxmoves 2 -show-latency -log file=log level=info engine=true",
    );
    let log = bench.read("log");
    for line in
        ["< +[01]>  A <--- go nodes 100", "A ---> bestmove", "--- Engine A latency: -?[0-9]+ms \\(elapsed: "]
    {
        assert!(Regex::new(line).unwrap().is_match(&log), "{line}: {log}");
    }
}

#[test]
fn a_book_of_one_engine_moves_for_it_alone() {
    let bench = bench();
    // 1. e4 e5 and 1... c5 for the first engine, 2. Nf3 too late for its depth.
    let entries = [
        (0x463b_9618_1691_fc9c_u64, 0x031c_u16, 1_u16),
        (0x0844_931a_6ef4_b9a0, 0x0195, 0),
        (0x823c_9b50_fd11_4196, 0x0ce2, 0),
        (0x823c_9b50_fd11_4196, 0x0d24, 7),
    ];
    let bytes = |(key, played, weight): &(u64, u16, u16)| {
        [&key.to_be_bytes()[..], &played.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    fs::write(bench.path("one.bin"), sorted.iter().map(bytes).collect::<Vec<_>>().concat()).unwrap();
    fs::write(bench.path("odd.bin"), [0; 15]).unwrap();
    let play = |books: [&str; 2]| {
        let _ = fs::remove_file(bench.path("games.pgn"));
        let engine =
            |name: &str, book: &str| format!("-engine cmd={MOCK_ENGINE} name={name} arg=well {book} ");
        let engines = engine("A", books[0]) + &engine("B", books[1]);
        let each = "-each proto=uci tc=5+1 -maxmoves 6 -games 2 -pgnout games.pgn -debug";
        let finished = bench.run(&format!("cutechess {engines}{each}")).expect_code(0);
        let said = finished.stdout();
        (finished.stderr(), bench.read("games.pgn"), said)
    };
    let (warnings, pgn, said) = play(["book=one.bin bookdepth=1", ""]);
    assert_eq!((warnings, pgn.matches("{book}").count()), (String::new(), 1), "{pgn}");
    assert!(pgn.contains("\n\n1. e4 {book} "), "{pgn}");
    // B is asked after the book's move; the clock of A has not moved.
    assert!(said.contains(">B(1): position startpos moves e2e4\n"), "{said}");
    assert!(!said.contains(">A(0): position startpos\n"), "{said}");
    let (_, pgn, _) = play(["book=one.bin", "book=one.bin bookdepth=1"]);
    assert_eq!(pgn.matches("\n\n1. e4 {book} e5 {book} ").count(), 2, "{pgn}");
    let (warnings, pgn, _) = play(["book=odd.bin", "book=none.bin"]);
    assert_eq!(
        warnings,
        "Warning: Invalid size for opening book odd.bin\nWarning: Can't read opening book file odd.bin\n\
         Warning: Can't read opening book file none.bin\n"
    );
    assert!(!pgn.contains("{book}"), "{pgn}");
}

#[test]
fn scores_of_white_are_turned_for_black() {
    let bench = bench();
    let scores = |pov: &str| -> Vec<i32> {
        let engine = |name: &str| format!("-engine cmd={MOCK_ENGINE} name={name} {pov} ");
        let each = "-each proto=uci tc=inf nodes=9 -maxmoves 8 -pgnout games.pgn";
        let _ = fs::remove_file(bench.path("games.pgn"));
        let line = format!("cutechess {}{}{each}", engine("A"), engine("B"));
        bench.run(&line).expect_code(0);
        let score = Regex::new(r"\{([+-][0-9.]+)/").unwrap();
        let pgn = bench.read("games.pgn");
        score.captures_iter(&pgn).map(|found| found[1].replace('.', "").parse().unwrap()).collect()
    };
    let (own, turned) = (scores(""), scores("whitepov"));
    assert_eq!(own.len(), 16);
    for (ply, (own, turned)) in own.iter().zip(turned).enumerate() {
        assert_eq!(if ply % 2 == 0 { *own } else { -own }, turned, "ply {ply}");
    }
}
