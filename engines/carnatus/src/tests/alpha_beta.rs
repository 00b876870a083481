//! MTD(f) finds what plain alpha-beta finds.

use std::time::{Duration, Instant};

use uci::Go;
use uci::server::{Color, SearchBudget, SearchControl};

use crate::bound::{MATE_LOWER, MATE_UPPER, Searcher};
use crate::game::Game;
use crate::hash_table::HashTable;
use crate::position::Position;
use crate::search::{Bounds, EVAL_ROUGHNESS};

/// The same tree as that of `Searcher::bound` without null moves, searched with an open window and no memory.
fn alpha_beta(position: &Position, mut alpha: i32, beta: i32, depth: i32) -> i32 {
    if position.score <= -MATE_LOWER {
        return -MATE_UPPER;
    }
    let mut moves = position.moves();
    moves.sort_by_key(|&mv| -position.value(mv));
    let mut best = -MATE_UPPER;
    if depth == 0 {
        best = position.score;
        moves.retain(|&mv| position.value(mv) >= 150);
    } else if !moves.iter().any(|&mv| position.is_legal(mv)) {
        return if position.is_check() { -MATE_UPPER } else { 0 };
    }
    for mv in moves {
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        best = best.max(-alpha_beta(&position.play(mv), -beta, -alpha, (depth - 1).max(0)));
    }
    best
}

fn mtd_f(position: &Position, depth: u32) -> Bounds {
    let control = SearchControl::new(Instant::now(), false);
    let go = Go { infinite: true, ..Go::default() };
    let budget = SearchBudget::new(&go, Color::White, Duration::ZERO, &control);
    let mut table = HashTable::new(16);
    let mut searcher = Searcher::new(&mut table, &budget, 0, false);
    let moves = position.legal_moves();
    let mut best = moves[0];
    searcher.converge(position, &moves, depth, position.score, &mut best).unwrap()
}

#[test]
fn mtd_f_equals_plain_alpha_beta_within_its_window() {
    let mut positions = 0;
    for (fen, depth) in uci::server::bench_positions().step_by(3).map(|fen| (fen, 3)).chain([
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 3),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 3),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 4),
        ("7k/5K2/8/8/8/8/6q1/8 w - - 0 1", 3),
    ]) {
        let position = Game::from_fen(fen).unwrap().position;
        let plain = alpha_beta(&position, -MATE_UPPER, MATE_UPPER, depth as i32);
        let Bounds { lower, upper } = mtd_f(&position, depth);
        assert!(lower <= plain && plain <= upper, "{fen}: {plain} is not within {lower} and {upper}");
        assert!(upper - lower <= EVAL_ROUGHNESS, "{fen}: {lower} and {upper} have not met");
        positions += 1;
    }
    assert_eq!(positions, 18);
}
