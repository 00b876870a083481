//! Games that are cut short, and rules that cannot be.

use std::fs;

use crate::finished_games::{rows, values};
use crate::workbench::{Finished, Workbench};

fn play(bench: &Workbench, args: &[&str]) -> Finished {
    let match_of = ["match", "well", "binary", "--nodes", "20", "--games", "2", "--out", "run"];
    bench.run(&[&match_of, &["--openings", "book.epd"][..], args].concat())
}

#[test]
fn the_longest_game_has_as_many_moves_of_each_side_where_black_begins() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("book.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
    play(&bench, &["--maxmoves", "3"]).expect_code(0);
    for row in rows(&bench, "run") {
        assert_eq!((row["termination"].as_str(), row["plies"].as_str()), ("max_moves", "6"));
        assert_eq!((row["white_moves"].as_str(), row["black_moves"].as_str()), ("3", "3"));
    }
}

#[test]
fn a_resignation_may_need_the_winner_to_agree() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    // The scores of these engines are within a pawn of zero, so that half of them lose by a hundredth.
    play(&bench, &["--resign", "count=1,score=1", "--maxmoves", "40"]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["resign_adjudication"]);
    fs::remove_dir_all(bench.path("run")).unwrap();
    play(&bench, &["--resign", "count=40,score=1,twosided=true", "--maxmoves", "20"]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["max_moves"]);
    assert!(bench.read("run/run.toml").contains("resign = \"count=40,score=1,twosided=true\""));
}

#[test]
fn tables_that_cannot_be_used_are_named_before_the_first_game() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("empty/readme.txt", "no tables here");
    bench.write("broken/KQvK.rtbw", "not a table");
    let refused = |args: &[&str], words: &str| {
        let message = play(&bench, args).expect_code(2).stderr();
        assert!(message.contains(words), "expected `{words}` in: {message}");
        assert!(!bench.path("run").exists());
    };
    refused(&["--syzygy", "nowhere"], "nowhere");
    refused(
        &["--syzygy", "empty"],
        "empty: expected Syzygy tablebases, files such as KQvKR.rtbw, found none",
    );
    refused(&["--syzygy", "broken"], "broken/KQvK.rtbw: expected a Syzygy table, which starts with");
    refused(&["--syzygy-pieces", "5"], "--syzygy");
}

#[test]
fn a_match_with_an_sprt_has_its_own_book_and_rules_unless_told_otherwise() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let config = |out: &str, args: &[&str]| {
        let match_of =
            ["match", "well", "binary", "--nodes", "20", "--games", "2", "--maxmoves", "5", "--out", out];
        let finished = bench.run(&[&match_of[..], args].concat());
        assert!(matches!(finished.code(), Some(0 | 1 | 3)), "{}", finished.stderr());
        bench.read(&format!("{out}/run.toml"))
    };
    let (draw, resign) =
        ("draw = \"move=34,count=8,score=20\"", "resign = \"count=3,score=400,twosided=true\"");
    let with_test = config("tested", &["--sprt", "0,5"]);
    for expected in ["arbiter-unbalanced.epd", draw, resign] {
        assert!(with_test.contains(expected), "{with_test}");
    }
    let own =
        config("own", &["--sprt", "0,5", "--openings", "book.epd", "--draw", "none", "--resign", "none"]);
    assert!(own.contains("book.epd") && !own.contains("draw =") && !own.contains("resign ="), "{own}");
    let without = config("without", &[]);
    assert!(without.contains("arbiter-balanced.epd") && !without.contains("resign ="), "{without}");
}

#[test]
fn a_mixture_is_named_beside_the_bounds() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let finished = play(&bench, &["--maxmoves", "5", "--sprt", "0,5", "--mixture"]).expect_code(3);
    assert!(finished.stdout().contains("[0, 5] nElo, mixture"), "{}", finished.stdout());
    assert!(bench.read("run/run.toml").contains("mixture = true"));
    let refused = play(&bench, &["--sprt", "0,5", "--mixture", "--give-up", "0.05"]).expect_code(2).stderr();
    assert!(refused.contains("--give-up") && refused.contains("--mixture"), "{refused}");
}
