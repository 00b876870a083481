use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::PolyglotEntry;
use crate::openings::{Book, BookFormat, BookOptions, OpeningOrder, OpeningSequence};
use crate::tests::after_from_start;
use crate::{Referee, Variant};

/// The bytes of a book with these entries: the moves before, the move, the weight.
fn bytes(entries: &[(&str, &str, u16)]) -> Vec<u8> {
    let entry = |&(line, uci, weight): &(&str, &str, u16)| {
        let referee = after_from_start(line);
        // A move that is illegal in its position gets its number from the start position.
        let number = referee.polyglot_number(uci).or(Referee::new(Variant::Standard).polyglot_number(uci));
        PolyglotEntry { key: referee.polyglot_key(), number: number.unwrap(), weight }
    };
    let mut all: Vec<PolyglotEntry> = entries.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.key);
    all.into_iter().flat_map(PolyglotEntry::bytes).collect()
}

fn load(bytes: &[u8], max_plies: Option<usize>, order: OpeningOrder) -> Result<Book, String> {
    let options = BookOptions { max_plies, order, ..BookOptions::default() };
    Book::read("b.bin", bytes, BookFormat::Polyglot, &options).map_err(|error| error.to_string())
}

fn lines(book: &Book) -> Vec<String> {
    book.openings().map(|opening| opening.moves.join(" ")).collect()
}

const IN_ORDER: OpeningOrder = OpeningOrder::Sequential { start: 0 };

/// Two first moves with two replies each.
const SMALL: [(&str, &str, u16); 7] = [
    ("", "e2e4", 3),
    ("", "d2d4", 1),
    ("", "a2a4", 0),
    ("e2e4", "c7c5", 1),
    ("e2e4", "e7e5", 2),
    ("d2d4", "d7d5", 5),
    ("d2d4", "g8f6", 4),
];

#[test]
fn in_order_the_heaviest_moves_come_first_and_weight_zero_never() {
    let book = load(&bytes(&SMALL), None, IN_ORDER).unwrap();
    assert_eq!(lines(&book), ["e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5", "d2d4 g8f6"]);
    let cut = load(&bytes(&SMALL), Some(1), IN_ORDER).unwrap();
    assert_eq!(lines(&cut), ["e2e4", "d2d4"]);
}

#[test]
fn every_line_comes_once_and_the_seed_decides_when() {
    let all: BTreeSet<String> = lines(&load(&bytes(&SMALL), None, IN_ORDER).unwrap()).into_iter().collect();
    let mut orders = BTreeSet::new();
    for seed in 0..20 {
        let drawn = lines(&load(&bytes(&SMALL), None, OpeningOrder::Random { seed }).unwrap());
        assert_eq!(drawn, lines(&load(&bytes(&SMALL), None, OpeningOrder::Random { seed }).unwrap()));
        assert_eq!(drawn.len(), all.len());
        assert_eq!(drawn.iter().cloned().collect::<BTreeSet<_>>(), all);
        orders.insert(drawn);
    }
    assert!(orders.len() > 5, "{orders:?}");
}

#[test]
fn a_match_keeps_the_order_of_the_draw() {
    let order = OpeningOrder::Random { seed: 4 };
    let book = load(&bytes(&SMALL), None, order).unwrap();
    let drawn = lines(&book);
    let mut sequence = OpeningSequence::new(book, order);
    let played: Vec<String> = (0..8).map(|pair| sequence.opening(pair).moves.join(" ")).collect();
    assert_eq!(played, [drawn.clone(), drawn].concat());
}

#[test]
fn first_moves_are_drawn_in_proportion_to_their_weights() {
    let book = bytes(&SMALL);
    let firsts = (0..2000).map(|seed| {
        let order = OpeningOrder::Random { seed };
        load(&book, Some(1), order).unwrap().opening(0).moves[0].clone()
    });
    let mut counts: HashMap<String, u32> = HashMap::new();
    firsts.for_each(|first| *counts.entry(first).or_default() += 1);
    // Expected: 1500, with a standard deviation of 19.
    assert!((1400..1600).contains(&counts["e2e4"]), "{counts:?}");
}

#[test]
fn a_line_ends_before_a_repetition_and_before_the_end_of_the_game() {
    let circle =
        [("", "g1f3", 1), ("g1f3", "g8f6", 1), ("g1f3 g8f6", "f3g1", 1), ("g1f3 g8f6 f3g1", "f6g8", 1)];
    assert_eq!(lines(&load(&bytes(&circle), None, IN_ORDER).unwrap()), ["g1f3 g8f6 f3g1"]);
    let mate =
        [("", "f2f3", 1), ("f2f3", "e7e5", 1), ("f2f3 e7e5", "g2g4", 1), ("f2f3 e7e5 g2g4", "d8h4", 1)];
    assert_eq!(lines(&load(&bytes(&mate), None, IN_ORDER).unwrap()), ["f2f3 e7e5 g2g4"]);
}

#[test]
fn of_lines_that_meet_at_the_end_the_first_is_kept() {
    let meeting = [
        ("", "e2e4", 1),
        ("", "d2d4", 1),
        ("e2e4", "e7e6", 1),
        ("d2d4", "e7e6", 1),
        ("e2e4 e7e6", "d2d4", 1),
        ("d2d4 e7e6", "e2e4", 1),
    ];
    let whole = load(&bytes(&meeting), None, IN_ORDER).unwrap();
    assert_eq!((whole.report().openings, whole.report().duplicates), (1, 0));
    let apart = load(&bytes(&meeting), Some(2), IN_ORDER).unwrap();
    assert_eq!(apart.report().openings, 2);
}

#[test]
fn a_bad_book_names_the_entry() {
    let message = |bytes: &[u8]| load(bytes, None, IN_ORDER).unwrap_err();
    let good = bytes(&SMALL);
    assert!(load(&[good.as_slice(), b"\n"].concat(), None, IN_ORDER).is_ok());
    assert_eq!(message(&good[..23]), "b.bin: entry 2: expected 16 bytes, found 7");
    let mut turned = good.clone();
    turned.rotate_left(16);
    assert!(message(&turned).starts_with("b.bin: entry 7: expected a key of at least"));
    let illegal = message(&bytes(&[("", "e2e4", 1), ("e2e4", "e2e4", 1)]));
    assert!(illegal.starts_with("b.bin: entry 2: ") && illegal.contains("e2e4"), "{illegal}");
    assert_eq!(message(&[]), "b.bin: expected at least one opening, found none");
    assert!(message(&bytes(&[("e2e4", "e7e5", 1)])).contains("expected at least one opening"));
}

/// The entries of games whose moves are picked from the legal moves by these indices, with their weights.
fn random_entries(games: &[Vec<(usize, u16)>]) -> Vec<(String, String, u16)> {
    let mut entries = BTreeSet::new();
    for choices in games {
        let mut referee = Referee::new(Variant::Standard);
        let mut line = Vec::new();
        for (choice, weight) in choices {
            let mut moves = referee.legal_moves();
            moves.sort();
            // Few different moves, so that games diverge and meet again; castling is not among them.
            let uci = moves[choice % moves.len().min(3)].clone();
            entries.insert((line.join(" "), uci.clone(), *weight));
            referee.play(&uci).unwrap();
            line.push(uci);
        }
    }
    entries.into_iter().collect()
}

proptest! {
    #[test]
    fn either_order_reaches_the_same_positions_once_each(
        games in prop::collection::vec(prop::collection::vec((0_usize..1000, 0_u16..4), 1..8), 1..6), seed: u64
    ) {
        let entries = random_entries(&games);
        let entries: Vec<_> = entries.iter().map(|(line, uci, weight)| (&**line, &**uci, *weight)).collect();
        let reached = |order| {
            let book = load(&bytes(&entries), Some(6), order).ok()?;
            let ends = book.openings().map(|line| line.referee(Variant::Standard).unwrap().position_key());
            let distinct: BTreeSet<u64> = ends.collect();
            assert_eq!(distinct.len(), book.report().openings);
            Some(distinct)
        };
        prop_assert_eq!(reached(IN_ORDER), reached(OpeningOrder::Random { seed }));
    }
}
