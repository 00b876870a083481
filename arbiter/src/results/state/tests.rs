use super::*;
use crate::results::test_games::{config, events_of, finished, game, lost_by, state_after, state_of};
use referee::{GameResult, Side};
use runner::{FinishReason, MachineNoise, Termination};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_795_000_000 + second).unwrap()
}

#[test]
fn a_game_that_is_told_twice_is_news_once() {
    let mut state = state_after(&events_of("wd"));
    let crash = finished(lost_by(2, (0, 1), Side::Black, Termination::Crash));
    assert!(state.update(&crash) && !state.update(&crash));
    assert_eq!((state.summary().games, state.faulty_games.len()), (3, 1));
}

#[test]
fn what_the_page_shows_has_a_game_that_was_played_twice_once_and_one_without_a_result_not_at_all() {
    let mut state = RunState::new(config(&["new", "old"], false)).with_facts();
    for event in [events_of("wd"), events_of("wd"), vec![finished(game(2, (0, 1), None))]].concat() {
        state.update(&event);
    }
    let facts = state.facts.take().unwrap();
    assert_eq!((facts.games, facts.whole_games.len(), state.games()), (2, 2, 2));
}

#[test]
fn an_abandoned_game_is_reported_until_the_run_goes_on() {
    let mut state = state_after(&events_of("wd"));
    state.update(&finished(game(2, (0, 1), None)));
    let (reason, stopped) = (FinishReason::Requested, at(100));
    state.update(&Event::RunFinished { reason, at: stopped });
    assert_eq!((state.summary().games, state.summary().abandoned), (2, 1));
    state.update(&Event::RunResumed { finished: 2, at: at(200) });
    assert_eq!(state.summary(), state_after(&events_of("wd")).summary());
}

#[test]
fn the_time_of_an_interruption_is_not_played() {
    let config = config(&["new", "old"], false);
    let paused = |paused, second| Event::PaceChanged { paused, concurrency: 1, at: at(second) };
    let finished = |second| Event::RunFinished { reason: FinishReason::Requested, at: at(second) };
    let events = [
        Event::RunStarted { config: config.into(), games: 100, at: at(0) },
        finished(100),
        Event::RunResumed { finished: 4, at: at(5000) },
        paused(true, 5010),
        paused(false, 5030),
        finished(5050),
    ];
    assert_eq!(state_after(&events).time_played(), Duration::from_secs(130));
}

#[test]
fn an_interruption_begins_the_pace_anew_and_keeps_the_noise_of_before() {
    let mut state = state_after(&events_of("wdlw"));
    let noise = Some(MachineNoise { others: 0.5, stolen: 0.0 });
    state.update(&Event::MachineNoise { noise, at: at(50) });
    state.update(&Event::PaceChanged { paused: true, concurrency: 1, at: at(60) });
    assert!(state.games_per_minute().is_some());
    state.update(&Event::RunResumed { finished: 4, at: at(3600) });
    assert_eq!((state.games_per_minute(), state.pace().paused), (None, false));
    assert_eq!((state.noise().present, state.noise().past), (None, Duration::from_secs(10)));
}

#[test]
fn each_engine_has_its_games_with_either_colour() {
    let state = state_after(&events_of("wld"));
    assert_eq!(state.by_colour(0), [Wdl::new(1, 1, 0), Wdl::new(0, 0, 1)]);
    assert_eq!(state.by_colour(1), [Wdl::new(1, 0, 0), Wdl::new(0, 1, 1)]);
}

#[test]
fn of_many_engines_only_those_that_met_are_listed_and_an_overview_lists_none() {
    let names: Vec<String> = (0..1000).map(|engine| format!("e{engine}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let games = [game(0, (7, 900), Some(GameResult::WhiteWins)), game(1, (900, 7), Some(GameResult::Draw))];
    let state = state_of(&config(&names, false), games.clone());
    let summary = state.summary();
    assert_eq!((summary.pairings.len(), summary.of_two().len(), state.overview().pairings.len()), (1, 0, 0));
    assert_eq!(summary.pairing(900, 7).map(|pairing| pairing.pentanomial.counts()), Some([0, 0, 0, 1, 0]));
    let few = state_of(&config(&names[..8], false), [game(0, (7, 3), Some(GameResult::Draw))]).summary();
    assert_eq!(few.pairings.len(), 28);
    let elo = |engine: usize, of: &Summary| of.engines[engine].elo_vs_opponents;
    assert_eq!(
        (elo(7, &summary), elo(900, &summary)),
        (summary.pairings[0].estimates.elo, elo(900, &state.overview()))
    );
}
