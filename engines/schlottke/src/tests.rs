//! Tests of the figures in the article, of the rules compared with shakmaty, and of the engine's UCI.

use std::collections::BTreeSet;
use std::time::Instant;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, Role};
use uci::Go;
use uci::scripted_gui::converse;
use uci::server::{SearchBudget, SearchControl};

use crate::movegen::GameState;
use crate::notation;
use crate::position::Position;
use crate::schlottke::Schlottke;
use crate::thinking::{Decision, GameSoFar, Horizon, MaterialSearch, think};

/// Section VI-C, after White's e2e4. The picture is lost; this position gives the printed numbers.
const WORKED_CASE: &str = "4k3/8/8/3b4/4P3/2n5/8/4R1K1 b - e3";

const HORIZON: Horizon = Horizon { minimum: 3, maximum: 5 };

fn with_budget<T>(use_it: impl FnOnce(&SearchBudget<'_>) -> T) -> T {
    let control = SearchControl::new(Instant::now(), false);
    use_it(&SearchBudget::new(&Go::default(), true, &control))
}

fn decide(fen: &str, horizon: Horizon) -> Decision {
    let position = Position::from_fen(fen).unwrap();
    let game = GameSoFar { start: &position.board, half_moves: 1 };
    with_budget(|budget| think(&position, &position.legal_moves(), game, horizon, budget, &mut |_| {}))
        .unwrap()
}

#[test]
fn the_worked_case_has_the_22_moves_that_are_printed_in_their_order() {
    let moves = Position::from_fen(WORKED_CASE).unwrap().all_moves();
    let printed = "c3e4 c3e2 c3d1 c3b1 c3a2 c3a4 c3b5 d5e6 d5f7 d5g8 d5c4 d5b3 d5a2 d5c6 d5b7 d5a8 d5e4 e8e7 e8d8 \
                   e8f8 e8d7 e8f7";
    let ours: Vec<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(ours, printed.split(' ').collect::<Vec<_>>());
}

#[test]
fn in_the_worked_case_two_captures_alone_reach_the_best_balance_of_a_pawn() {
    let position = Position::from_fen(WORKED_CASE).unwrap();
    let marked = with_budget(|budget| {
        MaterialSearch::new(position.side, HORIZON, budget).mark(&position, &position.legal_moves())
    });
    let marked = marked.unwrap();
    assert_eq!(marked.iter().map(|marked| marked.mark).max(), Some(2));
    let best = marked.iter().filter(|marked| marked.mark == 2).map(|marked| marked.mv.to_string());
    assert_eq!(best.collect::<Vec<_>>(), ["c3e4", "d5e4"]);
}

#[test]
fn in_the_worked_case_the_bishop_takes_by_three_points() {
    let decision = decide(WORKED_CASE, HORIZON);
    assert_eq!(decision.best.to_string(), "d5e4");
    assert_eq!(decision.balance, Some(2));
    let [(_, knight), (_, bishop)] = decision.candidates[..] else { panic!("{decision:?}") };
    assert_eq!(bishop - knight, 3);
}

#[test]
fn the_second_stage_gives_the_points_of_the_article() {
    let mark = |fen: &str, text: &str, half_moves| {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.legal_moves().into_iter().find(|mv| mv.to_string() == text).unwrap();
        // With an empty start board, every piece counts as moved.
        let game = GameSoFar { start: &crate::board::Mailbox::empty(), half_moves };
        game.mark(&position, mv)
    };
    let pawn = "4k3/8/8/8/3P4/8/8/4K3 w - -";
    // The mobility is five king moves and one pawn move.
    assert_eq!(mark(pawn, "d4d5", 32), 5 + 1);
    assert_eq!(mark(pawn, "d4d5", 31), 20 + 5 + 1);
    // The king leaves the edge at a cost of ten points: eight king moves and one pawn move.
    assert_eq!(mark(pawn, "e1e2", 0), 8 + 1 + 2 - 10);
    assert_eq!(mark(pawn, "e1f1", 0), 5 + 1 + 2 - 2 - 10);
    let rook = "4k3/8/8/8/8/8/1p4R1/4K3 w - -";
    // Fourteen squares of the rook and five of the king; then thirteen, with a pawn on one of them, and four of the king.
    assert_eq!(mark(rook, "g2g3", 0), 14 + 5);
    assert_eq!(mark(rook, "g2f2", 0), 13 + 1 + 4);
}

#[test]
fn a_piece_that_has_not_moved_earns_five_points_and_a_pawn_seven() {
    let position = Position::start();
    let mark = |start: &crate::board::Mailbox, text: &str| {
        let mv = position.legal_moves().into_iter().find(|mv| mv.to_string() == text).unwrap();
        GameSoFar { start, half_moves: 0 }.mark(&position, mv)
    };
    let elsewhere = crate::board::Mailbox::empty();
    assert_eq!(mark(&position.board, "e2e4") - mark(&elsewhere, "e2e4"), 7);
    assert_eq!(mark(&position.board, "g1f3") - mark(&elsewhere, "g1f3"), 5);
}

#[test]
fn the_last_of_equal_moves_is_played() {
    let position = Position::start();
    let game = GameSoFar { start: &position.board, half_moves: 0 };
    let moves = position.legal_moves();
    let (best, mark) = game.choose(&position, moves.iter().copied()).unwrap();
    let equals: Vec<_> = moves.into_iter().filter(|mv| game.mark(&position, *mv) == mark).collect();
    assert_eq!(equals.last(), Some(&best));
}

#[test]
fn captures_are_followed_beyond_the_depth_of_quiet_moves() {
    // Rxd5 wins a rook that is defended twice and attacked twice; the third capture is ply 3, the fourth ply 4.
    let exchange = "3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - -";
    let short = decide(exchange, Horizon { minimum: 1, maximum: 1 });
    assert_eq!(short.balance, Some(2), "one ply sees only the pawn");
    let long = decide(exchange, Horizon { minimum: 1, maximum: 5 });
    assert_eq!(long.balance, Some(0), "five see that it costs a rook");
}

#[test]
fn a_mate_in_one_is_found_as_the_loss_of_the_king() {
    let decision = decide("6k1/5ppp/8/8/8/8/8/R5K1 w - -", HORIZON);
    assert_eq!(decision.best.to_string(), "a1a8");
    assert!(decision.balance >= Some(126), "{decision:?}");
}

#[test]
fn the_search_takes_stalemate_for_a_lost_king_too() {
    // Qc7 is stalemate: every king move is illegal.
    let position = Position::from_fen("k7/8/8/8/8/8/8/2Q1K3 w - -").unwrap();
    let marked = with_budget(|budget| {
        MaterialSearch::new(position.side, HORIZON, budget).mark(&position, &position.legal_moves())
    });
    let stalemate = marked.unwrap().into_iter().find(|marked| marked.mv.to_string() == "c1c7").unwrap();
    assert_eq!(GameState::of(&position.after(stalemate.mv)), GameState::Stalemate);
    assert!(stalemate.mark >= 126, "{stalemate:?}");
}

#[test]
fn the_four_states_of_a_game_are_told_apart() {
    let state = |fen| GameState::of(&Position::from_fen(fen).unwrap());
    assert_eq!(state("4k3/8/8/8/8/8/8/4K2R w K -"), GameState::InProgress);
    assert_eq!(state("4k3/8/8/8/8/8/8/r3K3 w - -"), GameState::Check);
    assert_eq!(state("k7/2Q5/8/8/8/8/8/4K3 b - -"), GameState::Stalemate);
    assert_eq!(state("k7/1Q6/1K6/8/8/8/8/8 b - -"), GameState::Mate);
    let in_order = [GameState::InProgress, GameState::Check, GameState::Stalemate, GameState::Mate];
    assert_eq!(in_order.map(|state| state as u8), [0, 1, 2, 3]);
}

/// The six SMIRF positions (`suites/perft/smirf.epd`).
const SMIRF: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
];

fn shakmaty_position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn is_no_underpromotion(mv: Move) -> bool {
    matches!(mv.promotion(), None | Some(Role::Queen))
}

#[test]
fn a_move_of_the_opponent_that_is_not_legal_is_refused() {
    let start = Position::from_fen(SMIRF[2]).unwrap();
    for text in ["a7a8", "a7a8k", "e2e3q", "e2e2", "a7b8q"] {
        assert_eq!(notation::play(&start, text.parse().unwrap()), None, "{text}");
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
        position = notation::play(&position, mv.parse().unwrap()).unwrap();
    }
    assert!(!position.legal_moves().iter().any(|mv| mv.to_string() == "e1g1"), "{position}");
}

fn check_one_position(ours: &Position, theirs: &Chess) {
    let expected: BTreeSet<String> =
        theirs.legal_moves().iter().filter(|mv| is_no_underpromotion(**mv)).map(|mv| uci(*mv)).collect();
    let found: BTreeSet<String> =
        ours.legal_moves().iter().map(|mv| notation::write(ours, *mv).to_string()).collect();
    assert_eq!(found, expected, "{}", Fen::from_position(theirs, EnPassantMode::Always));
}

fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Games begin in the SMIRF positions, which soon lead to castling, promotions and en passant; all promotions are
    /// played.
    #[test]
    fn legal_moves_are_shakmatys_along_random_games(
        start in 0..SMIRF.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 120),
    ) {
        let mut ours = Position::from_fen(SMIRF[start]).unwrap();
        let mut theirs = shakmaty_position(SMIRF[start]);
        let at_start = ours.board.material();
        for choice in choices {
            check_one_position(&ours, &theirs);
            let moves = theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice.index(moves.len())];
            ours = notation::play(&ours, uci(mv).parse().unwrap()).unwrap();
            theirs.play_unchecked(mv);
            prop_assert_eq!(ours.is_check(), theirs.is_check());
            prop_assert_eq!(ours.balance, ours.board.material() - at_start);
        }
    }
}

#[test]
fn conversations_go_as_written() {
    converse(include_str!("../conversations.txt"), Schlottke::new);
}
