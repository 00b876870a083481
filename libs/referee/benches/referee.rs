//! The speed of the referee, which the runner calls for every ply of every game.

use divan::{Bencher, counter::ItemsCount};
use referee::{Referee, Variant};

fn main() {
    divan::main();
}

/// A game of 200 plies. Each move is picked from the legal moves by a fixed, scattered index.
fn long_game() -> Vec<String> {
    let mut referee = Referee::new(Variant::Standard);
    (0..200_usize)
        .map_while(|ply| {
            let mut moves = referee.legal_moves();
            moves.sort();
            let chosen = moves.get((ply * 7919 + 13) % moves.len().max(1))?.clone();
            referee.play(&chosen).ok()?;
            Some(chosen)
        })
        .collect()
}

/// The items are plies, each played and judged.
#[divan::bench]
fn play_and_outcome(bencher: Bencher) {
    let game = long_game();
    bencher.counter(ItemsCount::new(game.len())).bench(|| {
        let mut referee = Referee::new(Variant::Standard);
        for text in &game {
            let _ = divan::black_box(referee.play(text));
            divan::black_box(referee.outcome());
        }
    });
}

/// The items are the moves of a 40-ply principal variation, which are checked without being played.
#[divan::bench]
fn check_line(bencher: Bencher) {
    let game = long_game();
    let referee = Referee::new(Variant::Standard);
    bencher.counter(ItemsCount::new(40_usize)).bench(|| referee.check_line(&game[..40]).is_ok());
}
