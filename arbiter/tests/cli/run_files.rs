//! `arbiter run`: a run by a file, and a run that is repeated from the file it left.

use runner::RunConfig;

use crate::finished_games::values;
use crate::workbench::Workbench;

/// A file as people write it: engines by their names, no fingerprints, and what has a default left out.
const BY_HAND: &str = r#"games = 4
format = "gauntlet"
concurrency = 2

[limits]
nodes = 20

[book]
path = "book.epd"

[adjudication]
max_moves = 6

[[engine]]
engine = "well:Hash=2"

[[engine]]
engine = "binary:Hash=2,nodes=30"
name = "handicapped"
options = ["Hash=4"]

[[engine]]
engine = "well"
limits = { nodes = 10, depth = 3 }
"#;

fn bench() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("mine.toml", BY_HAND);
    bench
}

fn config(bench: &Workbench, run: &str) -> RunConfig {
    toml::from_str(&bench.read(&format!("{run}/run.toml"))).unwrap()
}

/// The file with something else in it is refused with these words.
fn refused(from: &str, to: &str, words: &[&str]) {
    let bench = bench();
    assert!(BY_HAND.contains(from));
    bench.write("mine.toml", &BY_HAND.replacen(from, to, 1));
    let before = bench.listing();
    let message = bench.run(&["run", "mine.toml"]).expect_code(2).stderr();
    for word in words.iter().chain(&["mine.toml"]) {
        assert!(message.contains(word), "expected `{word}` in: {message}");
    }
    assert_eq!(bench.listing(), before, "something was left behind");
}

#[test]
fn a_start_beyond_the_book_names_the_field_of_the_file() {
    refused(
        "path = \"book.epd\"",
        "path = \"book.epd\"\nstart = 3",
        &["book, start = 3: expected less than 3"],
    );
}

#[test]
fn the_command_line_may_ask_for_more_games_at_once_than_the_file() {
    let bench = bench();
    bench.run(&["run", "mine.toml", "--out", "run", "--concurrency", "3"]).expect_code(0);
    assert_eq!(config(&bench, "run").concurrency, 3);
    bench.run(&["run", "mine.toml", "--concurrency", "0"]).expect_code(2);
}

#[test]
fn a_file_by_hand_says_everything_that_a_run_needs() {
    let bench = bench();
    bench.run(&["run", "mine.toml", "--out", "run"]).expect_code(0);
    assert_eq!(values(&bench, "run", "white"), ["handicapped", "well", "well:nodes=10,depth=3"]);
    let config = config(&bench, "run");
    let options =
        |engine: usize| config.engines[engine].options.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((options(0), options(1)), (vec!["Hash=2".to_owned()], vec!["Hash=4".to_owned()]));
    assert_eq!(config.limits_of(1).nodes, Some(30));
    assert!(config.engines.iter().all(|engine| engine.sha256.is_some() && engine.version.is_some()));
    assert!(config.book.sha256.is_some() && config.made.is_some());
}

#[test]
fn the_file_that_a_run_leaves_repeats_it() {
    let bench = bench();
    bench.run(&["run", "mine.toml", "--out", "first"]).expect_code(0);
    bench.run(&["run", "first/run.toml", "--out", "second"]).expect_code(0);
    bench.run(&["run", "second", "--out", "third"]).expect_code(0);
    for again in ["second", "third"] {
        assert!(config(&bench, again).asks_for_the_same_as(&config(&bench, "first")));
        assert_ne!(config(&bench, again).made, config(&bench, "first").made);
        assert_eq!(bench.read(&format!("{again}/games.pgn")), bench.read("first/games.pgn"));
    }
}

#[test]
fn a_shipped_book_needs_no_more_than_its_name() {
    let bench = bench();
    bench.write("mine.toml", &BY_HAND.replace("book.epd", "arbiter-balanced.epd"));
    bench.run(&["run", "mine.toml", "--out", "run"]).expect_code(0);
    assert!(config(&bench, "run").book.embedded);
}

#[test]
fn what_has_changed_since_the_run_was_recorded_is_used_only_when_told_to() {
    let bench = bench();
    bench.run(&["run", "mine.toml", "--out", "first"]).expect_code(0);
    let recorded = bench.read("first/run.toml");
    let sha256 = config(&bench, "first").engines[0].sha256.clone().unwrap();
    bench.write("old.toml", &recorded.replace(&sha256, &"0".repeat(64)));
    let message = bench.run(&["run", "old.toml", "--out", "second"]).expect_code(2).stderr();
    for words in ["engine `well`", "--accept-changed", &sha256] {
        assert!(message.contains(words), "{message}");
    }
    assert!(!bench.path("second").exists());
    bench.run(&["run", "old.toml", "--out", "second", "--accept-changed"]).expect_code(0);
    assert_eq!(config(&bench, "second").engines[0].sha256.as_ref(), Some(&sha256));

    bench.write("book.epd", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n");
    let message = bench.run(&["run", "first"]).expect_code(2).stderr();
    assert!(
        message.contains("book.epd: expected the book") && message.contains("--accept-changed"),
        "{message}"
    );
    bench.run(&["run", "first", "--out", "third", "--accept-changed"]).expect_code(0);
}

#[test]
fn a_key_that_is_not_known_is_named_with_its_line() {
    refused("games = 4", "gamse = 4", &["line 1", "gamse", "`games`"]);
    refused("max_moves = 6", "moves = 6", &["line 12", "`max_moves`"]);
    refused("depth = 3", "deepth = 3", &["line 24", "deepth"]);
    refused("options =", "option =", &["line 20", "`options`"]);
}

#[test]
fn an_engine_that_cannot_be_found_or_understood_is_named() {
    refused("\"well:Hash=2\"", "\"wel\"", &["engine `wel`", "did you mean `well`"]);
    refused("nodes=30", "nodes=many", &["line 18", "nodes: expected a whole number", "`many`"]);
    refused("name = \"handicapped\"", "program = \"x\"", &["line 18", "either `engine` or `program`"]);
    refused(
        "engine = \"well\"\n",
        "name = \"x\"\nprogram = \"x\"\n",
        &["engine `x`", "which does not exist"],
    );
    refused("engine = \"well\"\n", "engine = 5\n", &["line 23", "expected a text"]);
    refused("\"gauntlet\"", "\"swiss\"", &["line 2", "`swiss`"]);
    refused("path = \"book.epd\"", "path = \"gone.epd\"", &["gone.epd", "expected a file"]);
}

#[test]
fn what_cannot_be_played_is_told_with_its_file() {
    refused("games = 4", "games = 3", &["games: expected an even number"]);
    refused("games = 4", "games = 4\nskipped = 8", &["skipped: expected fewer games", "found 8"]);
    refused("games = 4", "games = 4\nrounds.in_one_go = 3", &["in_one_go: expected a divisor", "found 3"]);
    refused("nodes = 20", "clock = \"1+0\"\nmovetime = \"50ms\"", &["limits of engine"]);
    refused("options = [\"Hash=4\"]", "options = [\"Hash=9\"]", &["option `Hash`", "found `9`"]);
}
