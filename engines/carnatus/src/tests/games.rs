//! Full games, judged by the referee.

use std::time::Instant;

use referee::{GameEnd, Referee, Side, Variant};
use uci::server::{SearchControl, UciEngine};
use uci::{Go, StartPosition, UciMove};

use crate::engine::Carnatus;

/// Plays carnatus against itself to the end that the referee sees.
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
fn a_full_game_is_played_to_mate() {
    // After 1. e4 e5 2. Bc4 Bc5 3. Qh5 Nf6, where White mates at once.
    let won = "rnbqk2r/pppp1ppp/5n2/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    assert_eq!(play_out(won, 2_000), GameEnd::Checkmate { winner: Side::White });
}

#[test]
fn both_colours_win_a_won_ending_by_mate() {
    let white = "4k3/8/8/8/8/8/8/R2QK3 w - - 0 1";
    assert_eq!(play_out(white, 5_000), GameEnd::Checkmate { winner: Side::White });
    let black = "r2qk3/8/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(play_out(black, 5_000), GameEnd::Checkmate { winner: Side::Black });
}
