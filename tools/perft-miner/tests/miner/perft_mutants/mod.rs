//! The perft suites catch move generators that are wrong: mutants of our own core, each with one fault.
//!
//! The test also writes `results/perft-mutants.md`, or rather says where the text lies when that page is not true any
//! more.

mod mutant;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use self::mutant::Mutant;
use arbiter::measure::perft::{MoveCounter, PerftDifference, PerftPosition, PerftSuite, smallest_difference};

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
        let difference = difference(found.fault, &suites, &smallest);
        assert_eq!(difference.path.len() as u32, smallest.depth - 1, "{what}");
        assert!(!difference.missing.is_empty() || !difference.extra.is_empty(), "{what}");
    }
    let page = page(&findings, &suites);
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("results/perft-mutants.md");
    if fs::read_to_string(&file).ok().as_ref() != Some(&page) {
        let right = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perft-mutants.md");
        fs::write(&right, page).unwrap();
        panic!("{} is not true any more; copy {}", file.display(), right.display());
    }
}

/// An enum of faults with a description each, and the list of all.
macro_rules! faults {
    ($($fault:ident = $description:literal,)+) => {
        /// One mistake in a move generator. All of them have been made in real programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $($fault,)+
        }

        impl Fault {
            const ALL: &[Fault] = &[$(Fault::$fault),+];

            const fn description(self) -> &'static str {
                match self {
                    $(Fault::$fault => $description,)+
                }
            }
        }
    };
}

faults! {
    EnPassantUncoversRank = "en passant uncovers the king on the rank",
    EnPassantPinUnseen = "en passant by a pinned pawn",
    EnPassantIgnoresCheck = "en passant leaves the king in check",
    EnPassantNeverEvades = "en passant forgotten in check",
    EnPassantTooLate = "en passant a move too late",
    CastlingOutOfCheck = "castling out of check",
    CastlingThroughCheck = "castling through check",
    CastlingIntoCheck = "castling into check",
    CastlingRookWayUnseen = "castling with the rook's way blocked",
    CastlingRookPinUnseen = "castling with a rook that shields the king",
    CastlingRefusedPastAttack = "castling refused where only the rook passes an attack",
    RightKeptWhenRookTaken = "castling right kept when the rook is taken",
    RightKeptWhenRookMoves = "castling right kept when the rook moves",
    PromotionForgotten = "promotion forgotten: a pawn on the last rank",
    PromotionToQueenOnly = "promotion to queens only",
    UnderpromotionByCaptureForgotten = "captures promote to queens only",
    DoubleCheckAnswered = "double check answered like a single one",
    PinUnseen = "a pinned piece leaves its line",
    PinnedPieceFrozen = "a pinned piece never moves",
    PinnedPieceAnswersCheck = "a pinned piece answers a check",
    DoubleStepThroughPiece = "double step through a piece",
    DoubleStepNeverEvades = "double step forgotten in check",
    KingStaysOnLine = "the king steps back on the line of a check",
    KingTakesProtected = "the king takes a protected piece",
    KingBesideKing = "a king beside a king",
    CaptureRoundTheEdge = "a pawn captures round the edge of the board",
}

/// A position that a mutant counts wrongly.
#[derive(Clone, Copy)]
pub struct Caught {
    pub suite: usize,
    pub position: usize,
    pub depth: u32,
}

pub struct Findings {
    pub fault: Fault,
    pub caught: Vec<Caught>,
}

impl Caught {
    fn position<'a>(&self, suites: &'a [PerftSuite]) -> &'a PerftPosition {
        &suites[self.suite].positions[self.position]
    }

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
