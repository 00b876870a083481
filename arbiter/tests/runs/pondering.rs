//! Engines that think on their opponents' time, well and badly.

use std::time::Duration;

use super::arena;
use referee::Side;
use runner::{FinishReason, GameRecord, Run, RunConfig, SearchLimits, Termination, UciSetting};
use stats::Outcome;

/// Plays four games with pondering. Returns the records, and the protocol logs of bad games by game number.
fn four_games(modes: [&str; 2], adapt: impl Fn(&mut RunConfig)) -> (Vec<GameRecord>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("ponder-tag-{}-{}-{}", std::process::id(), modes[0], modes[1]);
    let mut config = arena::config(&modes, &tag);
    config.games = 4;
    config.ponder = true;
    config.limits = SearchLimits { clock: Some("60+1".parse().unwrap()), ..SearchLimits::default() };
    config.timeouts.ready = Duration::from_millis(700);
    adapt(&mut config);
    let (games, reason) = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    assert_eq!(reason, FinishReason::AllGamesPlayed);
    assert_eq!(games.len(), 4);
    #[cfg(target_os = "linux")]
    assert_eq!(arena::processes_left(&tag), 0, "an engine is left alive");
    let log = |record: &GameRecord| {
        std::fs::read_to_string(folder.path().join("bad").join(format!("{}.log", record.game + 1)))
    };
    let logs = games.iter().filter_map(|record| log(record).ok()).collect();
    (games, logs)
}

fn hits(games: &[GameRecord], engine: usize) -> usize {
    let moves = games.iter().flat_map(|record| {
        let side = if record.white == engine { Side::White } else { Side::Black };
        record.moves_of(side)
    });
    moves.filter(|played| played.pondered).count()
}

fn without_faults(games: &[GameRecord]) {
    for record in games {
        assert!(!record.termination.is_fault(), "{:?}: {:?}", record.termination, record.detail);
        assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    }
}

#[test]
fn the_expected_reply_is_answered_from_the_search_on_the_opponents_time() {
    let (games, _) = four_games(["well", "well"], |_| {});
    without_faults(&games);
    let moves: usize = games.iter().map(|record| record.moves.len()).sum();
    // Both play the same move in the same position, so only the first move of each side in a game is no ponder hit.
    assert_eq!(hits(&games, 0) + hits(&games, 1), moves - 2 * games.len());
    let pondered = games.iter().flat_map(|record| &record.moves).find(|played| played.pondered).unwrap();
    assert_eq!((pondered.engine_time, pondered.nodes), (None, Some(20)));
}

#[test]
fn another_reply_ends_the_search_and_its_answer_is_dropped() {
    let (games, _) = four_games(["ponder-misses", "well"], |_| {});
    without_faults(&games);
    assert!(games.iter().all(|record| record.moves.len() > 20));
    assert!(hits(&games, 1) > 0);
    // It expects the mock's own choice only if there is no other legal move.
    assert!(hits(&games, 0) < games.iter().map(|record| record.moves.len()).sum::<usize>() / 20);
}

#[test]
fn pondering_changes_no_move() {
    let (pondered, _) = four_games(["well", "ponder-misses"], |_| {});
    let (plain, _) = four_games(["well", "ponder-misses"], |config| config.ponder = false);
    assert_eq!(hits(&plain, 0), 0);
    let moves = |games: &[GameRecord]| -> Vec<String> {
        games.iter().flat_map(|record| record.moves.iter().map(|played| played.uci.to_string())).collect()
    };
    assert_eq!(moves(&pondered), moves(&plain));
}

#[test]
fn an_illegal_wish_is_not_pondered_on() {
    let (games, _) = four_games(["ponder-illegal", "well"], |_| {});
    without_faults(&games);
    assert_eq!(hits(&games, 0), 0);
}

#[test]
fn an_option_of_its_own_keeps_an_engine_from_pondering() {
    let (games, _) = four_games(["well", "well"], |config| {
        config.engines[0].options =
            vec![UciSetting { name: "Ponder".to_owned(), value: Some("false".to_owned()) }];
    });
    without_faults(&games);
    assert_eq!(hits(&games, 0), 0);
    assert!(hits(&games, 1) > 0);
}

#[test]
fn an_answer_before_its_time_is_kept_for_the_expected_reply() {
    let (games, _) = four_games(["ponder-early", "well"], |_| {});
    without_faults(&games);
    assert!(hits(&games, 0) > 0);
}

#[test]
fn an_engine_that_hears_neither_ponderhit_nor_stop_stalls() {
    let limits = SearchLimits { clock: Some("0.3".parse().unwrap()), ..SearchLimits::default() };
    // After the expected reply the engine ignores `ponderhit`, and its clock runs out.
    let (games, logs) = four_games(["ponder-deaf", "well"], |config| config.limits = limits.clone());
    for record in &games {
        assert_eq!(record.termination, Termination::Stall, "{:?}", record.detail);
        assert_eq!(record.outcome(0), Some(Outcome::Loss));
    }
    assert_eq!(logs.len(), 4);
    assert!(logs.iter().all(|log| log.contains("> ponderhit") && log.contains("go ponder wtime")));
    // After another reply the engine ignores `stop`.
    let (games, _) = four_games(["ponder-deaf-misses", "well"], |_| {});
    for record in &games {
        assert_eq!(record.termination, Termination::Stall, "{:?}", record.detail);
        assert!(record.detail.as_ref().unwrap().contains("of `stop`"), "{:?}", record.detail);
    }
}

#[test]
fn a_late_answer_to_ponderhit_is_a_time_loss_even_without_a_move() {
    let limits = SearchLimits { clock: Some("0.2".parse().unwrap()), ..SearchLimits::default() };
    let (games, _) = four_games(["ponder-late", "well"], |config| config.limits = limits.clone());
    for record in &games {
        let detail = record.detail.as_deref().unwrap();
        assert_eq!(record.termination, Termination::TimeLoss, "{detail}");
        assert!(detail.starts_with("bestmove (none) answered after "), "{detail}");
        assert!(record.moves.len() > 1, "the first move is no reply");
    }
}

#[test]
fn an_engine_that_ends_while_it_ponders_crashes_when_it_is_to_move() {
    let (games, _) = four_games(["ponder-exit", "well"], |_| {});
    for record in &games {
        assert_eq!(record.termination, Termination::Crash, "{:?}", record.detail);
        assert!(record.detail.as_ref().unwrap().contains("exit code 9"));
        assert_eq!(record.outcome(0), Some(Outcome::Loss));
    }
}
