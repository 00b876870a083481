//! The same configuration gives the same games, whatever the concurrency and the interruptions.

use std::fs;
use std::path::Path;

use super::arena;
use runner::{Event, FinishReason, GameRecord, JOURNAL_FILE, Run, RunConfig, RunError, Termination};

/// A small tournament of three engines with 4 games per pairing.
fn tournament(concurrency: usize) -> RunConfig {
    let mut config = arena::config(&["well", "carriage-returns", "binary"], "tournament");
    config.games = 4;
    config.concurrency = concurrency;
    config
}

fn start(config: RunConfig, folder: &Path) -> Run {
    Run::start(config, arena::book(), folder).unwrap()
}

fn resume(config: RunConfig, folder: &Path) -> Run {
    Run::resume(config, arena::book(), folder).unwrap()
}

/// What two runs must have in common: who played which moves from which position, and how the game ended.
fn essence(games: &[GameRecord]) -> Vec<String> {
    let line = |record: &GameRecord| {
        let moves: Vec<&str> = record.moves.iter().map(|played| played.uci.as_str()).collect();
        format!(
            "{} {} {} {} {} {:?} {}",
            record.game,
            record.white,
            record.black,
            record.opening.fen,
            record.termination,
            record.result,
            moves.join(" ")
        )
    };
    games.iter().map(line).collect()
}

#[test]
fn the_number_of_games_at_once_changes_nothing_even_where_games_share_a_thread() {
    let cores = std::thread::available_parallelism().unwrap().get();
    // Several playing threads share each core.
    let [one, all] = [1, 6 * cores].map(|concurrency| {
        let folder = tempfile::tempdir().unwrap();
        let mut config = tournament(concurrency);
        config.games = 2 * cores as u32;
        essence(&arena::play(start(config, folder.path())).0)
    });
    assert_eq!(all.len(), 6 * cores);
    assert_eq!(one, all);
}

#[test]
fn a_run_that_is_cut_anywhere_resumes_to_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, _) = arena::play(start(tournament(2), folder.path()));
    let whole = fs::read(folder.path().join(JOURNAL_FILE)).unwrap();
    let expected = essence(&games);
    // Cuts at arbitrary places, including the very beginning and the very end.
    for cut in (0..=whole.len()).step_by(whole.len() / 9) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(JOURNAL_FILE), &whole[..cut]).unwrap();
        let run = resume(tournament(2), folder.path());
        let mut all: Vec<GameRecord> = run.finished().cloned().collect();
        let (more, reason) = arena::play(run);
        all.extend(more);
        all.sort_by_key(|record| record.game);
        assert_eq!(essence(&all), expected, "cut at {cut} of {}", whole.len());
        assert_eq!(reason, FinishReason::AllGamesPlayed);
        let again = resume(tournament(2), folder.path());
        assert_eq!(again.finished().count(), all.len(), "the journal has all games after the resumed run");
    }
}

#[test]
fn another_configuration_does_not_continue_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    drop(start(tournament(1), folder.path()));
    let mut other = tournament(1);
    other.book.seed = 2;
    let outcome = Run::resume(other, arena::book(), folder.path());
    assert!(matches!(outcome, Err(RunError::OtherRun { .. })));
}

#[test]
fn an_abandoned_game_is_not_counted_and_leaves_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let tag = format!("tag-{}-abandoned", std::process::id());
    let mut config = arena::config(&["hang", "well"], &tag);
    config.timeouts.stall = std::time::Duration::from_mins(10);
    let run = start(config.clone(), folder.path());
    let stop = run.control();
    let mut endings = Vec::new();
    let reason = run.execute(|event| match event {
        Event::GameStarted { .. } => {
            stop.interrupt();
            stop.interrupt();
        }
        Event::GameFinished(record) => endings.push((record.termination, record.result)),
        _ => {}
    });
    assert_eq!(reason.unwrap(), FinishReason::Requested);
    assert_eq!(endings, [(Termination::Abandoned, None)]);
    #[cfg(target_os = "linux")]
    assert_eq!(arena::processes_left(&tag), 0);
    assert_eq!(resume(config, folder.path()).finished().count(), 0);
}

#[test]
fn games_in_flight_when_a_test_decides_are_marked_and_a_resumed_run_stays_decided() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = arena::config(&["well", "illegal"], "sprt-in-flight");
    config.games = 2000;
    config.concurrency = 4;
    config.sprt = Some(stats::Sprt::new(0.0, 200.0, 0.05, 0.05, stats::SprtModel::Logistic).unwrap());
    let run = start(config.clone(), folder.path());
    let mut marks = Vec::new();
    let reason = run.execute(|event| {
        if let Event::GameFinished(record) = event {
            marks.push(record.after_decision);
        }
    });
    assert_eq!(reason.unwrap(), FinishReason::AcceptedH1);
    assert!(marks.is_sorted(), "all that ended after the decision, and nothing before it: {marks:?}");
    assert!(marks.len() < 200, "{marks:?}");
    assert!(resume(config, folder.path()).is_over());
}
