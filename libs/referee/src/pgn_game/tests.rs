use proptest::prelude::*;

use super::*;
use crate::Variant;
use crate::tests::random_game;
use crate::{GameEnd, PgnGames, ReadGame};

fn read_all(text: &str) -> Vec<ReadGame> {
    PgnGames::new("x", text.as_bytes()).with_comments().map(Result::unwrap).collect()
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
    // X-FEN: a file letter is used only if `K` or `Q` would mean a rook farther out.
    assert_eq!(game.tag("FEN"), Some("1r1k1r2/8/8/8/8/8/8/RR1K4 w Bkq - 0 1"));
    assert!(PgnGame::starting_like(&Referee::new(Variant::Chess960)).tag("FEN").is_some());
}

#[test]
fn a_tag_that_is_too_long_for_readers_is_cut() {
    let mut game = PgnGame::starting_like(&Referee::new(Variant::Standard));
    game.set_tag("Event", &"\"é".repeat(500));
    let found = read_all(&game.to_string());
    assert!(found[0].tag("Event").unwrap().ends_with("\"é…"));
    assert_eq!(found.len(), 1);
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
    assert_eq!(read_all(&game.to_string())[0].written_moves(), 3);
}

proptest! {
    #[test]
    fn what_was_written_is_read_back_and_no_line_is_too_long(
        games in prop::collection::vec(
            prop::collection::vec((0_usize..1000, prop::option::of("[^{}\\p{C}]{0,30}")), 0..150), 1..4
        ),
        event in "[^\\p{C}]{0,30}"
    ) {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for choices in games {
            let (choices, comments): (Vec<_>, Vec<_>) = choices.into_iter().unzip();
            let (played, last) = random_game(Variant::Standard, &choices);
            let mut game = PgnGame::starting_like(&Referee::new(Variant::Standard));
            game.set_tag("Event", &event);
            for ((mut referee, uci), comment) in played.iter().cloned().zip(&comments) {
                game.push(referee.play(&uci).unwrap().san(), comment.as_deref());
            }
            let result = last.outcome().map(GameEnd::result);
            game.set_result(result);
            text += &game.to_string();
            let words = |comment: &Option<String>| words_of(comment.as_deref().unwrap_or_default());
            let moves: Vec<String> = played.into_iter().map(|(_, uci)| uci).collect();
            expected.push((comments[..moves.len()].iter().map(words).collect::<Vec<_>>(), moves, result));
        }
        for row in text.lines().filter(|row| !row.starts_with('[')) {
            prop_assert!(row.chars().count() < 80 || row.contains('%') || !row.contains(' '), "{}", row);
        }
        let event = Some(event).filter(|event| !matches!(&**event, "" | "?" | "-"));
        let mut found = Vec::new();
        for mut game in read_all(&text) {
            let found_event = game.tag("Event");
            prop_assert_eq!(found_event.as_deref(), event.as_deref());
            let moves = game.uci_moves(Variant::Standard, usize::MAX).unwrap();
            game.comments.resize(moves.len(), String::new());
            found.push((game.comments.iter().map(|text| words_of(text)).collect(), moves, game.result()));
        }
        prop_assert_eq!(found, expected);
    }
}

fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
