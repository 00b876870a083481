//! `nnue info`.

use std::fs;
use std::process::Command;

use nnue::viriformat::encode;
use nnue::{Filter, Game, GameResult, Info};

use super::made_games::game;

/// At ply 38: a quiet move, a capture, a quiet move in check, and a quiet move with a score beyond the limit.
fn first() -> Game {
    game(
        "4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 20",
        &[("a1a4", 510), ("e8e7", 490), ("c3d5", 500), ("e7d6", 700), ("d5f4", 2500)],
        GameResult::WhiteWins,
    )
}

/// The first two positions of that game again, and another end.
fn second() -> Game {
    let first = first();
    Game { moves: first.moves[..2].to_vec(), result: GameResult::Draw, skipped: 3, ..first }
}

/// A game that ends before its positions are for training.
fn early() -> Game {
    game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5", &[("e2e4", 20)], GameResult::BlackWins)
}

#[test]
fn each_count_is_what_can_be_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.vf", "two.vf"].map(|name| folder.path().join(name));
    fs::write(&one, [encode(&first()), encode(&early())].concat()).unwrap();
    fs::write(&two, [encode(&second()), vec![1; 7]].concat()).unwrap();

    let mut info = Info::default();
    info.add_file(&one, Filter::default()).unwrap();
    info.add_file(&two, Filter::default()).unwrap();
    let info = info.finish();
    assert_eq!((info.games(), info.plies(), info.results), (3, 8, [1, 1, 1]));
    // Rook a4; king e7, twice; the check of the knight on d5 and its capture do not count, nor does 2,500.
    assert_eq!((info.positions(), info.repeated), (4, 2));
    assert_eq!(info.scores, [0, 0, 0, 0, 0, 0, 4, 0, 0]);
    assert_eq!((info.lengths, info.skipped, info.torn_bytes), (vec![1, 2, 5], 3, 7));

    let all = Filter { min_ply: 0, max_score: 2501, keeps_checks: true, keeps_tactical: true };
    let mut info = Info::default();
    info.add_file(&one, all).unwrap();
    assert_eq!((info.positions(), info.plies()), (6, 6));
}

#[test]
fn the_program_prints_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.vf");
    fs::write(&file, encode(&first())).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nnue")).arg("info").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Training positions  2 (40.0% of the plies)"), "{text}");
}
