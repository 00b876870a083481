//! What the article prints about its own program, and what it says that the program cannot do.

use std::time::{Duration, Instant};

use uci::Go;
use uci::server::{Color, SearchBudget, SearchControl};

use crate::game_state::GameState;
use crate::material_search::{Horizon, MaterialSearch};
use crate::position::Position;
use crate::second_look::GameSoFar;
use crate::thinking::{Decision, think};

/// Section VI-C, after White's e2e4. The picture is lost; this position gives the numbers that are printed.
const WORKED_CASE: &str = "4k3/8/8/3b4/4P3/2n5/8/4R1K1 b - e3";

const HORIZON: Horizon = Horizon { minimum: 3, maximum: 5 };

fn with_budget<T>(use_it: impl FnOnce(&SearchBudget<'_>) -> T) -> T {
    let control = SearchControl::new(Instant::now(), false);
    use_it(&SearchBudget::new(&Go::default(), Color::White, Duration::ZERO, &control))
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
        // All have moved, if the board at the start was empty.
        let game = GameSoFar { start: &crate::mailbox::Mailbox::empty(), half_moves };
        game.mark(&position, mv)
    };
    let pawn = "4k3/8/8/8/3P4/8/8/4K3 w - -";
    // Five moves of the king and one of the pawn are mobility.
    assert_eq!(mark(pawn, "d4d5", 32), 5 + 1);
    assert_eq!(mark(pawn, "d4d5", 31), 20 + 5 + 1);
    // The king leaves the edge, ten points poorer: eight moves and one of the pawn.
    assert_eq!(mark(pawn, "e1e2", 0), 8 + 1 + 2 - 10);
    assert_eq!(mark(pawn, "e1f1", 0), 5 + 1 + 2 - 2 - 10);
    let rook = "4k3/8/8/8/8/8/1p4R1/4K3 w - -";
    // Fourteen squares and the five of the king; then thirteen, a pawn on one of them, and four of the king.
    assert_eq!(mark(rook, "g2g3", 0), 14 + 5);
    assert_eq!(mark(rook, "g2f2", 0), 13 + 1 + 4);
}

#[test]
fn a_piece_that_has_not_moved_earns_five_points_and_a_pawn_seven() {
    let position = Position::start();
    let mark = |start: &crate::mailbox::Mailbox, text: &str| {
        let mv = position.legal_moves().into_iter().find(|mv| mv.to_string() == text).unwrap();
        GameSoFar { start, half_moves: 0 }.mark(&position, mv)
    };
    let elsewhere = crate::mailbox::Mailbox::empty();
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
    // Rxd5 wins a rook that is defended twice and attacked twice: the third capture would be ply 3, the fourth ply 4.
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
    // Qc7 is stalemate: every move of the king loses it.
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
    assert_eq!(
        [0, 1, 2, 3],
        [
            GameState::InProgress as u8,
            GameState::Check as u8,
            GameState::Stalemate as u8,
            GameState::Mate as u8
        ]
    );
}

#[test]
fn the_balance_is_kept_along_every_line() {
    fn compare(position: &Position, at_start: i32, depth: u32) {
        assert_eq!(position.balance, position.board.material() - at_start, "{position}");
        if depth > 0 {
            position.all_moves().iter().for_each(|mv| compare(&position.after(*mv), at_start, depth - 1));
        }
    }
    for fen in super::rules::SMIRF {
        let position = Position::from_fen(fen).unwrap();
        compare(&position, position.board.material(), 2);
    }
}
