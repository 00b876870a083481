//! Negamax with alpha-beta and the hash table finds what plain minimax finds.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use uci::Go;
use uci::server::{Color, SearchBudget, SearchControl, bench_positions};

use crate::evaluation::{MATE, evaluate};
use crate::game::Game;
use crate::hash_table::HashTable;
use crate::opening_base::OpeningBase;
use crate::search::Search;

/// Section 2.2: the best of what the opponent leaves us, to the leaves.
fn minimax(game: &mut Game, depth: i32, ply: i32) -> i32 {
    if depth == 0 {
        return evaluate(game, &HashSet::new(), ply);
    }
    let moves = game.legal_moves();
    if moves.is_empty() {
        return if game.is_check(game.turn()) { ply - MATE } else { 0 };
    }
    let mut best = -MATE;
    for mv in moves {
        let played = game.play(mv).unwrap();
        best = best.max(-minimax(game, depth - 1, ply + 1));
        game.take_back(played);
    }
    best
}

fn negamax(fen: &str, depth: u32) -> (i32, u32) {
    let control = SearchControl::new(Instant::now(), false);
    let go = Go { depth: Some(depth), ..Go::default() };
    let budget = SearchBudget::new(&go, Color::White, Duration::ZERO, &control);
    let (mut table, openings) = (HashTable::new(1), OpeningBase::default());
    let mut game = Game::from_fen(fen).unwrap();
    let before = game.clone();
    let moves = game.legal_moves();
    let mut found = (0, 0);
    Search::new(&mut table, &openings, &budget)
        .deepen(&mut game, &moves, 1, &mut |iteration| found = (iteration.score, iteration.depth));
    assert_eq!(game, before);
    found
}

#[test]
fn alpha_beta_with_the_hash_table_has_the_score_of_minimax() {
    for fen in bench_positions().step_by(4).chain(["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"]) {
        for depth in 1..=2 {
            let (score, reached) = negamax(fen, depth);
            assert_eq!(score, minimax(&mut Game::from_fen(fen).unwrap(), reached as i32, 0), "{fen}");
        }
    }
}

#[test]
fn a_mate_is_found_as_deep_as_it_is() {
    // Mate in one, in two, and being mated in one.
    assert_eq!(negamax("6k1/5ppp/8/8/8/8/8/1K1R4 w - - 0 1", 4), (MATE - 1, 1));
    assert_eq!(negamax("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 4), (MATE - 3, 3));
    assert_eq!(negamax("7k/R7/8/8/8/8/8/1R5K b - - 0 1", 4), (2 - MATE, 2));
}
