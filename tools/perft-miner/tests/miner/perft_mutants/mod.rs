//! The perft suites catch move generators that are wrong: mutants of our own core, each with one fault.
//!
//! The test also writes `results/perft-mutants.md`, or rather says where the text lies when that page is not true any
//! more.

mod fault;
mod mutant;
mod table;
mod wrong_castling;

use std::fs;
use std::path::Path;

use arbiter::measure::perft::{MoveCounter, PerftSuite};

use fault::Fault;
use mutant::Mutant;
use table::{Caught, Findings};

/// Greater counts are left out: what a fault changes shows in small ones.
const MAX_NODES: u64 = 10_000;

/// The suites that ship, in the order of the table.
const SUITES: [&str; 5] = ["smirf.epd", "special.epd", "chess960.epd", "hard.epd", "hard-chess960.epd"];

fn suites() -> Vec<PerftSuite> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("suites/perft");
    let read =
        |name: &&str| PerftSuite::parse(name, &fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    SUITES.iter().map(read).collect()
}

/// The first depth at which a mutant counts a position wrongly.
fn wrong_depth(mutant: &mut Mutant, suite: &PerftSuite, position: usize) -> Option<u32> {
    let position = suite.positions[position].within(u32::MAX, MAX_NODES);
    let mut counts = position.counts.iter();
    let is_wrong = |&&(depth, expected): &&(u32, u64)| {
        mutant.count(&position.fen, position.variant, depth).unwrap() != expected
    };
    counts.find(is_wrong).map(|(depth, _)| *depth)
}

/// What the suites find out about one fault.
fn examine(fault: Fault, suites: &[PerftSuite]) -> Findings {
    let mut mutant = Mutant { fault: Some(fault) };
    let mut findings = Findings { fault, caught: Vec::new() };
    for (index, suite) in suites.iter().enumerate() {
        for position in 0..suite.positions.len() {
            if let Some(depth) = wrong_depth(&mut mutant, suite, position) {
                findings.caught.push(Caught { suite: index, position, depth });
            }
        }
    }
    findings
}

#[test]
fn without_a_fault_the_mutant_is_our_core_and_passes() {
    for suite in suites() {
        for position in 0..suite.positions.len() {
            let place = format!("{}:{}", suite.name, suite.positions[position].line);
            assert_eq!(wrong_depth(&mut Mutant { fault: None }, &suite, position), None, "{place}");
        }
    }
}

#[test]
fn every_fault_is_caught_and_the_page_about_it_is_true() {
    let suites = suites();
    let findings: Vec<Findings> = Fault::ALL.iter().map(|fault| examine(*fault, &suites)).collect();
    for found in &findings {
        let smallest = found.smallest(&suites);
        let what = found.fault.description();
        let smallest = smallest.unwrap_or_else(|| panic!("{what}: not caught by any suite"));
        // A fault shows after at most three moves: the one it stems from, an answer, and the wrong one.
        assert!(smallest.depth <= 3, "{what}: caught at depth {}", smallest.depth);
        let difference = table::difference(found.fault, &suites, &smallest);
        assert_eq!(difference.path.len() as u32, smallest.depth - 1, "{what}");
        assert!(!difference.missing.is_empty() || !difference.extra.is_empty(), "{what}");
    }
    let page = table::page(&findings, &suites);
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("results/perft-mutants.md");
    if fs::read_to_string(&file).ok().as_ref() != Some(&page) {
        let right = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perft-mutants.md");
        fs::write(&right, page).unwrap();
        panic!("{} is not true any more; copy {}", file.display(), right.display());
    }
}
