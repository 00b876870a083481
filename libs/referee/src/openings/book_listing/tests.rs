use super::*;
use crate::openings::{book_as_epd, book_as_pgn};

fn read(text: &str, format: BookFormat) -> BookListing {
    BookListing::read("b", text.as_bytes(), format, &BookOptions::default()).unwrap()
}

fn faults(listing: &BookListing) -> Vec<String> {
    listing.faults.iter().map(ToString::to_string).collect()
}

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

#[test]
fn every_line_of_epd_is_an_opening_or_a_fault() {
    let text = format!(
        "# a book\n{AFTER_E4_E5} ce -7; c0 \"e4 e5\"; id \"open\"; acd 20;\n8/8 w - -\n\
         4k3/8/8/8/8/8/8/8 w - -\n{AFTER_E4_E5} c0 \"e4 e4\";\n{AFTER_E4_E5} c0 \"e4 e6\";\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - c0 \"by a reader\"; ce 12;\n"
    );
    let listing = read(&text, BookFormat::Epd);
    let [first, second] = listing.openings.as_slice() else { panic!("{:?}", listing.openings) };
    assert_eq!((first.line, first.eval, first.name.as_deref()), (2, Some(-7), Some("open")));
    assert_eq!((first.moves.join(" "), first.start_fen.as_deref()), ("e4 e5".to_owned(), None));
    assert_eq!(first.operations.iter().map(|it| it.opcode.as_str()).collect::<Vec<_>>(), ["acd"]);
    // The eval in a line is for the side to move, the eval in a listing for White.
    assert_eq!((second.line, second.eval, second.moves.len()), (7, Some(-12), 0));
    let faults = faults(&listing);
    for (fault, words) in faults.iter().zip([
        "b:3: column 1: expected a board",
        "b:4: FEN",
        "b:5: operation c0: move \"e4\" is not legal",
        "b:6: operation c0: expected moves that lead to the position of the line, but they lead to rnbqkbnr/pppp1ppp",
    ]) {
        assert!(fault.starts_with(words), "{fault}");
    }
    assert_eq!(faults.len(), 4);
}

#[test]
fn an_illegal_move_spoils_its_game_and_no_other() {
    let text = "1. e4 e5 *\n[Event \"two\"]\n\n1. e4 e6 2. e4 d5 3. Nc3 *\n[Event \"three\"]\n\n1. d4 Nf6 2. Ke3\n\
                [Event \"four\"]\n[Evaluation \"-31\"]\n\n1. c4 1-0\n";
    let listing = read(text, BookFormat::Pgn);
    let moves: Vec<_> = listing.openings.iter().map(|opening| opening.moves.join(" ")).collect();
    assert_eq!(moves, ["e4 e5", "c4"]);
    assert_eq!(listing.openings[1].eval, Some(-31));
    let faults = faults(&listing);
    assert!(faults[0].starts_with("b:4: game 2: move \"e4\" is not legal"), "{faults:?}");
    assert!(faults[1].starts_with("b:7: game 3: move \"Ke3\" is not legal"), "{faults:?}");
    assert_eq!(faults.len(), 2);
}

#[test]
fn what_was_written_is_read_back() {
    let text = format!(
        "{AFTER_E4_E5} ce -7; c0 \"e4 e5\"; id \"open\";\n\
         r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3 ce -20;\n"
    );
    let openings = read(&text, BookFormat::Epd).openings;
    let header = ["how it was made".to_owned(), String::new(), "[no tag]".to_owned()];
    let told = |listing: BookListing| {
        assert!(listing.faults.is_empty(), "{:?}", listing.faults);
        let what = |it: &ListedOpening| (it.fen.clone(), it.moves.clone(), it.eval, it.name.clone());
        listing.openings.iter().map(what).collect::<Vec<_>>()
    };
    let expected = told(read(&text, BookFormat::Epd));
    assert_eq!(told(read(&book_as_epd(&header, &openings), BookFormat::Epd)), expected);
    let pgn = book_as_pgn(&header, &openings).unwrap();
    assert_eq!(told(read(&pgn, BookFormat::Pgn)), expected);
}

#[test]
fn an_eval_without_an_opposite_counts_as_the_next_one() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - ce -2147483648;\n";
    assert_eq!(read(text, BookFormat::Epd).openings[0].eval, Some(i32::MAX));
    let text = "[Evaluation \"-2147483648\"]\n\n1. e4 *\n";
    assert_eq!(read(text, BookFormat::Pgn).openings[0].eval, Some(-i32::MAX));
}
