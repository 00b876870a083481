//! A run obeys while it is played, and its games do not depend on that. More is in `cli/scenarios/control.txt`.

use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::arena;
use runner::{Event, FinishReason, GameRecord, Run, RunConfig, RunControl};
use tempfile::TempDir;

/// Only a hung run takes this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A run played on another thread.
struct Going {
    control: RunControl,
    events: Receiver<Event>,
    thread: JoinHandle<FinishReason>,
    /// Keeps the folder as long as the run lives.
    _folder: TempDir,
}

fn start(games: u32, concurrency: usize, tag: &str) -> Going {
    let folder = tempfile::tempdir().unwrap();
    let config = RunConfig { games, concurrency, ..arena::config(&["well", "well"], tag) };
    let run = Run::start(config, arena::book(), folder.path()).unwrap();
    let control = run.control();
    let (sender, events) = channel();
    let thread = thread::spawn(move || {
        run.execute(|event| {
            let _ = sender.send(event.clone());
        })
        .unwrap()
    });
    Going { control, events, thread, _folder: folder }
}

impl Going {
    /// Waits for an event. Returns the events before it, and the event itself.
    fn wait_for(&self, what: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut seen = Vec::new();
        while !seen.last().is_some_and(&what) {
            seen.push(self.events.recv_timeout(PATIENCE).expect("the run goes on"));
        }
        seen
    }

    /// All remaining events, and why the run ended.
    fn rest(self) -> (Vec<Event>, FinishReason) {
        let reason = self.thread.join().unwrap();
        (self.events.try_iter().collect(), reason)
    }
}

fn is_start(event: &Event) -> bool {
    matches!(event, Event::GameStarted { .. })
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::GameFinished(_))
}

fn count(events: &[Event], what: impl Fn(&Event) -> bool) -> usize {
    events.iter().filter(|event| what(event)).count()
}

#[test]
fn a_paused_run_finishes_its_games_keeps_no_engine_and_goes_on_to_the_end() {
    let tag = format!("tag-{}-pause", std::process::id());
    let going = start(60, 3, &tag);
    let mut seen = going.wait_for(is_end);
    going.control.pause();
    // Games in progress are finished; after that a paused run emits no events.
    let is_pause = |event: &Event| matches!(event, Event::PaceChanged { paused: true, .. });
    while let Ok(event) = going.events.recv_timeout(Duration::from_secs(2)) {
        seen.push(event);
    }
    assert_eq!(count(&seen, is_pause), 1);
    assert_eq!(count(&seen, is_start), count(&seen, is_end), "no game is left in progress");
    assert!(count(&seen, is_end) < 60, "the pause came in time");
    #[cfg(target_os = "linux")]
    assert_eq!(arena::processes_left(&tag), 0, "an engine waits for the end of the pause");

    going.control.resume();
    let (rest, reason) = going.rest();
    assert_eq!(reason, FinishReason::AllGamesPlayed);
    assert_eq!(count(&seen, is_end) + count(&rest, is_end), 60);
}

#[test]
fn the_games_do_not_depend_on_pauses_and_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    let config = RunConfig { games: 40, ..arena::config(&["well", "well"], "tag-undisturbed") };
    let (undisturbed, _) = arena::play(Run::start(config, arena::book(), folder.path()).unwrap());
    let going = start(40, 1, "tag-disturbed");
    let mut disturbed = going.wait_for(is_end);
    going.control.pause();
    going.control.set_concurrency(4);
    going.control.resume();
    disturbed.extend(going.rest().0);
    let games = disturbed.iter().filter_map(|event| match event {
        Event::GameFinished(game) => Some(game.as_ref()),
        _ => None,
    });
    assert_eq!(moves(games), moves(&undisturbed));
}

/// The moves of the games, in the order of the schedule.
fn moves<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Vec<(u32, Vec<String>)> {
    let moves_of = |game: &GameRecord| game.moves.iter().map(|played| played.uci.to_string()).collect();
    let mut games: Vec<_> = games.into_iter().map(|game| (game.game, moves_of(game))).collect();
    games.sort();
    games
}
