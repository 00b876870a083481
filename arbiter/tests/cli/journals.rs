//! What `arbiter resume` makes of a journal: in use, torn, corrupted, or finished.

use std::fs;

use runner::{JOURNAL_FILE, Journal};

use crate::finished_games::journalled;
use crate::workbench::Workbench;

/// A folder with the finished match `run`.
fn played() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "6", "--out", "run"];
    bench.run(&[&["match", "well", "binary", "--openings", "book.epd"], &limits[..]].concat()).expect_code(0);
    bench
}

fn lines(bench: &Workbench) -> Vec<String> {
    bench.read("run/events.jsonl").split_inclusive('\n').map(str::to_owned).collect()
}

#[test]
fn a_run_that_somebody_plays_is_not_played_by_anybody_else() {
    let bench = played();
    let (held, _) = Journal::open_for_resume(&bench.path("run").join(JOURNAL_FILE)).unwrap();
    let pgn = bench.read("run/games.pgn");
    let message = bench.run(&["resume", "run"]).expect_code(2).stderr();
    assert!(message.contains("another arbiter process is playing this run"), "{message}");
    assert_eq!(bench.read("run/games.pgn"), pgn);
    drop(held);
    bench.run(&["resume", "run"]).expect_code(0);
}

#[test]
fn a_torn_last_line_is_played_again() {
    let bench = played();
    let whole = (lines(&bench), bench.read("run/games.pgn"));
    let end = whole.0.iter().rposition(|line| line.contains("game_finished")).unwrap();
    let half = &whole.0[end][..whole.0[end].len() / 2];
    bench.write("run/events.jsonl", &(whole.0[..end].concat() + half));
    assert_eq!(journalled(&bench, "run").len(), 5);
    bench.run(&["resume", "run"]).expect_code(0);
    assert_eq!(journalled(&bench, "run").len(), 6);
    assert_eq!(bench.read("run/games.pgn"), whole.1);
}

#[test]
fn a_journal_of_other_games_is_refused() {
    let bench = played();
    let text = bench.read("run/events.jsonl").replacen(
        "\"white\":0,\"black\":1,\"opening\"",
        "\"white\":1,\"black\":0,\"opening\"",
        1,
    );
    bench.write("run/events.jsonl", &text);
    let message = bench.run(&["resume", "run"]).expect_code(2).stderr();
    assert!(message.contains("between other engines than the schedule"), "{message}");
}

#[test]
fn a_journal_that_was_never_begun_is_begun() {
    let bench = played();
    let pgn = bench.read("run/games.pgn");
    fs::remove_file(bench.path("run").join(JOURNAL_FILE)).unwrap();
    bench.run(&["resume", "run"]).expect_code(0);
    assert_eq!(bench.read("run/games.pgn"), pgn);
}

#[test]
fn a_run_that_is_over_says_so_and_needs_no_engine() {
    let bench = played();
    let before = ["games.pgn", "games.csv"].map(|file| bench.read(&format!("run/{file}")));
    fs::write(bench.path("run/games.pgn"), "").unwrap();
    fs::remove_dir_all(bench.path("engines")).unwrap();
    let finished = bench.run(&["resume", "run"]).expect_code(0);
    assert!(finished.stderr().contains("this run is finished"), "{}", finished.stderr());
    assert!(finished.stdout().contains("6 games"), "{}", finished.stdout());
    assert_eq!(["games.pgn", "games.csv"].map(|file| bench.read(&format!("run/{file}"))), before);
}
