//! `--format`: who meets whom, and what the summary says about it.

use std::collections::BTreeSet;

use crate::finished_games::rows;
use crate::workbench::{Finished, Workbench};

/// Short games; a mock plays the same moves as every other, so that nobody wins but by a fault.
const SHORT: [&str; 8] = ["--openings", "book.epd", "--nodes", "20", "--maxmoves", "8", "--seed", "7"];

fn play(bench: &Workbench, engines: &[&str], args: &[&str]) -> Finished {
    bench.run(&[&["match"], engines, &SHORT, &["--out", "run"], args].concat())
}

/// Which engines met, each pair of names in the order of the alphabet.
fn meetings(bench: &Workbench) -> BTreeSet<[String; 2]> {
    let meeting = |row: crate::finished_games::Row| {
        let mut names = [row["white"].clone(), row["black"].clone()];
        names.sort();
        names
    };
    rows(bench, "run").into_iter().map(meeting).collect()
}

#[test]
fn in_a_gauntlet_the_first_engine_meets_all_others_with_the_same_openings() {
    let bench = Workbench::with_mocks(&["well", "binary", "carriage-returns", "illegal"]);
    let engines = ["well", "binary", "carriage-returns", "illegal"];
    let text = play(&bench, &engines, &["--format", "gauntlet", "--games", "4"]).expect_code(0).stdout();
    assert_eq!(rows(&bench, "run").len(), 12);
    assert!(meetings(&bench).iter().all(|names| names.contains(&"well".to_owned())));
    for opponent in &engines[1..] {
        let games = rows(&bench, "run").into_iter().filter(|row| row["white"] == *opponent);
        let openings: Vec<String> = games.map(|row| row["opening_fen"].clone()).collect();
        let first = rows(&bench, "run").into_iter().filter(|row| row["black"] == "binary");
        assert_eq!(openings, first.map(|row| row["opening_fen"].clone()).collect::<Vec<_>>(), "{opponent}");
    }
    assert!(text.contains("vs 1") && !text.contains("vs 2"), "{text}");
    assert!(bench.read("run/games.pgn").contains("[Event \"Gauntlet of 4\"]"));
}

#[test]
fn a_knockout_has_byes_extra_pairs_and_a_winner() {
    let engines = ["well", "binary", "carriage-returns", "illegal", "crash"];
    let bench = Workbench::with_mocks(&engines);
    let options = ["--format", "knockout,extra-pairs=1", "--games", "2", "--concurrency", "2"];
    let text = play(&bench, &engines, &options).expect_code(0).stdout();
    // The fourth beats nobody, so the fifth goes on; level ties are decided by seeding.
    for words in ["Quarter-finals", "Semi-finals", "Final", "(bye)", "after 1 extra pair, by seeding"] {
        assert!(text.contains(words), "{text}");
    }
    let winner = text.lines().find(|line| line.contains("Winner")).unwrap();
    assert!(winner.ends_with("well"), "{text}");
    let summary: serde_json::Value = serde_json::from_str(&bench.read("run/summary.json")).unwrap();
    let rounds = summary["bracket"].as_array().unwrap();
    assert_eq!(rounds.iter().map(|round| round.as_array().unwrap().len()).collect::<Vec<_>>(), [4, 2, 1]);
    assert_eq!(summary["games"], summary["planned"]);
}

#[test]
fn a_format_that_does_not_fit_the_engines_is_refused() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let refused = |args: &[&str], words: &str| {
        let message = play(&bench, &["well", "binary"], args).expect_code(2).stderr();
        assert!(message.contains(words), "{message}");
        assert!(!bench.path("run").exists());
    };
    refused(&["--format", "gauntlet,challengers=2"], "more than 2 engines");
    refused(&["--format", "knockout", "--sprt", "0,5"], "--sprt needs a match of two engines");
    refused(&["--format", "swiss"], "expected `round-robin`");
}

/// An engine that leaves a line in a file whenever it is started.
#[cfg(unix)]
fn counted_engine(bench: &Workbench, name: &str) {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let mock = crate::programs::MOCK_ENGINE;
    let script = format!("#!/bin/sh\necho {name} >>starts\nexec '{mock}' well\n");
    bench.write(name, &script);
    set_permissions(bench.path(name), Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn an_engine_is_started_once_for_all_its_opponents() {
    let bench = Workbench::new();
    let engines = ["./a", "./b", "./c", "./d"];
    for name in ["a", "b", "c", "d"] {
        counted_engine(&bench, name);
    }
    let starts = |options: &[&str]| {
        bench.write("starts", "");
        play(&bench, &engines, &[&["--games", "4", "--concurrency", "1"], options].concat()).expect_code(0);
        std::fs::remove_dir_all(bench.path("run")).unwrap();
        bench.read("starts").lines().count()
    };
    // Once to see that it starts at all, once for the games.
    assert_eq!(starts(&[]), 8);
    assert!(starts(&["--idle-engines", "0"]) > 12);
}
