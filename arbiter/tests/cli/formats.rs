//! Formats of tournaments: `--format`, and `--base` with `--sprt`, where each candidate has a test of its own.

use std::collections::BTreeSet;

use runner::{Event, FinishReason, GameRecord};

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Row, TARRASCH, Workbench, events, rows};

/// Short games; a mock plays the same moves as every other, so that nobody wins but by a fault.
const SHORT: [&str; 8] = ["--openings", "book.epd", "--nodes", "20", "--maxmoves", "8", "--seed", "7"];

fn play_short(bench: &Workbench, engines: &[&str], args: &[&str]) -> Finished {
    bench.run(&[&["match"], engines, &SHORT, &["--out", "run"], args].concat())
}

fn meetings(bench: &Workbench) -> BTreeSet<[String; 2]> {
    let meeting = |row: Row| {
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
    let text =
        play_short(&bench, &engines, &["--format", "gauntlet", "--games", "4"]).expect_code(0).stdout();
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

/// An engine that leaves a line in a file whenever it is started.
fn counted_engine(bench: &Workbench, name: &str) {
    bench.write_program(name, &format!("#!/bin/sh\necho {name} >>starts\nexec '{MOCK_ENGINE}' well\n"));
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_is_started_once_for_all_its_opponents() {
    let bench = Workbench::new();
    let engines = ["./a", "./b", "./c", "./d"];
    for name in ["a", "b", "c", "d"] {
        counted_engine(&bench, name);
    }
    let starts = |options: &[&str]| {
        bench.write("starts", "");
        play_short(&bench, &engines, &[&["--games", "4", "--concurrency", "1"], options].concat())
            .expect_code(0);
        std::fs::remove_dir_all(bench.path("run")).unwrap();
        bench.read("starts").lines().count()
    };
    // Once to see that it starts at all, once for the games; those of the first game go on.
    assert_eq!(starts(&[]), 6);
    assert!(starts(&["--idle-engines", "0"]) > 12);
}

/// Tarrasch beats a mock, which plays the first move that it finds; the others draw or lose.
const CANDIDATES: [&str; 3] = ["illegal", "tarrasch", "binary"];

const GAMES: [&str; 16] = [
    "--base", "well", "--openings", "arbiter-balanced.epd", "--seed", "3", "--nodes", "200", "--maxmoves",
    "60", "--games", "60", "--sprt", "0,200", "--model", "logistic",
];

fn bench() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "illegal", "binary"]);
    let manifest = format!("name = 'tarrasch'\ncommand = '{TARRASCH}'\n");
    bench.write("engines/tarrasch/engine.toml", &manifest);
    bench
}

fn play(bench: &Workbench, candidates: &[&str], out: &str, args: &[&str]) -> Finished {
    bench.run(&[&["match"], candidates, &GAMES, &["--out", out], args].concat())
}

fn games_of(bench: &Workbench, run: &str, candidate: usize) -> Vec<GameRecord> {
    let games = events(bench, run).into_iter().filter_map(|event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(*record),
        _ => None,
    });
    games.filter(|game| game.white.min(game.black) == candidate).collect()
}

fn counted(bench: &Workbench, run: &str) -> Vec<(u32, Vec<String>)> {
    let games = (0..3).flat_map(|candidate| games_of(bench, run, candidate));
    let before = games.filter(|game| !game.after_decision);
    before.map(|game| (game.game, game.moves.iter().map(|played| played.uci.to_string()).collect())).collect()
}

#[test]
fn losers_are_dropped_early_and_every_output_has_each_verdict() {
    let bench = bench();
    let finished = play(&bench, &CANDIDATES, "run", &["--concurrency", "2"]).expect_code(0);
    let text = finished.stdout();
    for words in [
        "SPRT vs well: [0, 200] Elo, curved, alpha 0.05 for all 3 tests, beta 0.05 for each",
        "  H1 accepted",
        "  H0 accepted",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let counts: Vec<usize> = (0..3).map(|candidate| games_of(&bench, "run", candidate).len()).collect();
    assert!(counts.iter().all(|&games| games < 60) && counts[0] < counts[1], "{counts:?}");
    // All meet the same openings, one after the other.
    let openings = |candidate| {
        let mut games = games_of(&bench, "run", candidate);
        games.sort_by_key(|game| game.game);
        games.into_iter().map(|game| game.opening.index).collect::<Vec<_>>()
    };
    assert!(openings(1).starts_with(&openings(0)));

    let summary: serde_json::Value = serde_json::from_str(&bench.read("run/summary.json")).unwrap();
    let tests = summary["pairings"].as_array().unwrap().iter().filter(|pairing| pairing["sprt"].is_object());
    let statuses: Vec<_> = tests.map(|pairing| pairing["sprt"]["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["accept-h0", "accept-h1", "accept-h0"]);
    assert_eq!(summary["games"], summary["planned"], "nothing is left to play");
    let sentence = "H1 accepted for tarrasch; H0 accepted for illegal, binary";
    for format in ["--markdown", "--json", "--junit"] {
        bench.run(&["report", "run", format]).expect_code(0).shows(&[sentence]);
    }
    assert!(bench.read("run/report.html").contains(sentence));
    let blocks = bench.run("report run --fastchess").expect_code(0).stdout();
    assert!(blocks.contains("LLR: -2.20 (-139.2%) (-1.58, 3.05) [0.00, 200.00]"), "{blocks}");
    bench.run("status run").expect_code(0).shows(&["H1 accepted", "H0 accepted"]);
    bench.run("sprt run --engine illegal").expect_code(1).shows(&["illegal vs well", "(-1.58, 3.05)"]);
    bench.run("resume run").expect_code(0);
}

#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_games_and_verdicts() {
    let bench = bench();
    let one_at_a_time = ["--concurrency", "1", "--no-report"];
    play(&bench, &CANDIDATES, "whole", &one_at_a_time).expect_code(0);
    play(&bench, &CANDIDATES, "run", &one_at_a_time).expect_code(0);
    let journal = bench.read("run/events.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    // A crash may leave any part of the journal, the last line torn.
    for end in [3, lines.len() / 3, lines.len() / 2, lines.len() - 2] {
        let cut = &lines[end][..lines[end].len() / 2];
        bench.write("run/events.jsonl", &(lines[..end].join("\n") + "\n" + cut));
        bench.run("resume run --no-report").expect_code(0);
        assert!(counted(&bench, "run") == counted(&bench, "whole"), "cut after {end} lines");
        let reason =
            |event: &Event| matches!(event, Event::RunFinished { reason: FinishReason::AcceptedH1, .. });
        assert!(events(&bench, "run").last().is_some_and(reason));
    }
}
