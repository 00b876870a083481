//! Tests carnatus as a whole: its moves compared with the referee's, its search, full games, and its UCI.

use std::collections::BTreeSet;
use std::time::Instant;

use proptest::prelude::*;
use referee::{GameEnd, Referee, Side, Variant};
use uci::scripted_gui::converse;
use uci::server::{SearchBudget, SearchControl, UciEngine};
use uci::{Go, StartPosition, UciMove};

use crate::engine::Carnatus;
use crate::game::Game;
use crate::piece_square::full_sum;
use crate::position::Position;
use crate::search::{Bounds, EVAL_ROUGHNESS, HashTable, MATE_LOWER, MATE_UPPER, Searcher};

fn our_moves(game: &Game) -> BTreeSet<String> {
    game.position.legal_moves().iter().map(|&mv| mv.to_uci(game.side).to_string()).collect()
}

/// A king may castle neither out of check, nor through it, nor into it; both colours, both sides.
#[test]
fn castling_through_check_is_refused_by_the_king_passant_rule() {
    for (fen, castling, is_legal) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, true]),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("1r2k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, true]),
        ("3kr3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, false]),
        ("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, false]),
        ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [false, true]),
        ("4k3/8/8/8/8/8/1p6/R3K2R w KQ - 0 1", ["e1g1", "e1c1"], [true, false]),
        ("r3k2r/8/8/8/8/8/8/4KR2 b kq - 0 1", ["e8g8", "e8c8"], [false, true]),
        ("r3k2r/8/8/8/8/8/8/3RK3 b kq - 0 1", ["e8g8", "e8c8"], [true, false]),
        ("r3k2r/1P6/8/8/8/8/8/4K3 b kq - 0 1", ["e8g8", "e8c8"], [true, false]),
    ] {
        let game = Game::from_fen(fen).unwrap();
        assert_eq!(castling.map(|text| game.find(text).is_some()), is_legal, "{fen}");
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        assert_eq!(our_moves(&game), BTreeSet::from_iter(referee.legal_moves()), "{fen}");
    }
}

/// The start position, one where everything can castle, and one close to promotions and en passant.
const STARTS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPPp3k/8/4P3/5p2/8/4Kppp/8 b - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn in_random_games_the_legal_moves_are_the_referees_and_the_incremental_score_is_the_full_sum(
        start in prop::sample::select(&STARTS), choices in prop::collection::vec(0_usize..1000, 0..200)
    ) {
        let mut game = Game::from_fen(start).unwrap();
        let mut referee = Referee::from_fen(start, Variant::Standard).unwrap();
        for choice in choices {
            let moves = our_moves(&game);
            prop_assert_eq!(&moves, &BTreeSet::from_iter(referee.legal_moves()));
            prop_assert_eq!(game.position.score, full_sum(&game.position.board), "{}", game);
            let Some(text) = moves.iter().cycle().nth(choice) else { break };
            game = game.play(game.find(text).unwrap());
            referee.play(text).unwrap();
        }
    }
}

/// Searches the same tree as `Searcher::bound` without null moves, with an open window and without hash table.
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
    let budget = SearchBudget::new(&go, true, &control);
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

fn play_out(fen: &str, nodes: u64) -> GameEnd {
    let mut referee = Referee::from_fen(fen, Variant::Standard).unwrap();
    let mut engine = Carnatus::new();
    let start = StartPosition::Fen(fen.to_owned());
    let mut moves: Vec<UciMove> = Vec::new();
    loop {
        if let Some(end) = referee.outcome() {
            return end;
        }
        engine.set_position(&start, &moves).unwrap();
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let answer = engine.search(&go, &SearchControl::new(Instant::now(), false), &mut |_| {});
        let best = answer.best.expect("there is a move while the game goes on");
        referee.play(best.as_str()).unwrap();
        moves.push(best);
    }
}

#[test]
fn both_colours_win_a_won_ending_by_mate() {
    let white = "4k3/8/8/8/8/8/8/R2QK3 w - - 0 1";
    assert_eq!(play_out(white, 5_000), GameEnd::Checkmate { winner: Side::White });
    let black = "r2qk3/8/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(play_out(black, 5_000), GameEnd::Checkmate { winner: Side::Black });
}

#[test]
fn conversations_go_as_written() {
    converse(include_str!("../conversations.txt"), Carnatus::new);
}
