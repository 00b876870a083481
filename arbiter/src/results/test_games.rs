//! Made-up games for testing the reports.

use std::time::Duration;

use jiff::Timestamp;

use super::state::RunState;
use super::summary::Summary;
use crate::results::RunResults;
use crate::results::facts::RunFacts;
use referee::{GameResult, Side};
use runner::{
    Event, FinishReason, Format, GameRecord, MoveRecord, MoveScore, OpeningMove, OpeningRecord, RunConfig,
    Termination,
};

/// When every run in these tests begins, in Unix seconds.
const START: i64 = 1_795_000_000;

/// A run of these engines with 100 games per pairing, and optionally a sequential test.
pub fn config(names: &[&str], with_test: bool) -> RunConfig {
    let engines = names.iter().map(|name| format!("[[engine]]\nname = '{name}'\nprogram = '{name}'\n"));
    let test = "[sprt]\nelo0 = 0.0\nelo1 = 5.0\nalpha = 0.05\nbeta = 0.05\nmodel = \"normalized\"\n";
    let text = format!(
        "games = 100\n[limits]\nclock = \"8+0.08\"\n[book]\npath = \"made-up.epd\"\n{}{}",
        if with_test { test } else { "" },
        engines.collect::<String>()
    );
    toml::from_str(&text).unwrap()
}

/// The text with at most nine decimals, since the last digits of a logarithm depend on the system's library.
pub fn with_nine_decimals(text: &str) -> String {
    regex_lite::Regex::new(r"(\.\d{9})\d+").unwrap().replace_all(text, "$1").into_owned()
}

/// Three candidates tested against `old`. Of 800 games each, `good` won half and drew half, and `bad` lost half and drew
/// half; `same` drew all of 104 games.
pub fn candidates() -> Summary {
    let mut config = config(&["good", "bad", "same", "old"], true);
    (config.games, config.format) = (2000, Format::Gauntlet { challengers: 3 });
    let mut games = Vec::new();
    for (candidate, results) in ["wd".repeat(400), "ld".repeat(400), "d".repeat(104)].iter().enumerate() {
        for mut record in two_engine_match(results) {
            for engine in [&mut record.white, &mut record.black] {
                *engine = if *engine == 0 { candidate } else { 3 };
            }
            record.game += 2000 * candidate as u32;
            record.pair += 1000 * candidate as u32;
            games.push(record);
        }
    }
    Summary::new(&config, &games)
}

impl Summary {
    pub(crate) fn new<'a>(config: &RunConfig, games: impl IntoIterator<Item = &'a GameRecord>) -> Summary {
        state_of(config, games.into_iter().cloned()).summary()
    }
}

/// The state of a run with these games that began at `START`.
pub fn state_of(config: &RunConfig, games: impl IntoIterator<Item = GameRecord>) -> RunState {
    let mut state = RunState::begun(config.clone(), Timestamp::from_second(START).unwrap());
    for game in games {
        state.update(&finished(game));
    }
    state
}

/// The state after these events of a match of `new` against `old` with a sequential test.
pub fn state_after(events: &[Event]) -> RunState {
    let mut state = RunState::new(config(&["new", "old"], true));
    for event in events {
        state.update(event);
    }
    state
}

/// The games of a match of `new` against `old`, up to the game in which the test accepts H1.
pub fn decided_match() -> Vec<GameRecord> {
    let games = two_engine_match(&"wddlddwldddwldddddwd".repeat(150));
    let mut state = state_after(&[]);
    let mut decided = games.into_iter().take_while(|game| {
        let is_open = state.quick_summary().pairings[0].estimates.sprt.is_some_and(|test| !test.is_over());
        state.update(&finished(game.clone()));
        is_open
    });
    decided.by_ref().collect()
}

/// The results of a finished run with these games and the facts for its page, in the folder `made-up`.
pub fn recorded(config: &RunConfig, games: Vec<GameRecord>) -> RunResults {
    let mut state = RunState::begun(config.clone(), Timestamp::from_second(START).unwrap()).with_facts();
    for game in games {
        state.update(&finished(game));
    }
    let (reason, at) = (FinishReason::AllGamesPlayed, Timestamp::from_second(START + 10_000).unwrap());
    state.update(&Event::RunFinished { reason, at });
    RunResults::of(state, "made-up".as_ref())
}

pub fn facts_of(config: &RunConfig, games: Vec<GameRecord>) -> RunFacts {
    *recorded(config, games).facts.unwrap()
}

pub fn outcome(names: &[&str], with_test: bool, games: &[GameRecord]) -> RunResults {
    recorded(&config(names, with_test), games.to_vec())
}

/// The journal of a match of `new` against `old` with a sequential test, ending with the end of a game.
pub fn events_of(results: &str) -> Vec<Event> {
    let config = config(&["new", "old"], true);
    let mut events = vec![Event::RunStarted {
        config: config.into(),
        games: 100,
        at: Timestamp::from_second(START).unwrap(),
    }];
    for record in two_engine_match(results) {
        let (game, white, black, at) = (record.game, record.white, record.black, record.started);
        events.push(Event::GameStarted { game, white, black, at });
        events.push(finished(record));
    }
    events
}

pub fn finished(game: GameRecord) -> Event {
    Event::GameFinished(Box::new(game))
}

/// The first moves of a game between the engines with these indices: 1. e4 e5 from the book and two more moves. Games
/// start ten seconds apart, and two in a row are a pair. Without a result the game is abandoned.
pub fn game(index: u32, (white, black): (usize, usize), result: Option<GameResult>) -> GameRecord {
    let opening_move = |uci: &str, san: &str| OpeningMove { uci: uci.to_owned(), san: san.to_owned() };
    let moves = if result.is_none() {
        vec![played("g1f3", "Nf3", 31)]
    } else {
        vec![played("g1f3", "Nf3", 31), played("b8c6", "Nc6", -28)]
    };
    GameRecord {
        game: index,
        pair: index / 2,
        white,
        black,
        opening: OpeningRecord {
            index: index as usize / 2 + 40,
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            moves: vec![opening_move("e2e4", "e4"), opening_move("e7e5", "e5")],
            ..OpeningRecord::default()
        },
        moves,
        result,
        termination: match result {
            None => Termination::Abandoned,
            Some(GameResult::Draw) => Termination::ThreefoldRepetition,
            Some(_) => Termination::Checkmate,
        },
        final_fen: final_fen(index),
        started: Timestamp::from_second(START + 10 * i64::from(index)).unwrap(),
        duration: Duration::from_secs(9),
        ..GameRecord::default()
    }
}

/// The position after these moves, or a variation of it, so that no game repeats another.
fn final_fen(index: u32) -> String {
    let rank = |piece: char, file: u32| {
        [file % 8, 7 - file % 8]
            .map(|run| if run == 0 { String::new() } else { run.to_string() })
            .join(&piece.to_string())
    };
    let [theirs, ours, knight] = [rank('p', 4 + index), rank('P', 4 + index / 8), rank('N', 5 + index / 64)];
    let rights = ["KQkq", "KQk", "KQ", "Kkq"][(index / 512 % 4) as usize];
    format!("r1bqkbnr/pppp1ppp/2n5/{theirs}/{ours}/{knight}/PPPP1PPP/RNBQKB1R w {rights} - 2 3")
}

/// A game that `offender` loses by a fault.
pub fn lost_by(index: u32, players: (usize, usize), offender: Side, termination: Termination) -> GameRecord {
    let result = GameResult::won_by(offender.other());
    GameRecord { termination, offender: Some(offender), ..game(index, players, Some(result)) }
}

/// A match of two engines, with results `w`, `d` or `l` from the view of the first engine, which has White in even games.
pub fn two_engine_match(results: &str) -> Vec<GameRecord> {
    let games = results.chars().enumerate().map(|(index, letter)| {
        let first = if index % 2 == 0 { Side::White } else { Side::Black };
        let result = match letter {
            'w' => GameResult::won_by(first),
            'l' => GameResult::won_by(first.other()),
            _ => GameResult::Draw,
        };
        game(index as u32, if index % 2 == 0 { (0, 1) } else { (1, 0) }, Some(result))
    });
    games.collect()
}

/// A round robin of four with one pair per pairing: the lower index wins the first game and the second is drawn.
pub fn round_robin() -> Vec<GameRecord> {
    let pairings = (0..4).flat_map(|first| (first + 1..4).map(move |second| (first, second)));
    let pairs = pairings.enumerate().map(|(index, (first, second))| {
        let at = 2 * index as u32;
        let won = game(at, (first, second), Some(GameResult::WhiteWins));
        [won, game(at + 1, (second, first), Some(GameResult::Draw))]
    });
    pairs.flatten().collect()
}

/// A move that took half a second, two milliseconds less by the engine's own clock.
fn played(uci: &str, san: &str, centipawns: i32) -> MoveRecord {
    MoveRecord {
        uci: uci.into(),
        san: san.into(),
        time: Duration::from_millis(520),
        clock_left: Some(Duration::from_millis(7560)),
        score: Some(MoveScore::Cp(centipawns)),
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(416_000),
        nps: Some(803_000),
        engine_time: Some(Duration::from_millis(518)),
        ..MoveRecord::default()
    }
}
