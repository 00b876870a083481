//! `arbiter report`, and the page that every run leaves.

use std::fs;

use crate::workbench::Workbench;

/// Plays two games between engines that answer well into a folder.
fn play(bench: &Workbench, run: &str, seed: &str) {
    let limits = ["--nodes", "200", "--maxmoves", "12", "--games", "2", "--openings", "book.epd"];
    let args = [&["match", "well", "well:Hash=1", "--out", run, "--seed", seed], &limits[..]].concat();
    bench.run(&args).expect_code(0);
}

#[test]
fn every_run_leaves_a_page_that_can_be_made_again() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "run", "1");
    let page = bench.read("run/report.html");
    assert!(page.contains("<h1>2 games cannot tell well"), "{}", &page[..page.len().min(20_000)]);
    fs::remove_file(bench.path("run/report.html")).unwrap();
    let finished = bench.run(&["report", "run"]).expect_code(0);
    assert!(finished.stdout().contains("report.html"), "{}", finished.stdout());
    assert!(bench.read("run/report.html") == page, "the same journal makes the same page");
    let before = bench.listing();
    bench.run(&["report", "run", "--out", "elsewhere.html"]).expect_code(0);
    assert_eq!(bench.listing().len(), before.len() + 1);
    assert!(bench.read("elsewhere.html") == page);
}

#[test]
fn a_page_that_cannot_be_written_is_told_and_loses_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "run", "1");
    fs::remove_file(bench.path("run/report.html")).unwrap();
    bench.write("run/report.html/in-the-way", "");
    let finished = bench.run(&["resume", "run"]).expect_code(0);
    assert!(finished.stderr().contains("report.html was not written: "), "{}", finished.stderr());
    assert!(finished.stderr().contains("arbiter report run"), "{}", finished.stderr());
    assert!(finished.stdout().contains("saved in run"), "{}", finished.stdout());
    bench.run(&["report", "run"]).expect_code(5);
}

#[test]
fn several_runs_make_a_history_that_has_to_be_put_somewhere() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "first", "1");
    play(&bench, "second", "2");
    let refused = bench.run(&["report", "first", "second"]).expect_code(2);
    assert!(refused.stderr().contains("expected --out FILE"), "{}", refused.stderr());
    bench.run(&["report", "first", "second", "--out", "history.html"]).expect_code(0);
    assert!(bench.read("history.html").contains("History of 2 runs"));
}

#[test]
fn a_folder_without_a_run_is_an_error_of_the_user() {
    let bench = Workbench::new();
    for folder in ["nowhere", "."] {
        let refused = bench.run(&["report", folder]).expect_code(2);
        assert!(refused.stderr().contains("expected a run folder with a journal"), "{}", refused.stderr());
    }
    bench.write("run/events.jsonl", "{\"event\":\n{}\n");
    let refused = bench.run(&["report", "run"]).expect_code(2);
    assert!(refused.stderr().contains("line 1"), "{}", refused.stderr());
}

#[test]
fn a_run_that_wants_no_page_leaves_none() {
    let bench = Workbench::with_mocks(&["well"]);
    let args = ["match", "well", "well:Hash=1", "--nodes", "200", "--maxmoves", "12", "--games", "2"];
    let rest = ["--openings", "book.epd", "--out", "run", "--no-report"];
    bench.run(&[&args[..], &rest[..]].concat()).expect_code(0);
    bench.run(&["resume", "run", "--no-report"]).expect_code(0);
    bench.run(&["run", "run", "--out", "again", "--no-report"]).expect_code(0);
    assert!(bench.read("run/summary.json").contains("\"games\": 2"));
    assert!(!bench.path("run/report.html").exists() && !bench.path("again/report.html").exists());
    bench.run(&["resume", "run"]).expect_code(0);
    assert!(bench.path("run/report.html").exists());
}

#[test]
fn a_table_that_was_cut_off_changes_no_report_and_is_written_anew_by_resume() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "run", "1");
    let table = bench.read("run/games.csv");
    let report = bench.run(&["report", "run", "--csv"]).expect_code(0).stdout();
    bench.write("run/games.csv", &table[..table.len() - 40]);
    assert_eq!(bench.run(&["report", "run", "--csv"]).expect_code(0).stdout(), report);
    bench.run(&["resume", "run"]).expect_code(0);
    assert_eq!(bench.read("run/games.csv"), table);
}
