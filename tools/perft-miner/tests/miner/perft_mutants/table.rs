//! The page about the mutants: how many positions of each suite catch a fault, and the smallest that does.

use std::fmt::Write;

use arbiter::measure::perft::perft_difference::smallest_difference;
use arbiter::measure::perft::{PerftDifference, PerftPosition, PerftSuite};

use super::MAX_NODES;
use super::fault::Fault;
use super::mutant::Mutant;

/// A position that a mutant counts wrongly.
#[derive(Clone, Copy)]
pub struct Caught {
    pub suite: usize,
    pub position: usize,
    pub depth: u32,
}

/// Where a fault is caught.
pub struct Findings {
    pub fault: Fault,
    pub caught: Vec<Caught>,
}

impl Caught {
    fn position<'a>(&self, suites: &'a [PerftSuite]) -> &'a PerftPosition {
        &suites[self.suite].positions[self.position]
    }

    /// How many pieces are on the board.
    fn pieces(&self, suites: &[PerftSuite]) -> usize {
        let fen = &self.position(suites).fen;
        fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count()
    }
}

impl Findings {
    /// The position that catches the fault at the smallest depth, and of those the one with the fewest pieces.
    pub fn smallest(&self, suites: &[PerftSuite]) -> Option<Caught> {
        self.caught.iter().copied().min_by_key(|caught| (caught.depth, caught.pieces(suites)))
    }

    fn caught_by(&self, suite: usize) -> usize {
        self.caught.iter().filter(|caught| caught.suite == suite).count()
    }
}

/// The counterexample that descending from a position finds.
pub fn difference(fault: Fault, suites: &[PerftSuite], caught: &Caught) -> PerftDifference {
    let position = caught.position(suites);
    let mut mutant = Mutant { fault: Some(fault) };
    smallest_difference(&mut mutant, &position.fen, position.variant, caught.depth).unwrap().unwrap()
}

/// The whole page.
pub fn page(findings: &[Findings], suites: &[PerftSuite]) -> String {
    let mut page = String::from(
        "# What the perft suites catch\n\
         \n\
         Tests of `tools/perft-miner` plant one bug at a time in Arbiter's move generator, from outside, and count the suites\n\
         that ship with it. The same tests write this page, and fail if it is out of date.\n\
         \n\
         ",
    );
    let _ = writeln!(
        page,
        "The first table has the number of positions of each suite with a wrong count, up to {MAX_NODES} nodes per count; its\n\
         head has the number of all positions.\n"
    );
    page += &counts_table(findings, suites);
    page += "\nThe second table has the smallest counterexample to each bug: the position with the smallest wrong depth, and among\n\
             those the one with the fewest pieces. As in `arbiter perft`, it has the moves that lead to the wrong position, if any,\n\
             and there the missing legal moves (−) and the illegal ones (+).\n\n";
    page += &counterexamples_table(findings, suites);
    page
}

fn counts_table(findings: &[Findings], suites: &[PerftSuite]) -> String {
    let mut table = String::from("| bug |");
    for suite in suites {
        let _ = write!(table, " {} ({}) |", suite.name.trim_end_matches(".epd"), suite.positions.len());
    }
    table += "\n|---|";
    table += &"--:|".repeat(suites.len());
    table.push('\n');
    for found in findings {
        let _ = write!(table, "| {} |", found.fault.description());
        for suite in 0..suites.len() {
            let _ = write!(table, " {} |", found.caught_by(suite));
        }
        table.push('\n');
    }
    table
}

fn counterexamples_table(findings: &[Findings], suites: &[PerftSuite]) -> String {
    let mut table =
        String::from("| bug | depth | pieces | position | after | moves |\n|---|--:|--:|---|---|---|\n");
    for found in findings {
        let Some(smallest) = found.smallest(suites) else { continue };
        let difference = difference(found.fault, suites, &smallest);
        let marked = |mark: char, moves: &[String]| -> Vec<String> {
            moves.iter().map(|m| format!("{mark}{m}")).collect()
        };
        let moves = [marked('−', &difference.missing), marked('+', &difference.extra)].concat().join(" ");
        let _ = writeln!(
            table,
            "| {} | {} | {} | `{}` | {} | {moves} |",
            found.fault.description(),
            smallest.depth,
            smallest.pieces(suites),
            smallest.position(suites).fen,
            difference.path.join(" "),
        );
    }
    table
}
