use std::fs;

use super::*;

fn epd(text: &str) -> Result<Book, String> {
    Book::read("b.epd", text.as_bytes(), BookFormat::Epd, &BookOptions::default())
        .map_err(|error| error.to_string())
}

fn pgn(text: &str, max_plies: Option<usize>) -> Result<Book, String> {
    let options = BookOptions { max_plies, ..BookOptions::default() };
    Book::read("b.pgn", text.as_bytes(), BookFormat::Pgn, &options).map_err(|error| error.to_string())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn epd_and_fen_lines_are_openings_and_doubles_are_counted() {
    let text = format!(
        "# a book\n{START}\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 7 30\n"
    );
    let book = epd(&text).unwrap();
    assert_eq!(book.report(), BookReport { openings: 3, duplicates: 1, lines_with_zeros: 0 });
    assert_eq!(book.opening(0).start_fen, None);
    assert_eq!((book.opening(1).name.as_deref(), book.opening(1).line), (Some("pawn"), 3));
    assert_eq!(book.opening(2).start_fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"));
}

#[test]
fn what_cannot_be_played_is_left_out_named_and_counted() {
    let chess960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq -\n";
    let bad = "8/8 w - -\n".repeat(4) + chess960;
    let book = epd(&format!("{START}\n{bad}{START}\n")).unwrap();
    assert_eq!((book.report().openings, book.skipped.count, book.skipped.first.len()), (2, 5, 3));
    assert!(book.skipped.first[2].starts_with("b.epd:4: column 1"), "{:?}", book.skipped);
    // If most lines are legal only in Chess960, the whole book is refused.
    let message = epd(&format!("{START}\n{chess960}{chess960}")).unwrap_err();
    assert!(message.contains("a legal position of Chess960: use --variant chess960"), "{message}");
    let book = pgn("1. e4 *\n\n1. e5 *\n\n1. d4 ± d5 *", None).unwrap();
    assert_eq!((book.report().openings, book.skipped.count), (2, 1));
}

#[test]
fn the_main_line_of_every_game_is_an_opening() {
    let text = r#"% an escaped line
[Event "a (strange) {tag} \"quoted\""]
[Opening "Ruy Lopez"]

1. e4 {best by test (Fischer)} e5 (1... c5 2. Nf3 (2. c3 {sic}) d6) 2.Nf3! $1 Nc6 ; the usual
3. Bb5 a6 *

[ECO "C20"]

1.e4 e5 0-1
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
[SetUp "1"]

1. 0-0 1/2-1/2
"#;
    let book = pgn(text, None).unwrap();
    let found: Vec<_> =
        book.openings().map(|o| (o.line, o.name.unwrap_or_default(), o.moves.join(" "))).collect();
    assert_eq!(
        found,
        [
            (2, "Ruy Lopez".to_owned(), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6".to_owned()),
            (8, "C20".to_owned(), "e2e4 e7e5".to_owned()),
            (11, String::new(), "e1g1".to_owned()),
        ]
    );
    let cut = pgn(text, Some(2)).unwrap();
    assert_eq!(cut.opening(0).moves, ["e2e4", "e7e5"]);
    assert_eq!(cut.report().duplicates, 1);
}

#[test]
fn a_bad_pgn_book_names_line_and_game() {
    let message = |text: &str| pgn(text, None).unwrap_err();
    assert!(message("1. e4 e5\n2. Ke3 *").starts_with("b.pgn:2: game 1: move \"Ke3\" is not legal"));
    assert!(message("1. e4 e5 2. Nf9 Nf6 *").contains("move \"Nf6\" is not legal"));
    assert!(message("-- e5").contains("expected at least one move"));
    assert!(message("hello").contains("expected at least one opening"));
    assert!(message("1. e4 {never").contains("expected a '}' that closes the comment"));
    assert!(message("[White \"x\"]\n\n*").contains("expected at least one move or a tag FEN"));
    assert!(message("[FEN \"8/8 w\"]\n1. e4").contains("tag FEN: FEN"));
    assert!(message("[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n*").starts_with("b.pgn:1: game 1: tag FEN: FEN"));
    assert!(message("1. f3 e5 2. g4 Qh4# 0-1").ends_with("the game is over: Black mates"));
}

#[test]
fn the_extension_decides_unless_a_format_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.txt");
    fs::write(&path, b"1. e4 {by Andr\xe9} *").unwrap();
    let options = BookOptions::default();
    assert_eq!(Book::load(&path, Some(BookFormat::Pgn), &options).unwrap().report().openings, 1);
    let message = Book::load(&path, None, &options).unwrap_err().to_string();
    assert!(
        message.ends_with(
            "lines.txt: expected a book that ends in .epd, .fen, .pgn or .bin, and perhaps .gz, .zst, .bz2, .tar or .zip"
        ),
        "{message}"
    );
    let message = Book::load(&folder.path().join("none.epd"), None, &options).unwrap_err().to_string();
    assert!(message.contains("none.epd: "), "{message}");
}

#[test]
fn a_compressed_book_is_unpacked_first() {
    let folder = tempfile::tempdir().unwrap();
    let packed =
        ruzstd::encoding::compress_to_vec(START.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let load = |file: &str, bytes: &[u8]| {
        let path = folder.path().join(file);
        fs::write(&path, bytes).unwrap();
        Book::load(&path, None, &BookOptions::default()).map_err(|error| error.to_string())
    };
    assert_eq!(load("b.epd.zst", &packed).unwrap().report().openings, 1);
    let message = load("b.epd.gz", &packed).unwrap_err();
    assert!(message.contains("b.epd.gz: expected gzip data, but "), "{message}");
    assert!(load("b.zst", &packed).unwrap_err().contains("b.zst: expected a book that ends in .epd"));
}
