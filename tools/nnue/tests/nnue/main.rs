//! The files of games, the generator, the training, and what the program refuses.

mod files;
mod generator;
mod training;

use std::path::Path;
use std::process::Command;

use chess::{Position, SplitMix};
use nnue::{Game, GameResult, ScoredMove};

/// Runs the program in a folder. Returns its exit code and what it prints as errors.
fn nnue(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_nnue"));
    let output = program.args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// A game from a FEN with these moves in UCI notation and these scores.
fn game(fen: &str, moves: &[(&str, i16)], result: GameResult) -> Game {
    let start = Position::from_fen(fen).unwrap();
    let mut position = start.clone();
    let mut played = Vec::new();
    for &(text, score) in moves {
        let mv = position.parse_uci(text).unwrap_or_else(|| panic!("{text} is illegal"));
        position.play_unchecked(mv);
        played.push(ScoredMove { mv, score });
    }
    Game { start, moves: played, result, skipped: 0 }
}

fn random_game(seed: u64) -> Game {
    let mut numbers = SplitMix::new(seed);
    let start = Position::start();
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while moves.len() < 300 {
        let legal = position.move_list();
        if legal.is_empty() {
            break;
        }
        let mv = legal[(numbers.next() % legal.len() as u64) as usize];
        moves.push(ScoredMove { mv, score: numbers.next() as i16 });
        position.play_unchecked(mv);
    }
    let result = GameResult::ALL[(numbers.next() % 3) as usize];
    Game { start, moves, result, skipped: numbers.next() as u8 }
}
