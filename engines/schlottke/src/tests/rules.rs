//! The rules, beside shakmaty. The engine promotes to a queen only, so underpromotions are left out on the other side.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, Role, fen::Fen, uci::UciMove};

use crate::position::Position;
use crate::uci_moves;

/// The six SMIRF positions (`suites/perft/smirf.epd`).
pub const SMIRF: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
];

/// Depths at which a slow build is done in a moment.
const DEPTHS: [u32; 6] = [4, 3, 4, 4, 4, 4];

/// Those of them in which a pawn promotes within these depths.
const WITH_PROMOTIONS: [&str; 1] = [SMIRF[2]];

fn shakmaty_position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn is_no_underpromotion(mv: Move) -> bool {
    matches!(mv.promotion(), None | Some(Role::Queen))
}

/// The leaves of the tree of legal moves in which every pawn becomes a queen.
fn perft_with_queens(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    let moves = moves.iter().filter(|mv| is_no_underpromotion(**mv));
    if depth == 1 {
        return moves.count() as u64;
    }
    let after = |mv: &Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        perft_with_queens(&next, depth - 1)
    };
    moves.map(after).sum()
}

#[test]
fn perft_is_shakmatys_with_underpromotions_left_out() {
    for (fen, depth) in SMIRF.into_iter().zip(DEPTHS) {
        let (ours, theirs) = (Position::from_fen(fen).unwrap().perft(depth), shakmaty_position(fen));
        assert_eq!(ours, perft_with_queens(&theirs, depth), "{fen}");
        let has_underpromotions = shakmaty::perft(&theirs, depth) != ours;
        assert_eq!(has_underpromotions, WITH_PROMOTIONS.contains(&fen), "{fen}");
    }
}

#[test]
fn underpromotions_are_three_moves_in_four_that_are_missing() {
    let fen = SMIRF[2];
    assert_eq!(Position::from_fen(fen).unwrap().perft(1), 18 - 9);
    assert_eq!(shakmaty_position(fen).legal_moves().len(), 18);
}

#[test]
fn every_promotion_of_the_opponent_is_understood() {
    let start = Position::from_fen(SMIRF[2]).unwrap();
    for (text, board) in [
        ("a7a8q", "Q7/1PP4k/8/8/8/8/4Kppp/8 b - -"),
        ("a7a8r", "R7/1PP4k/8/8/8/8/4Kppp/8 b - -"),
        ("a7a8b", "B7/1PP4k/8/8/8/8/4Kppp/8 b - -"),
        ("a7a8n", "N7/1PP4k/8/8/8/8/4Kppp/8 b - -"),
    ] {
        let played = uci_moves::play(&start, text.parse().unwrap()).unwrap();
        assert_eq!(played.to_string(), board);
        assert_eq!(played.balance, played.board.material() - start.board.material(), "{text}");
    }
    for text in ["a7a8", "a7a8k", "e2e3q", "e2e2", "a7b8q"] {
        assert_eq!(uci_moves::play(&start, text.parse().unwrap()), None, "{text}");
    }
}

#[test]
fn castling_goes_by_the_rules_where_the_article_does_not() {
    let has = |fen, castling: &str| {
        let moves = Position::from_fen(fen).unwrap().legal_moves();
        moves.iter().any(|mv| mv.to_string() == castling)
    };
    assert!(!has("4kr2/8/8/8/8/8/8/4K2R w K -", "e1g1"), "through check");
    assert!(!has("4k3/8/8/8/8/8/6p1/4K2R w K -", "e1g1"), "past a pawn that attacks an empty square");
    assert!(!has("4r1k1/8/8/8/8/8/8/4K2R w K -", "e1g1"), "out of check");
    assert!(has("4k2r/8/8/8/8/8/8/4K2R w K -", "e1g1"), "with the rook attacked");
    assert!(has("1r2k3/8/8/8/8/8/8/R3K3 w Q -", "e1c1"), "with only the rook's way attacked");
}

#[test]
fn a_rook_that_comes_to_the_place_of_one_that_was_taken_may_not_castle() {
    let mut position = Position::from_fen("4k3/8/8/8/8/5b2/8/R3K2R b KQ -").unwrap();
    for mv in ["f3h1", "a1a2", "h1e4", "a2h2", "e8e7", "h2h1", "e7e8"] {
        position = uci_moves::play(&position, mv.parse().unwrap()).unwrap();
    }
    assert!(!position.legal_moves().iter().any(|mv| mv.to_string() == "e1g1"), "{position}");
}

fn check_one_position(ours: &Position, theirs: &Chess) {
    let mut expected: Vec<String> =
        theirs.legal_moves().iter().filter(|mv| is_no_underpromotion(**mv)).map(|mv| uci(*mv)).collect();
    let mut found: Vec<String> =
        ours.legal_moves().iter().map(|mv| uci_moves::write(ours, *mv).to_string()).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{}", Fen::from_position(theirs, EnPassantMode::Always));
}

fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Games begin in the SMIRF positions, which soon have castling, promotions and en passant; all promotions are
    /// played.
    #[test]
    fn legal_moves_are_shakmatys_along_random_games(
        start in 0..SMIRF.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 120),
    ) {
        let mut ours = Position::from_fen(SMIRF[start]).unwrap();
        let mut theirs = shakmaty_position(SMIRF[start]);
        for choice in choices {
            check_one_position(&ours, &theirs);
            let moves = theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(moves.len())];
            ours = uci_moves::play(&ours, uci(mv).parse().unwrap()).unwrap();
            theirs.play_unchecked(mv);
            prop_assert_eq!(ours.is_check(), theirs.is_check());
        }
    }
}
