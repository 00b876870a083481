//! Games of a run folder as training games.

use std::path::Path;

use chess::Position;
use nnue::{Game, GameReader, Imported, import};
use runner::RunJournal;

/// A match of two versions of Tarrasch, 100 games at 1+0.01.
const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/singular-extensions");
/// 100 games of which GNU Chess lost two by a crash.
const CRASHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/tarrasch-gnuchess");

fn imported(run: &str, players: &str) -> (Imported, Vec<Game>) {
    let mut bytes = Vec::new();
    let counts = import(Path::new(run), players, &mut bytes).unwrap();
    let mut reader = GameReader::new("imported".to_owned(), &bytes[..]);
    let games = std::iter::from_fn(|| reader.next_game().unwrap()).collect();
    assert_eq!(reader.torn_bytes(), 0);
    (counts, games)
}

#[test]
fn each_game_leads_to_its_last_position_and_has_its_result() {
    let (counts, games) = imported(RUN, "tarrasch");
    assert_eq!(counts, Imported { games: 100, left_out: 0 });
    let records = RunJournal::open(Path::new(RUN)).unwrap().events.finished_games();
    for (record, game) in records.map(Result::unwrap).zip(&games) {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|played| position.play_unchecked(played.mv));
        let end = Position::from_fen(&record.final_fen).unwrap();
        assert_eq!((position.key(), game.moves.len()), (end.key(), record.moves.len()));
        let outcome = record.outcome(record.white).unwrap();
        assert_eq!(usize::from(game.result.half_points()), outcome.half_points());
    }
}

#[test]
fn scores_are_those_for_white() {
    let (_, games) = imported(RUN, "tarrasch");
    let first: Vec<i16> = games[0].moves.iter().take(4).map(|played| played.score).collect();
    assert_eq!(first, [8, 14, 14, 5], "the engines said 8, -14, 14, -5 for themselves");
}

#[test]
fn games_of_other_players_are_left_out() {
    let (counts, games) = imported(RUN, "tarrasch@09b368b");
    assert_eq!((counts, games.len()), (Imported { games: 0, left_out: 100 }, 0));
}

#[test]
fn games_that_a_fault_decided_are_left_out() {
    let (counts, games) = imported(CRASHES, "");
    assert_eq!((counts, games.len()), (Imported { games: 98, left_out: 2 }, 98));
}
