use proptest::prelude::*;

use shakmaty::variant::Variant as Rules;

use super::*;

fn after(fen: &str, moves: &str) -> Referee {
    let mut referee = Referee::from_fen(fen, Variant::Standard).unwrap();
    for text in moves.split_whitespace() {
        referee.play(text).unwrap();
    }
    referee
}

pub(super) fn after_from_start(moves: &str) -> Referee {
    after(&Referee::new(Variant::Standard).start_fen(), moves)
}

#[test]
fn a_game_ends_where_the_rules_end_it() {
    use GameEnd::{Checkmate, FiftyMoves, InsufficientMaterial, Stalemate, ThreefoldRepetition};
    let start = Referee::new(Variant::Standard).start_fen();
    let start = start.as_str();
    let knights = |times: usize| ["g1f3 g8f6 f3g1 f6g8"].repeat(times).join(" ");
    let pawn_and_knights = || format!("e2e4{}", " g8f6 g1f3 f6g8 f3g1".repeat(2));
    let rook_and_king = |times: usize| ["h1g1 e8d8 g1h1 d8e8"].repeat(times).join(" ");
    let can_take = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let can_castle = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let late = "4k3/8/8/8/8/8/4P3/4K2R w - - 98 80";
    for (what, fen, moves, end) in [
        ("mate by Black", start, "f2f3 e7e5 g2g4 d8h4".to_owned(), Some(Checkmate { winner: Side::Black })),
        ("no move", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7".to_owned(), Some(Stalemate)),
        ("nearly the third occurrence", start, knights(2).trim_end_matches(" f6g8").to_owned(), None),
        ("the third occurrence, the first position counted", start, knights(2), Some(ThreefoldRepetition)),
        ("no pawn can take on e3", start, pawn_and_knights(), Some(ThreefoldRepetition)),
        ("the first time a pawn can take on e3", can_take, pawn_and_knights(), None),
        ("nothing to take", can_take, knights(2), Some(ThreefoldRepetition)),
        ("castling only the first time", can_castle, rook_and_king(2), None),
        ("no castling three times", can_castle, rook_and_king(3), Some(ThreefoldRepetition)),
        ("half-move 99", late, "h1h2".to_owned(), None),
        ("half-move 100, with those of the FEN", late, "h1h2 e8d8".to_owned(), Some(FiftyMoves)),
        (
            "mate in half-move 100",
            "4k3/R7/8/8/8/8/4P3/4K2R w - - 99 80",
            "h1h8".to_owned(),
            Some(Checkmate { winner: Side::White }),
        ),
        ("two kings", "4k3/8/8/8/8/8/8/4K3 w - -", String::new(), Some(InsufficientMaterial)),
        ("a knight", "4k3/8/8/8/8/8/8/4KN2 w - -", String::new(), Some(InsufficientMaterial)),
        ("bishops of a colour", "2b1k3/8/8/8/8/8/8/4KB2 w - -", String::new(), Some(InsufficientMaterial)),
        ("two knights", "4k3/8/8/8/8/8/8/3NKN2 w - -", String::new(), None),
        ("a knight each", "4kn2/8/8/8/8/8/8/4KN2 w - -", String::new(), None),
        ("bishops of two colours", "4kb2/8/8/8/8/8/8/4KB2 w - -", String::new(), None),
    ] {
        assert_eq!(after(fen, &moves).outcome(), end, "{what}");
    }
}

#[test]
fn a_move_that_is_refused_leaves_the_game_as_it_was_and_a_promotion_names_its_piece() {
    let mut referee = after_from_start("e2e4");
    let before = referee.fen();
    let illegal = referee.play("e2e4").unwrap_err();
    assert_eq!((illegal.reason, illegal.text.as_str()), (IllegalReason::Illegal, "e2e4"));
    assert_eq!(illegal.fen, before);
    for text in ["", "e4", "E7E5", "e7e9", "e7e5 ", "e7-e5", "♞f6", "e7e8k5"] {
        assert_eq!(referee.play(text).unwrap_err().reason, IllegalReason::Unparsable, "{text:?}");
    }
    for text in ["0000", "e7e5q", "N@f6", "e7e4"] {
        assert_eq!(referee.play(text).unwrap_err().reason, IllegalReason::Illegal, "{text:?}");
    }
    assert_eq!((referee.fen(), referee.ply()), (before, 1));
    let mut referee = after("7k/P7/8/8/8/8/8/K7 w - - 0 1", "");
    assert_eq!(referee.play("a7a8").unwrap_err().reason, IllegalReason::Illegal);
    assert_eq!(referee.play("a7a8q").unwrap().san(), "a8=Q+");
}

#[test]
fn each_variant_has_one_notation_for_castling_and_a_king_step_in_chess960_is_none() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (variant, good, bad) in [(Variant::Standard, "e1g1", "e1h1"), (Variant::Chess960, "e1h1", "e1g1")] {
        let mut referee = Referee::from_fen(fen, variant).unwrap();
        assert_eq!(referee.play(bad).unwrap_err().reason, IllegalReason::OtherCastling, "{variant} {bad}");
        assert_eq!(referee.read_as_cutechess(bad).as_deref(), Some(good));
        let castled = referee.play(good).unwrap();
        assert_eq!((castled.san(), castled.uci()), ("O-O", good));
    }
    let mut referee = Referee::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1", Variant::Chess960).unwrap();
    assert_eq!(referee.clone().play("f1h1").unwrap().san(), "O-O");
    assert_eq!(referee.play("f1g1").unwrap().san(), "Kg1");
}

#[test]
fn what_cutechess_takes_for_a_move_is_read_as_it_reads_it() {
    let far = Referee::from_fen("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", Variant::Chess960).unwrap();
    for (text, uci) in [
        ("O-O", "b1g1"),
        ("O-O-O", ""),
        ("0-0", ""),
        ("Rg8+", "g1g8"),
        ("Rxg8", ""),
        ("b1xc1", "b1c1"),
        ("b1b3", ""),
    ] {
        assert_eq!(far.read_as_cutechess(text).unwrap_or_default(), uci, "{text}");
    }
}

#[test]
fn a_fen_error_names_the_field_and_what_belongs_there() {
    let message = |fen: &str| Referee::from_fen(fen, Variant::Standard).unwrap_err().to_string();
    assert!(message("8/8/8 w - - 0 1").contains("field 1 (board): expected eight ranks"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 x - - 0 1").contains("field 2 (side to move): expected 'w' or 'b'"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 w xx - 0 1").contains("field 3 (castling rights)"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 w - e9 0 1").contains("field 4 (en passant)"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 w - - x 1").contains("field 5 (half-move clock)"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 w - - 0 x").contains("field 6 (move number)"));
    assert!(message("4k3/8/8/8/8/8/8/4K3 w").contains("expected 4 to 6 fields"));
    assert!(message("4k3/8/8/8/8/8/8/8 w KQ - 0 1").contains("missing king"));
    assert!(message("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").contains("castling rights"));
    assert!(message("4k3/8/8/8/8/8/8/4K2R[Q] w K - 0 1").contains("field 1"));
}

#[test]
fn the_fens_of_a_game_are_those_of_its_first_and_its_present_position() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 17";
    let referee = after(fen, "e1g1");
    assert_eq!(referee.start_fen(), fen);
    assert_eq!(referee.fen(), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 17");
    assert_eq!((referee.turn(), referee.ply(), referee.halfmove_clock()), (Side::Black, 1, 4));
}

/// A game that plays these choices among the legal moves: each position with the move that is played there, and the last.
pub(super) fn random_game(variant: Variant, choices: &[usize]) -> (Vec<(Referee, String)>, Referee) {
    let (mut game, mut referee) = (Vec::new(), Referee::new(variant));
    for choice in choices {
        let mut moves = referee.legal_moves();
        if moves.is_empty() {
            break;
        }
        let uci = moves.swap_remove(choice % moves.len());
        game.push((referee.clone(), uci));
        referee.play(&game[game.len() - 1].1).unwrap();
    }
    (game, referee)
}

proptest! {
    #[test]
    fn a_random_game_ends_where_shakmaty_and_plain_counting_say(
        choices in prop::collection::vec(0_usize..1000, 0..400), chess960: bool
    ) {
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        let mut board = shakmaty::Chess::new();
        let mut seen = vec![board.clone()];
        for (mut referee, text) in random_game(variant, &choices).0 {
            referee.play(&text).unwrap();
            let chosen = text.parse::<UciMove>().unwrap().to_move(&board).unwrap();
            board.play_unchecked(chosen);
            seen.push(board.clone());
            let occurrences = seen.iter().filter(|earlier| **earlier == board).count();
            match referee.outcome() {
                Some(GameEnd::Checkmate { winner }) => {
                    prop_assert!(board.is_checkmate());
                    prop_assert_eq!(board.outcome().winner().map(Side::from), Some(winner));
                }
                Some(GameEnd::Stalemate) => prop_assert!(board.is_stalemate()),
                Some(GameEnd::InsufficientMaterial) => prop_assert!(board.is_insufficient_material()),
                Some(GameEnd::ThreefoldRepetition) => prop_assert!(occurrences >= 3),
                Some(GameEnd::FiftyMoves) => prop_assert!(board.halfmoves() >= 100),
                Some(GameEnd::ByVariant { .. }) => prop_assert!(false, "chess has none"),
                None => prop_assert!(!board.is_game_over() && occurrences < 3 && board.halfmoves() < 100),
            }
            prop_assert_eq!(referee.is_check(), board.is_check());
        }
    }
}

#[test]
fn any_position_that_shakmaty_plays_can_be_refereed_with_the_ends_of_its_variant() {
    let play = |rules, moves: &[&str]| {
        let mut referee = Referee::from_position(VariantPosition::new(rules), Variant::Standard);
        let played: Vec<String> =
            moves.iter().map(|uci| referee.play(uci).unwrap().san().to_owned()).collect();
        (referee.outcome(), played.last().unwrap().clone(), referee.fen())
    };
    let hill = ["e2e4", "e7e5", "e1e2", "a7a6", "e2d3", "a6a5", "d3c4", "a5a4", "c4d5"];
    let (end, ..) = play(Rules::KingOfTheHill, &hill);
    assert_eq!(end, Some(GameEnd::ByVariant { winner: Some(Side::White) }));
    let (end, dropped, fen) = play(Rules::Crazyhouse, &["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"]);
    assert_eq!((end, dropped.as_str()), (None, "@e4"));
    assert_eq!(fen, "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3");
    assert_eq!(play(Rules::Chess, &hill).0, None);
}
