//! The rules library from outside: reading and writing text, comparison with shakmaty, and perft of the six SMIRF
//! positions with every move of the last ply classified.

mod against_shakmaty;
mod text;

use std::thread;

use chess::{PerftCounts, Position, decomposition, divide, perft};

const SMIRF: &str = include_str!("smirf_perft.txt");

fn smirf(name: &str) -> (&'static str, Vec<PerftCounts>) {
    let lines = SMIRF.lines().filter(|line| !line.starts_with('#'));
    let mut block = lines.skip_while(|line| !line.starts_with(name)).take_while(|line| !line.is_empty());
    let fen = block.next().and_then(|line| line.strip_prefix(name)).expect("the position is in the file");
    (fen.trim(), block.map(counts).collect())
}

fn counts(line: &str) -> PerftCounts {
    let mut numbers = line.split(' ').skip(1).map(|number| number.parse().expect("a count"));
    let mut next = || numbers.next().unwrap_or_else(|| panic!("ten numbers in \"{line}\""));
    PerftCounts {
        nodes: next(),
        captures: next(),
        en_passant: next(),
        castles: next(),
        promotions: next(),
        checks: next(),
        discovered_checks: next(),
        double_checks: next(),
        mates: next(),
    }
}

/// The initial position; castling and pins; promotions; en passant along a pinned rank; a hunted king; en passant out
/// of check.
const NAMES: [&str; 6] = ["S1", "S2", "S3", "S4", "S5", "S6"];

fn agrees_with_the_file(name: &str, most_nodes: u64) {
    let (fen, expected) = smirf(name);
    let position = Position::from_fen(fen).expect("the file's positions are legal");
    assert!(!expected.is_empty());
    for (depth, expected) in (1..).zip(expected).filter(|(_, expected)| expected.nodes <= most_nodes) {
        assert_eq!(perft(&position, depth), expected.nodes, "{name} to depth {depth}");
        assert_eq!(decomposition(&position, depth), expected, "{name} to depth {depth}");
    }
}

fn all_agree_with_the_file(most_nodes: u64) {
    thread::scope(|scope| {
        for name in NAMES {
            scope.spawn(move || agrees_with_the_file(name, most_nodes));
        }
    });
}

#[test]
fn the_smirf_positions_are_counted() {
    all_agree_with_the_file(5_000_000);
}

#[test]
#[ignore = "takes ten times as long; .ci/nightly runs it"]
fn the_smirf_positions_are_counted_to_full_depth() {
    all_agree_with_the_file(u64::MAX);
}

#[test]
fn the_parts_of_divide_add_up_to_perft() {
    for name in ["S2", "S4", "S6"] {
        let position = Position::from_fen(smirf(name).0).expect("a legal position");
        for depth in 1..=3 {
            let parts: Vec<_> = divide(&position, depth).collect();
            assert_eq!(parts.len() as u64, perft(&position, 1));
            assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, depth));
        }
        assert!(divide(&position, 0).next().is_none());
        assert_eq!((perft(&position, 0), decomposition(&position, 0).nodes), (1, 1));
    }
}
