//! `arbiter openings`: makes, checks, selects from and converts books.

use std::process::ExitStatus;

use crate::processes::interrupt;
use crate::workbench::{TARRASCH, Workbench, wait_until};

/// Small and fast, with enough openings in range.
const RECIPE: [&str; 10] =
    ["--plies", "2..6", "--eval-range", "0..80", "--nodes", "3000", "--choice-nodes", "2000", "--seed", "3"];

fn make(bench: &Workbench, engine: &str, file: &str, args: &[&str], code: i32) -> String {
    bench.run(&[&["openings", "make", engine, file], args].concat()).expect_code(code).stderr()
}

fn lines(bench: &Workbench, file: &str) -> Vec<String> {
    let text = bench.read(file);
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

fn eval(line: &str) -> i32 {
    let eval = line.split_once(" ce ").unwrap().1.split(';').next().unwrap();
    let eval: i32 = eval.parse().unwrap();
    if line.contains(" w ") { eval } else { -eval }
}

#[test]
fn a_book_is_the_same_for_any_number_of_engines_and_in_either_format_but_not_for_another_seed() {
    let bench = Workbench::new();
    let args = [&RECIPE[..], &["--count", "6"]].concat();
    make(&bench, TARRASCH, "a.epd", &args, 0);
    make(&bench, TARRASCH, "b.epd", &[&args[..], &["--concurrency", "3"]].concat(), 0);
    let book = lines(&bench, "a.epd");
    assert_eq!(book.len(), 6);
    assert_eq!(lines(&bench, "b.epd"), book);
    assert!(book.iter().all(|line| eval(line).abs() <= 80 && line.contains(" c0 ")), "{book:?}");
    make(&bench, TARRASCH, "a.pgn", &args, 0);
    bench.run("openings select a.pgn of-pgn.epd --to 6").expect_code(0);
    assert_eq!(lines(&bench, "of-pgn.epd"), book);
    make(&bench, TARRASCH, "c.epd", &[&RECIPE[..8], &["--count", "6", "--seed", "2"]].concat(), 0);
    assert_ne!(lines(&bench, "c.epd"), book);
}

#[test]
fn openings_can_favour_a_side() {
    let bench = Workbench::new();
    let args = ["--plies", "4..8", "--eval-range", "40..250", "--favours", "black", "--nodes", "3000"];
    let args = [&args[..], &["--choice-nodes", "2000", "--tolerance", "200", "--count", "4"]].concat();
    make(&bench, TARRASCH, "a.epd", &args, 0);
    let evals: Vec<i32> = lines(&bench, "a.epd").iter().map(|line| eval(line)).collect();
    // Random openings mostly favour White.
    assert!(evals.iter().all(|eval| (-250..=-40).contains(eval)), "{evals:?}");
    let header = bench.read("a.epd").replace("\n# ", " ");
    assert!(header.contains("40 to 250 centipawns for Black"), "{header}");
}

#[test]
fn an_interrupted_book_is_kept_with_a_note() {
    let bench = Workbench::new();
    let args = [&["openings", "make", TARRASCH, "a.epd", "--count", "100000"], &RECIPE[..]].concat();
    let mut arbiter = bench.spawn(&args);
    wait_until("the work begins", || bench.path("a.epd.partial").exists());
    // Some of it is then done, or none.
    std::thread::sleep(std::time::Duration::from_millis(500));
    interrupt(&arbiter);
    let status: ExitStatus = arbiter.wait().unwrap();
    assert_eq!(status.code(), Some(3));
    assert!(!bench.path("a.epd.partial").exists());
    if bench.path("a.epd").exists() {
        assert!(bench.read("a.epd").contains("of 100,000 openings: interrupted"));
        bench.run("openings check a.epd").expect_code(0);
    }
}
