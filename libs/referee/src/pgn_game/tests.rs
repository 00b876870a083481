use std::{io::Cursor, ops::ControlFlow};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;

use super::*;
use crate::{GameEnd, san::line_to_san};

/// What pgn-reader finds in a game: tags, moves and comments in their order, and the result.
#[derive(Debug, Default, PartialEq)]
struct Found {
    tags: Vec<(String, String)>,
    moves: Vec<(String, Option<String>)>,
    result: String,
}

struct Collector;

impl Visitor for Collector {
    type Tags = Found;
    type Movetext = Found;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found::default())
    }

    fn tag(&mut self, found: &mut Found, name: &[u8], value: RawTag<'_>) -> ControlFlow<Found> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        found.tags.push((name, unescape(value)));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, found: Found) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(found)
    }

    fn san(&mut self, found: &mut Found, san: SanPlus) -> ControlFlow<Found> {
        found.moves.push((san.to_string(), None));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, found: &mut Found, comment: RawComment<'_>) -> ControlFlow<Found> {
        let text = std::str::from_utf8(comment.as_bytes()).unwrap();
        let words: Vec<_> = text.split_whitespace().collect();
        found.moves.last_mut().unwrap().1 = Some(words.join(" "));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Found) -> ControlFlow<Found, Skip> {
        panic!("a game without variations has a variation")
    }

    fn outcome(&mut self, found: &mut Found, outcome: Outcome) -> ControlFlow<Found> {
        found.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, found: Found) -> Found {
        found
    }
}

/// The value of a tag by the letter of the standard: pgn-reader 0.29 loses one of two backslashes in a row that are
/// each escaped.
fn unescape(value: RawTag<'_>) -> String {
    let text = std::str::from_utf8(value.as_bytes()).unwrap();
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.push(if letter == '\\' { letters.next().unwrap() } else { letter });
    }
    plain
}

fn read_all(text: &str) -> Vec<Found> {
    let mut reader = Reader::new(Cursor::new(text));
    reader.read_games(&mut Collector).collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_game_is_written_in_export_format() {
    let mut game = PgnGame::starting_like(&Referee::new(Variant::Standard));
    game.set_tag("White", "Say \"hi\" \\ bye");
    game.set_tag("TimeControl", "8+0.08");
    game.push("f3", None);
    game.push("e5", Some("+0.31/12 0.05s {book}"));
    game.push("g4", Some(" \n "));
    game.push("Qh4#", Some("mate"));
    game.set_result(Some(GameResult::BlackWins));
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Say \"hi\" \\ bye"]
[Black "?"]
[Result "0-1"]
[TimeControl "8+0.08"]

1. f3 e5 {+0.31/12 0.05s (book)} 2. g4 Qh4# {mate} 0-1

"#;
    assert_eq!(game.to_string(), expected);
}

#[test]
fn move_numbers_are_right_when_black_begins_and_after_a_comment() {
    let referee = Referee::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 4 17", Variant::Standard).unwrap();
    let mut game = PgnGame::starting_like(&referee);
    game.push("Kd7", None);
    game.push("e4", Some("one"));
    game.push("Kd6", None);
    let text = game.to_string();
    assert!(text.ends_with("\n\n17... Kd7 18. e4 {one} 18... Kd6 *\n\n"), "{text}");
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 4 17\"]\n"), "{text}");
}

#[test]
fn a_game_of_chess960_says_so_and_keeps_its_castling_rights() {
    let fen = "1r1k1r2/8/8/8/8/8/8/RR1K4 w Bbf - 0 1";
    let game = PgnGame::starting_like(&Referee::from_fen(fen, Variant::Chess960).unwrap());
    assert_eq!(game.tag("Variant"), Some("Chess960"));
    // X-FEN: letters of files only where a rook further out would be meant otherwise.
    assert_eq!(game.tag("FEN"), Some("1r1k1r2/8/8/8/8/8/8/RR1K4 w Bkq - 0 1"));
    assert!(PgnGame::starting_like(&Referee::new(Variant::Chess960)).tag("FEN").is_some());
}

#[test]
fn games_one_after_the_other_are_read_as_such() {
    let mut game = PgnGame::starting_like(&Referee::new(Variant::Standard));
    let without_moves = game.to_string();
    game.push("e4", None);
    assert_eq!(read_all(&format!("{without_moves}{game}{without_moves}")).len(), 3);
}

#[test]
fn a_tag_that_is_too_long_for_readers_is_cut() {
    let mut game = PgnGame::starting_like(&Referee::new(Variant::Standard));
    game.set_tag("Event", &"\"é".repeat(500));
    let found = read_all(&game.to_string());
    assert!(found[0].tags[0].1.ends_with("\"é…"));
    assert_eq!(found[0].tags.len(), 7);
}

#[test]
fn the_greatest_numbers_that_a_fen_can_hold_do_no_harm() {
    let fen = "4k3/8/8/8/8/8/4P3/4K2R b K - 4294967295 4294967295";
    let mut referee = Referee::from_fen(fen, Variant::Standard).unwrap();
    let mut game = PgnGame::starting_like(&referee);
    for text in ["e8d8", "e1g1", "d8e8"] {
        game.push(referee.play(text).unwrap().san(), None);
    }
    assert_eq!(referee.outcome(), Some(GameEnd::FiftyMoves));
    assert_eq!(read_all(&game.to_string())[0].moves.len(), 3);
}

proptest! {
    #[test]
    fn what_was_written_is_read_back_and_no_line_is_too_long(
        choices in prop::collection::vec((0_usize..1000, prop::option::of("[^{}\\p{C}]{0,30}")), 0..150),
        event in "[^\\p{C}]{0,30}"
    ) {
        let start = Referee::new(Variant::Standard);
        let mut game = PgnGame::starting_like(&start);
        game.set_tag("Event", &event);
        let mut referee = start.clone();
        let mut line = Vec::new();
        let mut comments = Vec::new();
        for (choice, comment) in choices {
            let moves = referee.legal_moves();
            if moves.is_empty() {
                break;
            }
            let played = referee.play(&moves[choice % moves.len()]).unwrap();
            line.push(played.uci().to_owned());
            game.push(played.san(), comment.as_deref());
            let words: Vec<_> = comment.iter().flat_map(|text| text.split_whitespace()).collect();
            comments.push((!words.is_empty()).then(|| words.join(" ")));
        }
        game.set_result(referee.outcome().map(GameEnd::result));
        let text = game.to_string();
        for row in text.split("\n\n").nth(1).unwrap().lines() {
            prop_assert!(row.chars().count() < 80 || row.contains('%') || !row.contains(' '), "{}", row);
        }
        let found = read_all(&text);
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(&found[0].tags[0].1, &event);
        prop_assert_eq!(&found[0].result, game.tag("Result").unwrap());
        let expected: Vec<_> = line_to_san(&start, &line).unwrap().into_iter().zip(comments).collect();
        prop_assert_eq!(&found[0].moves, &expected);
    }
}
