//! Every way in which an engine can misbehave ends its game, and only its game, with a termination of its own.

mod arena;

use arbiter::runner::{FinishReason, GameRecord, Run, RunConfig, SearchLimits, Side, Termination};

/// Plays four games of a bad engine against a good one.
fn four_games(mode: &str, adapt: impl Fn(&mut RunConfig)) -> (Vec<GameRecord>, FinishReason) {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("tag-{}-{mode}", std::process::id());
    let mut config = arena::config(&[mode, "well"], &tag);
    config.games = 4;
    adapt(&mut config);
    let outcome = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    #[cfg(target_os = "linux")]
    assert_eq!(arena::processes_left(&tag), 0, "an engine is left alive");
    let bad_games = outcome.0.iter().filter(|record| record.termination.is_fault());
    for record in bad_games {
        let log = std::fs::read_to_string(folder.path().join("bad").join(format!("{}.log", record.game + 1)));
        assert!(log.unwrap().contains("# White\n"));
    }
    outcome
}

/// Checks that the bad engine lost all its games in the same way, whatever its colour.
fn always_loses_by(mode: &str, termination: Termination, adapt: impl Fn(&mut RunConfig)) -> Vec<GameRecord> {
    let (games, reason) = four_games(mode, adapt);
    assert_eq!(reason, FinishReason::AllGamesPlayed);
    assert_eq!(games.len(), 4);
    for record in &games {
        assert_eq!(record.termination, termination, "{:?}", record.detail);
        let bad_side = if record.white == 0 { Side::White } else { Side::Black };
        assert_eq!(record.offender, Some(bad_side));
        assert_eq!(record.half_points(1), Some(2));
        assert!(record.detail.is_some());
    }
    games
}

fn unchanged(_: &mut RunConfig) {}

#[test]
fn a_crash_names_the_signal() {
    let games = always_loses_by("crash", Termination::Crash, unchanged);
    assert!(games[0].detail.as_ref().unwrap().contains("signal 6"), "{:?}", games[0].detail);
}

#[test]
fn an_exit_names_its_code() {
    let games = always_loses_by("exit", Termination::Crash, unchanged);
    assert!(games[0].detail.as_ref().unwrap().contains("exit code 7"), "{:?}", games[0].detail);
}

#[test]
fn an_engine_that_never_moves_stalls() {
    always_loses_by("hang", Termination::Stall, unchanged);
}

#[test]
fn a_flood_of_info_does_not_put_off_the_deadline() {
    always_loses_by("flood", Termination::Stall, unchanged);
}

#[test]
fn an_endless_line_does_not_put_off_the_deadline() {
    always_loses_by("endless-line", Termination::Stall, unchanged);
}

#[test]
fn an_illegal_move_is_named_with_its_position() {
    let games = always_loses_by("illegal", Termination::IllegalMove, unchanged);
    let detail = games[0].detail.as_ref().unwrap();
    assert!(detail.contains("a1h8") && detail.contains(&games[0].final_fen), "{detail}");
}

#[test]
fn a_move_in_another_notation_is_illegal() {
    always_loses_by("unreadable", Termination::IllegalMove, unchanged);
}

#[test]
fn no_move_is_not_an_illegal_move() {
    always_loses_by("no-move", Termination::NoMove, unchanged);
}

#[test]
fn a_late_move_loses_on_time() {
    let games = always_loses_by("late", Termination::TimeLoss, |config| {
        config.limits = SearchLimits { nodes: Some(20), ..SearchLimits::default() };
        config.engines[0].limits =
            Some(SearchLimits { clock: Some("0.1+0.1".parse().unwrap()), ..SearchLimits::default() });
    });
    assert!(games[0].detail.as_ref().unwrap().contains("too late"), "{:?}", games[0].detail);
}

#[test]
fn a_closed_output_is_not_a_crash() {
    always_loses_by("close-output", Termination::Disconnect, unchanged);
}

#[test]
fn a_child_that_holds_the_output_open_does_not_hide_the_end_of_its_parent() {
    always_loses_by("leaves-child", Termination::Crash, unchanged);
}

#[test]
fn an_engine_that_is_never_ready_stalls() {
    always_loses_by("well", Termination::FailedToStart, |config| {
        config.start_attempts = 9;
        config.engines[0].program = "/nowhere/engine".into();
    });
    let (games, _) = four_games("never-ready", |config| {
        config.patience.ready = std::time::Duration::from_millis(300);
    });
    assert!(games.iter().all(|record| record.termination == Termination::Stall));
}

#[test]
fn an_engine_that_does_not_start_three_times_in_a_row_ends_the_run() {
    for mode in ["no-uciok", "exit-on-uci"] {
        let (games, reason) = four_games(mode, |config| {
            config.games = 20;
            config.patience.ready = std::time::Duration::from_millis(300);
        });
        assert!(matches!(reason, FinishReason::EngineDoesNotStart { engine: 0, .. }), "{reason:?}");
        assert_eq!(games.len(), 3);
        assert!(games.iter().all(|record| record.termination == Termination::NoHandshake));
    }
}

#[test]
fn odd_manners_cost_nothing() {
    for mode in ["well", "carriage-returns", "ignores-quit", "binary", "complains"] {
        let (games, reason) = four_games(mode, unchanged);
        assert_eq!(reason, FinishReason::AllGamesPlayed);
        assert!(games.iter().all(|record| !record.termination.is_fault()), "{mode}: {games:?}");
        assert!(games.iter().all(|record| record.moves.iter().all(|played| played.score.is_some())));
    }
}
