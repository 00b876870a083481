//! `--base` with `--sprt`: several candidates against one engine, each with a test of its own.

use runner::{Event, FinishReason, GameRecord};

use crate::finished_games::events;
use crate::workbench::{Finished, TARRASCH, Workbench};

/// Tarrasch beats a mock, which plays the first move that it finds; the others draw or lose.
const CANDIDATES: [&str; 3] = ["illegal", "tarrasch", "binary"];

const GAMES: [&str; 16] = [
    "--base",
    "well",
    "--openings",
    "book.epd",
    "--seed",
    "3",
    "--nodes",
    "200",
    "--maxmoves",
    "60",
    "--games",
    "60",
    "--sprt",
    "0,200",
    "--model",
    "logistic",
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

/// The games of a candidate, by its index.
fn games_of(bench: &Workbench, run: &str, candidate: usize) -> Vec<GameRecord> {
    let games = events(bench, run).into_iter().filter_map(|event| match event {
        Event::GameFinished(record) if record.is_counted() => Some(*record),
        _ => None,
    });
    games.filter(|game| game.white.min(game.black) == candidate).collect()
}

/// The games that ended before the verdict on their pairing, with their moves.
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
        "SPRT vs well: [0, 200] Elo, LLR (-2.98, 4.04), alpha 0.05 for all 3 tests, beta 0.05 for each",
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
        let report = bench.run(&["report", "run", format]).expect_code(0).stdout();
        assert!(report.contains(sentence), "{format}: {report}");
    }
    assert!(bench.read("run/report.html").contains(sentence));
    let blocks = bench.run(&["report", "run", "--fastchess"]).expect_code(0).stdout();
    assert_eq!(blocks.matches(" (-2.98, 4.04) [0.00, 200.00]").count(), 3, "{blocks}");
    let status = bench.run(&["status", "run"]).expect_code(0).stdout();
    assert!(status.contains("H1 accepted") && status.contains("H0 accepted"), "{status}");
    let again = bench.run(&["sprt", "run", "--engine", "illegal"]).expect_code(1).stdout();
    assert!(again.contains("illegal vs well") && again.contains("(-2.98, 4.04)"), "{again}");
    bench.run(&["resume", "run"]).expect_code(0);
}

#[test]
fn the_exit_code_is_that_of_the_best_candidate() {
    let bench = bench();
    play(&bench, &["illegal", "binary"], "worse", &[]).expect_code(1);
    let undecided = ["--beta", "1e-20"];
    play(&bench, &["illegal", "binary"], "undecided", &undecided).expect_code(3);
    let first = play(&bench, &["binary", "tarrasch"], "first", &["--stop-at-first", "--beta", "1e-9"]);
    let text = first.expect_code(0).stdout();
    assert!(text.contains("H1 accepted") && text.contains("undecided"), "{text}");
}

#[test]
fn each_test_without_a_chance_is_given_up() {
    let bench = bench();
    let args = ["match", "binary", "illegal", "--base", "well", "--nodes", "20", "--maxmoves", "5"];
    let test =
        ["--sprt", "0,5", "--games", "60", "--give-up", "0.05", "--openings", "book.epd", "--out", "run"];
    let text = bench.run(&[&args[..], &test].concat()).expect_code(3).stdout();
    let verdicts = text.lines().filter(|line| line.contains("given up")).count();
    assert!(verdicts >= 2 && text.contains("SPRT given up"), "{text}");
    assert!(bench.read("run/summary.json").contains("\"given_up\": true"));
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().contains("finished: SPRT given up"));
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
        bench.run(&["resume", "run", "--no-report"]).expect_code(0);
        assert!(counted(&bench, "run") == counted(&bench, "whole"), "cut after {end} lines");
        let reason =
            |event: &Event| matches!(event, Event::RunFinished { reason: FinishReason::AcceptedH1, .. });
        assert!(events(&bench, "run").last().is_some_and(reason));
    }
}

#[test]
fn tests_of_several_engines_that_make_no_sense_are_refused() {
    let bench = bench();
    for (args, words) in [
        (&["well", "binary", "illegal", "--sprt", "0,5"][..], &["--sprt", "--base ENGINE", "found 3"][..]),
        (&["--base", "well", "--sprt", "0,5"], &["ENGINE"]),
        (&["binary", "illegal", "--base", "well", "--sprt", "0,5", "--shard", "1/2"], &["shard", "SPRT"]),
        (&["binary", "--base", "well", "--sprt", "0,5", "--stop-at-first"], &["stop_at_first", "several"]),
        (&["binary", "illegal", "--base", "well", "--stop-at-first"], &["--sprt"]),
        (&["binary", "--base", "well", "--format", "gauntlet"], &["--base", "--format"]),
        (&["binary", "illegal", "--base", "gone", "--sprt", "0,5"], &["gone"]),
    ] {
        let message = bench.run(&[&["match", "--nodes", "20"], args].concat()).expect_code(2).stderr();
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
}
