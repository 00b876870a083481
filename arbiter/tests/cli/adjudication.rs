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
