//! Texts and files of chess: positions, moves, games, books and suites.

use std::borrow::Cow;
use std::ops::ControlFlow;

use arbiter::measure::perft::PerftSuite;
use arbiter::measure::tactics::TacticsSuite;
use chess::Position;
use referee::druelle::{SavedGame, french};
use referee::openings::{Book, BookFormat, BookListing, BookOptions, RecordedGame};
use referee::san::{line_to_san, san_to_uci};
use referee::{Epd, EpdFile, PgnGames, Referee, Side, Variant};
use tarrasch::OwnBook;

use super::scratch_file;

/// A FEN, read by the referee and by our own core, which share no code.
///
/// Both may refuse a position; where both take it, they know the same moves, and each reads what it wrote.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let judged = Referee::from_fen(&text, Variant::Chess960);
    let ours = Position::from_fen(&text);
    if let Ok(referee) = &judged {
        let written = referee.fen();
        let again = Referee::from_fen(&written, Variant::Chess960).expect("the referee reads its own FEN");
        assert_eq!(again.fen(), written);
        assert_eq!(again.outcome(), referee.outcome());
    }
    if let Ok(position) = &ours {
        let written = position.fen();
        let again = Position::from_fen(&written).expect("the core reads its own FEN");
        assert_eq!(again.fen(), written);
    }
    if let (Ok(referee), Ok(position)) = (judged, ours) {
        assert_eq!(moves_of(&position), sorted(referee.legal_moves()), "{}", referee.fen());
        assert_eq!(position.is_insufficient_material(), insufficient(&referee), "{}", referee.fen());
    }
}

fn insufficient(referee: &Referee) -> bool {
    // Checkmate and stalemate go before.
    matches!(referee.outcome(), Some(referee::GameEnd::InsufficientMaterial))
}

fn moves_of(position: &Position) -> Vec<String> {
    sorted(position.move_list().iter().map(|m| m.to_uci(true)).collect())
}

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}

/// A move in algebraic notation, English and French, in a position after random moves.
///
/// The first bytes choose moves, up to a zero; the rest is the text. What is read as a move is legal, and written in
/// algebraic notation it is the same move again.
pub fn san(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (choices, text) = bytes.split_at(end);
    let variant =
        if choices.first().is_some_and(|byte| byte & 1 == 1) { Variant::Chess960 } else { Variant::Standard };
    let mut referee = Referee::new(variant);
    for choice in choices.iter().take(120) {
        let mut moves = referee.legal_moves();
        moves.sort_unstable();
        let Some(chosen) = moves.get(usize::from(*choice) % moves.len().max(1)) else { break };
        referee.play(chosen).expect("a legal move");
    }
    let text = String::from_utf8_lossy(text.strip_prefix(&[0]).unwrap_or(text));
    let legal = referee.legal_moves();
    if let Ok(uci) = san_to_uci(&referee, &text) {
        assert!(legal.contains(&uci), "{text:?} is not {uci}");
        let san = line_to_san(&referee, &[&uci]).expect("a legal line");
        assert_eq!(san_to_uci(&referee, &san[0]).as_ref(), Ok(&uci), "{san:?}");
    }
    if let Ok(uci) = french::french_to_uci(&referee, &text) {
        assert!(legal.contains(&uci), "{text:?} is not {uci}");
    }
    if let Ok(played) = referee.clone().play(&text) {
        let _ = played;
        assert!(legal.iter().any(|uci| *uci == text), "{text:?}");
    }
}

/// A file of PGN: as games, with and without the moves, which are the same ones, and as openings. The moves of every game that is read are
/// legal, and a book that is taken can be played from.
pub fn pgn(bytes: &[u8]) {
    let seen = |games: PgnGames<'_>| -> Vec<_> {
        let games = games.flatten();
        games
            .map(|game| {
                (game.line, game.result(), game.player(Side::White).map(Cow::into_owned), game.identity())
            })
            .collect()
    };
    let games = || PgnGames::new("x.pgn", bytes);
    assert_eq!(seen(games().without_moves()), seen(games()));
    let (_folder, file) = scratch_file("x.pgn", bytes);
    let _ = RecordedGame::load_each(
        &file,
        |_| true,
        |game| {
            let start = Referee::from_start(game.start_fen.as_deref(), game.variant);
            let start = start.unwrap_or_else(|_| Referee::new(game.variant));
            assert_eq!(start.check_line(&game.moves), Ok(game.moves.len()));
            ControlFlow::Continue(())
        },
    );
    for max_plies in [None, Some(0), Some(3)] {
        let options = BookOptions { max_plies, ..BookOptions::default() };
        let _ = BookListing::read("x.pgn", bytes, BookFormat::Pgn, &options);
        Book::read("x.pgn", bytes, BookFormat::Pgn, &options).iter().for_each(assert_playable);
    }
}

fn assert_playable(book: &Book) {
    for opening in book.openings() {
        assert!(opening.referee(book.variant()).is_ok());
    }
}

/// A file of EPD, as a suite and as a book.
///
/// A line is written so that it reads as the same line; a book that is taken can be played from, and one whose every
/// entry is sound is taken.
pub fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (_, epd) in EpdFile::read("x.epd", &text).flatten() {
        let written = epd.to_string();
        // The two clocks are also operations, which then may differ from the fields.
        if epd.operands("hmvc").is_none() && epd.operands("fmvn").is_none() && !written.contains("\"\"") {
            assert_eq!(Epd::parse(&written).as_ref(), Ok(&epd), "{written}");
        }
        for variant in [Variant::Standard, Variant::Chess960] {
            let _ = epd.moves("bm", variant);
            let _ = epd.moves("am", variant);
        }
    }
    let options = BookOptions::default();
    let book = Book::read("x.epd", bytes, BookFormat::Epd, &options);
    let listing = BookListing::read("x.epd", bytes, BookFormat::Epd, &options);
    book.iter().for_each(assert_playable);
    if listing.is_ok_and(|listing| listing.faults.is_empty()) {
        assert!(book.is_ok(), "{:?}", book.err());
    }
}

/// A saved game of `arbiter play`.
///
/// A game is written so that it reads as the same one.
pub fn saved_game(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(game) = SavedGame::parse("x.json", &text) {
        let again = SavedGame::parse("x.json", &game.to_json()).expect("a game reads what it wrote");
        assert_eq!(again.fen(), game.fen());
    }
}

/// A book in Polyglot's format, read by the referee and by Tarrasch.
///
/// Openings that are taken can be played.
pub fn polyglot(bytes: &[u8]) {
    for max_plies in [Some(4), Some(12)] {
        let options = BookOptions { max_plies, ..BookOptions::default() };
        let _ = BookListing::read("x.bin", bytes, BookFormat::Polyglot, &options);
        Book::read("x.bin", bytes, BookFormat::Polyglot, &options).iter().for_each(assert_playable);
    }
    let (_folder, file) = scratch_file("x.bin", bytes);
    if let Ok(book) = OwnBook::load(&file) {
        let mut position = Position::start();
        for chance in [0, 1, u64::MAX] {
            let Some(chosen) = book.choose(&position, chance) else { break };
            position = position.play(chosen);
        }
    }
}

/// A compressed book: the first byte says whether with gzip or Zstandard.
///
/// It is a book or an error.
pub fn packed_book(bytes: &[u8]) {
    let Some((kind, packed)) = bytes.split_first() else { return };
    let name = ["x.epd.gz", "x.epd.zst", "x.pgn.gz", "x.pgn.zst", "x.pgn.bz2", "x.tar", "x.zip"]
        [usize::from(kind % 7)];
    let (_folder, file) = scratch_file(name, packed);
    let options = BookOptions::default();
    let _ = BookListing::load(&file, &options);
    Book::load(&file, None, &options).iter().for_each(assert_playable);
}

/// A suite for perft or tactics.
///
/// It is a suite or an error.
pub fn suites(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(suite) = PerftSuite::parse("x.epd", &text) {
        for position in suite.positions {
            let _ = position.within(3, 1000);
        }
    }
    if let Ok(suite) = TacticsSuite::parse("x.epd", &text) {
        for position in suite.positions {
            let _ = (position.max_points(), position.points_for("e2e4"));
        }
    }
}
