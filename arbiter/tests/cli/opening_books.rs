//! Opening books: what a match plays from them, and `arbiter openings rate`.

use std::fs;
use std::io::Write;

use serde_json::Value;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::json_schema;
use crate::workbench::{Finished, TARRASCH, Workbench, games, rows};

/// Six openings from three positions.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"one\";",
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id \"two\";",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"one again\";",
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id \"two again\";",
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id \"two once more\";",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"three\";",
];

fn play(bench: &Workbench, book: &str, args: &[&str]) -> Finished {
    let match_of = ["match", "well", "binary", "--nodes", "20", "--maxmoves", "8", "--out", "run"];
    bench.run(&[&match_of, &["--openings", book][..], args].concat())
}

fn bench() -> Workbench {
    Workbench::with_mocks(&["well", "binary"])
}

/// A Polyglot book of 1. e4 e5, 1. e4 c5 and 1. d4, which weighs least.
fn polyglot() -> Vec<u8> {
    let mut entries = Vec::new();
    for (line, weight) in [("e2e4", 9_u16), ("e2e4 e7e5", 2), ("e2e4 c7c5", 1), ("d2d4", 1)] {
        let (before, uci) = line.rsplit_once(' ').unwrap_or(("", line));
        let mut position = Chess::new();
        for text in before.split_whitespace() {
            let played = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
        }
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
        let UciMove::Normal { from, to, .. } = uci.parse().unwrap() else { unreachable!("a usual move") };
        let number = (u32::from(from) << 6 | u32::from(to)) as u16;
        entries
            .push([&key.to_be_bytes()[..], &number.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat());
    }
    entries.sort();
    entries.concat()
}

#[test]
fn the_match_says_what_it_found_in_the_book() {
    let bench = bench();
    bench.write("six.epd", &POSITIONS.join("\n"));
    let told = play(&bench, "six.epd", &["--games", "2"]).expect_code(0).stderr();
    assert!(told.contains("six.epd: 6 openings, all legal, 3 duplicates"), "{told}");
}

#[test]
fn a_match_may_begin_anywhere_in_the_order() {
    let bench = bench();
    bench.write("six.epd", &POSITIONS.join("\n"));
    let args = ["--games", "6", "--order", "sequential", "--start", "5"];
    play(&bench, "six.epd", &args).expect_code(0);
    let openings: Vec<String> = rows(&bench, "run").iter().map(|row| row["opening"].clone()).collect();
    assert_eq!(openings, ["5", "5", "6", "6", "1", "1"]);
    fs::remove_dir_all(bench.path("run")).unwrap();
    play(&bench, "six.epd", &["--start", "7"]).expect_code(2).tells(&["--start 7: expected at most 6"]);
    assert!(!bench.path("run").exists());
}

#[test]
fn a_polyglot_book_gives_lines_by_weight_and_repeats_them_at_its_end() {
    let bench = bench();
    fs::write(bench.path("book.bin"), polyglot()).unwrap();
    let args = ["--games", "8", "--order", "sequential"];
    let told = play(&bench, "book.bin", &args).expect_code(0).stderr();
    assert!(told.contains("book.bin: 3 lines drawn, all legal, no duplicates"), "{told}");
    let games = games(&bench, "run");
    let begins = [["e4", "e5"], ["e4", "c5"]];
    for (game, begin) in games.iter().step_by(2).zip(begins) {
        assert_eq!(game.moves[..2], begin);
    }
    assert_eq!(games[4].moves[0], "d4");
    assert_eq!(games[6].moves[..2], begins[0]);
    assert_eq!(bench.read("run/games.pgn").matches("{book}").count(), 2 * (2 + 2 + 1 + 2));
}

#[test]
fn a_compressed_book_is_read_and_a_broken_one_refused() {
    let bench = bench();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&polyglot()).unwrap();
    let packed = encoder.finish().unwrap();
    fs::write(bench.path("book.bin.gz"), &packed).unwrap();
    play(&bench, "book.bin.gz", &["--games", "2"]).expect_code(0);
    fs::remove_dir_all(bench.path("run")).unwrap();

    fs::write(bench.path("torn.bin.gz"), &packed[..packed.len() - 9]).unwrap();
    play(&bench, "torn.bin.gz", &[]).expect_code(2).tells(&["torn.bin.gz: expected gzip data"]);
    fs::write(bench.path("torn.bin"), &polyglot()[..40]).unwrap();
    play(&bench, "torn.bin", &[]).expect_code(2).tells(&["torn.bin: entry 3: expected 16 bytes, found 8"]);
    assert!(!bench.path("run").exists());
}

#[test]
fn annotated_and_broken_games_stop_no_book_no_extraction_and_no_mining_but_a_check_lists_them() {
    let bench = bench();
    let good = "[Result \"1-0\"]\n\n1. e4 ± e5+- 2. Nf3 N Nc6 += 3. Bb5 ⩲ a6 ~ 4. Ba4 -+ Nf6 = *\n\n";
    let text = [good, &"1. e4 Ke7 *\n\n".repeat(4), good].concat();
    bench.write("a.pgn", &text);
    let played = play(&bench, "a.pgn", &["--games", "2"]).expect_code(0);
    let told = [played.stdout(), played.stderr()].concat();
    for words in
        ["a.pgn: 2 openings, 4 skipped, 1 duplicate", "a.pgn:5: game 2: move \"Ke7\"", "a.pgn:9: game 4"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(games(&bench, "run")[0].moves[..8].join(" "), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    for (args, kind) in [
        (&["openings", "convert", "a.pgn", "a.epd"][..], "opening"),
        (&["openings", "select", "a.pgn", "b.epd", "--to", "1"], "opening"),
        (&["extract", "a.pgn", "--out", "c.epd"], "game"),
        (&["mine", "a.pgn", "--engine", TARRASCH, "--nodes", "10,20", "--out", "d.epd"], "game"),
        (&["rate", "a.pgn", "b.pgn"], ""),
    ] {
        bench.write("b.pgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e4 1-0\n");
        let told = bench.run(args).expect_code(0).stderr();
        assert_eq!(told.contains(&format!("warning: a.pgn: 4 {kind}s skipped")), !kind.is_empty(), "{told}");
    }
    bench.run("openings check a.pgn").expect_code(1).shows(&["illegal          4"]);
}

/// Openings with evals for the side to move, one quiet, one lopsided and one without.
const WITH_EVALS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - ce 25;
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - ce -90;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// A folder with a match from `book.epd` in `plain`, and one from a book with evals in `mixed`.
fn played() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("evals.epd", WITH_EVALS);
    for (book, run) in [("book.epd", "plain"), ("evals.epd", "mixed")] {
        let limits = ["match", "well", "binary", "--nodes", "20", "--games", "6", "--maxmoves", "5"];
        bench.run(&[&limits[..], &["--openings", book, "--out", run]].concat()).expect_code(0);
    }
    bench
}

fn rated(bench: &Workbench, args: &[&str]) -> Value {
    let stdout = bench.run(&[&["openings", "rate"], args, &["--json"]].concat()).expect_code(0).stdout();
    let value: Value = serde_json::from_str(&stdout).unwrap();
    let schema = json_schema::named("openings-rate");
    assert_eq!(json_schema::problems(&value, &schema), Vec::<String>::new());
    value
}

#[test]
fn books_stand_side_by_side_and_ranges_of_evals_too() {
    let bench = played();
    let both = rated(&bench, &["plain", "mixed"]);
    assert_eq!(
        (&both["books"][0]["book"], &both["books"][1]["book"]),
        (&"book.epd".into(), &"evals.epd".into())
    );
    // All games end after five moves as draws.
    assert_eq!(
        (&both["books"][1]["draws"], &both["books"][1]["level"]["by_draws"]),
        (&1.0.into(), &3.into())
    );
    let ranges = rated(&bench, &["mixed", "--by-eval", "0,50,100,150"]);
    let bounds: Vec<&Value> =
        ranges["books"].as_array().unwrap().iter().map(|book| &book["eval"]["most"]).collect();
    assert_eq!(bounds, [49, 99], "a range without games is left out");
    assert_eq!(ranges["without_range"], 2);
    let text = bench.run("openings rate mixed --by-eval 0,50,100").expect_code(0).stdout();
    assert!(text.contains("Games needed") && text.contains("50..99"), "{text}");
    assert!(text.contains("2 games not counted: the eval of the opening is missing"), "{text}");
}

#[test]
fn runs_that_cannot_be_compared_are_errors_or_noted() {
    let bench = played();
    let refused = |args: &[&str], words: &str| {
        bench.run(&[&["openings", "rate"], args].concat()).expect_code(2).tells(&[words]);
    };
    refused(&["nowhere"], "expected a run folder with a journal");
    refused(&["plain", "--by-eval", "50"], "at least two ascending bounds");
    refused(&["plain", "--by-eval", "0,50"], "book.epd: expected evals");
    refused(&["mixed", "--by-eval", "500,600"], "mixed: expected finished games in the ranges of --by-eval");
    bench.write("evals.epd", &WITH_EVALS.replace("ce 25", "ce 26"));
    refused(&["mixed", "--by-eval", "0,50"], "expected the book with SHA-256");
    bench.run("openings rate mixed").expect_code(0).tells(&["warning: mixed: nElo per Elo takes White for"]);
    let three =
        ["match", "well", "well:Hash=2", "binary", "--nodes", "20", "--games", "2", "--maxmoves", "5"];
    bench.run(&[&three[..], &["--openings", "book.epd", "--out", "three"]].concat()).expect_code(0);
    refused(&["three"], "three: expected a match of two engines, found 3");
    let other = ["match", "well", "binary", "--nodes", "30", "--games", "2", "--maxmoves", "5"];
    bench.run(&[&other[..], &["--openings", "book.epd", "--out", "other"]].concat()).expect_code(0);
    bench.run("openings rate plain other").expect_code(0).tells(&["other: other engines or limits"]);
}
