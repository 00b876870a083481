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

#[test]
fn a_knockout_has_byes_extra_pairs_and_a_winner() {
    let engines = ["well", "binary", "carriage-returns", "illegal", "crash"];
    let bench = Workbench::with_mocks(&engines);
    let options = ["--format", "knockout,extra-pairs=1", "--games", "2", "--concurrency", "2"];
    let text = play_short(&bench, &engines, &options)
        .expect_code(0)
        .shows(&["Quarter-finals", "Semi-finals", "Final", "(bye)", "after 1 extra pair, by seeding"])
        .stdout();
    let winner = text.lines().find(|line| line.contains("Winner")).unwrap();
    assert!(winner.ends_with("well"), "{text}");
    let summary: serde_json::Value = serde_json::from_str(&bench.read("run/summary.json")).unwrap();
    let rounds = summary["bracket"].as_array().unwrap();
    assert_eq!(rounds.iter().map(|round| round.as_array().unwrap().len()).collect::<Vec<_>>(), [4, 2, 1]);
    assert_eq!(summary["games"], summary["planned"]);
}

#[test]
fn the_best_is_named_when_it_is_known_and_otherwise_who_may_be_it() {
    let bench = Workbench::with_mocks(&["well", "illegal", "binary"]);
    let candidates = ["illegal", "well", "--base", "binary", "--best"];
    let play = |more: &[&str]| bench.run(&[&["match"], &candidates[..], &SHORT, more].concat());
    play(&["--within", "60", "--concurrency", "2", "--out", "run"]).expect_code(0).shows(&[
        "well is the best of 2 within 60 nElo",
        "nElo vs binary",
        "1.9%",
    ]);
    assert!(bench.read("run/report.html").contains("Within 60 nElo of the best"));
    let summary: serde_json::Value = serde_json::from_str(&bench.read("run/summary.json")).unwrap();
    assert!(summary["best"]["candidates"][1]["probability"].as_f64() >= Some(0.9), "{summary}");
    assert_eq!(summary["games"], summary["planned"]);
    let found = |event: &Event| matches!(event, Event::RunFinished { reason: FinishReason::FoundBest, .. });
    assert!(events(&bench, "run").iter().any(found));
    bench.run("resume run").expect_code(0);

    bench
        .run(
            &[
                &["match", "binary"],
                &candidates[1..2],
                &["--base", "illegal", "--best"],
                &SHORT[..],
                &["--games", "4", "--within", "1", "--out", "short"],
            ]
            .concat(),
        )
        .expect_code(3)
        .shows(&["8 games cannot tell the best of 2"]);
}

#[test]
fn a_candidate_that_joins_the_search_for_the_best_leaves_what_was_played() {
    let bench = Workbench::with_mocks(&["well", "illegal", "carriage-returns", "binary"]);
    let line = [
        "match", "illegal", "carriage-returns", "--base", "binary", "--best", "--within", "60", "--out",
        "run",
    ];
    bench.run(&[&line[..], &SHORT].concat()).expect_code(0);
    let before = bench.read("run/games.csv");
    bench
        .run("resume run --join well")
        .expect_code(0)
        .tells(&["well plays from the next batch"])
        .shows(&["of 3"]);
    let after = bench.read("run/games.csv");
    assert!(after.starts_with(&before), "{before}{after}");
    assert!(
        after.lines().skip(before.lines().count()).filter(|game| game.contains(",well,")).count() >= 16,
        "{after}"
    );
    bench.run("resume run --join well").expect_code(0).tells(&["well plays already"]);
    assert_eq!(bench.read("run/games.csv"), after);
    bench.run("resume run --join nobody").expect_code(2);
    bench.run("report run").expect_code(0);
    bench.run(&[&["match", "well", "binary", "--out", "plain"], &SHORT[..]].concat()).expect_code(0);
    bench.run("resume plain --join illegal").expect_code(2).tells(&["--join: expected a run with --best"]);
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
