//! Engines that think on their opponents' time. More of those that do it badly are in `engine_faults.txt`.

use super::arena;
use referee::Side;
use runner::{GameRecord, RunConfig, UciSetting};

/// Plays four games with pondering, in which nothing is wrong.
fn four_games(modes: [&str; 2], adapt: impl Fn(&mut RunConfig)) -> Vec<GameRecord> {
    let games = arena::played(&modes, |config| {
        config.games = 4;
        config.ponder = true;
        config.limits = arena::clock("60+1");
        adapt(config);
    });
    let games: Vec<GameRecord> = games.into_iter().map(|(game, _)| game).collect();
    assert_eq!(games.len(), 4);
    for record in &games {
        assert!(!record.termination.is_fault(), "{:?}: {:?}", record.termination, record.detail);
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    }
    games
}

fn hits(games: &[GameRecord], engine: usize) -> usize {
    let moves = games.iter().flat_map(|record| {
        let side = if record.white == engine { Side::White } else { Side::Black };
        record.moves_of(side)
    });
    moves.filter(|played| played.pondered).count()
}

#[test]
fn the_expected_reply_is_answered_from_the_search_on_the_opponents_time() {
    let games = four_games(["well", "well"], |_| {});
    let moves: usize = games.iter().map(|record| record.moves.len()).sum();
    // Both play the same move in the same position, so only the first move of each side in a game is no ponder hit.
    assert_eq!(hits(&games, 0) + hits(&games, 1), moves - 2 * games.len());
    let pondered = games.iter().flat_map(|record| &record.moves).find(|played| played.pondered).unwrap();
    assert_eq!((pondered.engine_time, pondered.nodes), (None, Some(20)));
}

#[test]
fn another_reply_ends_the_search_whose_answer_is_dropped_and_pondering_changes_no_move() {
    let games = four_games(["ponder-misses", "well"], |_| {});
    let plain = four_games(["ponder-misses", "well"], |config| config.ponder = false);
    assert!(games.iter().all(|record| record.moves.len() > 20));
    assert!(hits(&games, 1) > 0);
    // It expects the mock's own choice only if there is no other legal move.
    assert!(hits(&games, 0) < games.iter().map(|record| record.moves.len()).sum::<usize>() / 20);
    assert_eq!([0, 1].map(|engine| hits(&plain, engine)), [0, 0]);
    let moves = |games: &[GameRecord]| -> Vec<String> {
        games.iter().flat_map(|record| record.moves.iter().map(|played| played.uci.to_string())).collect()
    };
    assert_eq!(moves(&games), moves(&plain));
}

#[test]
fn an_option_of_its_own_keeps_an_engine_from_pondering_and_an_answer_before_its_time_is_kept() {
    let games = four_games(["well", "ponder-early"], |config| {
        let (name, value) = ("Ponder".to_owned(), Some("false".to_owned()));
        config.engines[0].options = vec![UciSetting { name, value }];
    });
    assert_eq!(hits(&games, 0), 0);
    assert!(hits(&games, 1) > 0);
}
