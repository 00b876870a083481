//! `arbiter history`: the versions of an engine against each other.

use std::fs;

use crate::foreign_repository::ForeignRepository;
use crate::killed_series::killed_again_and_again;
use crate::workbench::Finished;

/// Short games that come out the same every time.
const SHORT: [&str; 12] = [
    "--openings",
    "book.epd",
    "--nodes",
    "20",
    "--games",
    "4",
    "--maxmoves",
    "6",
    "--seed",
    "1",
    "--concurrency",
    "1",
];

fn history(foreign: &ForeignRepository, out: &str, more: &[&str], code: i32) -> Finished {
    foreign.bench.run(&[&["history", "foreign", "--out", out], more, &SHORT[..]].concat()).expect_code(code)
}

/// The run folders of a history, by their numbers.
fn runs(foreign: &ForeignRepository, out: &str) -> Vec<String> {
    let entries = fs::read_dir(foreign.bench.path(out)).unwrap().map(Result::unwrap);
    let mut runs: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    runs.sort();
    runs
}

#[test]
fn a_chain_plays_each_version_against_the_one_before_and_names_versions_that_do_not_build() {
    let foreign = ForeignRepository::new(&["well", "broken", "other-move", "well"]);
    let finished = history(&foreign, "chain", &["c1..c4"], 0);
    let (text, said) = (finished.stdout(), finished.stderr());
    assert!(said.contains("skipped ") && said.contains("no semicolon in line 7"), "{said}");
    assert!(text.contains("skipped ") && text.contains("Step 2: broken"), "{text}");
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, third, fourth] = ["c1", "c3", "c4"].map(short);
    assert_eq!(runs(&foreign, "chain"), [format!("01-{third}-{first}"), format!("02-{fourth}-{third}")]);
    let table = foreign.bench.read("chain/history.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[1].starts_with(&format!("foreign@{first},")) && rows[1].contains("2023-11-1"), "{table}");
    assert!(rows[2].contains(",8,") && rows[3].contains(",4,"), "{table}");
    let page = foreign.bench.read("chain/history.html");
    for version in [&first, &third, &fourth] {
        assert!(page.contains(&format!("foreign@{version}")));
    }
    for word in ["Step 1: well", "Step 3: other-move", "0 (reference)", "2023-11-1"] {
        assert!(page.contains(word), "expected `{word}` in: {page}");
    }
}

#[test]
fn commits_that_are_the_same_program_are_one_player() {
    let mut foreign = ForeignRepository::new(&["well"]);
    foreign.commit_same("well");
    let message = history(&foreign, "same", &["c1..c2"], 2).stderr();
    assert!(message.contains("found 2, all the same program to the byte"), "{message}");
    foreign.commit("other-move");
    let text = history(&foreign, "chain", &["c1..c3"], 0).stdout();
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, second, third] = ["c1", "c2", "c3"].map(short);
    assert_eq!(runs(&foreign, "chain"), [format!("01-{third}-{first}")]);
    let same = format!("same program as foreign@{first}");
    assert!(text.lines().any(|line| line.contains(&second) && line.contains(&same)), "{text}");
    let page = foreign.bench.read("chain/history.html");
    assert!(page.contains(&same) && page.contains("Step 2: well"), "{page}");
    let table = foreign.bench.read("chain/history.csv");
    let elo: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(elo[..2], ["0.00", "0.00"], "{table}");
}

#[test]
fn in_a_gauntlet_one_version_plays_all_others() {
    let foreign = ForeignRepository::new(&["well", "well", "well"]);
    history(&foreign, "newest", &["c1", "c2", "c3", "--against", "newest"], 0);
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, second, third] = ["c1", "c2", "c3"].map(short);
    assert_eq!(runs(&foreign, "newest"), [format!("01-{third}-{first}"), format!("02-{third}-{second}")]);
    history(&foreign, "middle", &["c1..c3", "--against", "c2"], 0);
    assert_eq!(runs(&foreign, "middle"), [format!("01-{second}-{first}"), format!("02-{third}-{second}")]);
    assert_eq!(foreign.builds().len(), 3, "every version is built once");
}

#[test]
fn every_takes_every_nth_commit_of_a_range_and_both_ends() {
    let foreign = ForeignRepository::new(&["well"; 6]);
    history(&foreign, "thin", &["c1..c6", "--every", "3"], 0);
    let table = foreign.bench.read("thin/history.csv");
    let steps: Vec<&str> = table.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(steps, ["Step 1: well", "Step 4: well", "Step 6: well"]);
}

#[test]
fn wrong_revisions_are_named_and_nothing_is_played() {
    let foreign = ForeignRepository::new(&["well", "broken"]);
    let message = |more: &[&str]| history(&foreign, "none", more, 2).stderr();
    assert!(message(&["c1..c9"]).contains("`c9`"));
    assert!(message(&["c2..c1"]).contains("is no ancestor"));
    assert!(message(&["c1"]).contains("at least two versions"));
    assert!(message(&["c1", "c2"]).contains("at least two versions that build, found 1"));
    assert!(message(&["c1", "c2", "--against", "c7"]).contains("--against"));
    assert!(!foreign.bench.path("none").exists());
}

#[test]
fn a_history_that_is_killed_continues_exactly() {
    let foreign = ForeignRepository::new(&["well", "well", "well"]);
    let bench = &foreign.bench;
    history(&foreign, "whole", &["c1..c3"], 0);
    let games = |out: &str| {
        let texts = runs(&foreign, out).into_iter().map(|run| bench.read(&format!("{out}/{run}/games.pgn")));
        texts.collect::<Vec<_>>()
    };
    let args = [&["history", "foreign", "--out", "killed", "c1..c3"], &SHORT[..]].concat();
    let lives = killed_again_and_again(bench, "killed", "history.toml", &args);
    assert!(lives > 0);
    assert_eq!(games("killed"), games("whole"));
}
