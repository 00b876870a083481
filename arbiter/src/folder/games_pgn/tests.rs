use std::collections::HashSet;
use std::time::Duration;

use super::*;
use crate::results::test_games::{config, game, lost_by, two_engine_match};
use referee::{GameResult, PgnGames};
use runner::{MoveScore, SearchLimits, Termination};

fn text(config: &RunConfig, games: &[GameRecord]) -> String {
    let pgn = GamesPgn::new(config.clone());
    games.iter().map(|game| pgn.game(game).unwrap().to_string()).collect()
}

#[test]
fn a_game_has_its_tags_its_comments_and_how_it_ended() {
    let mut crash = lost_by(1, (1, 0), Side::Black, Termination::Crash);
    crash.detail = Some("exit code 1".to_owned());
    crash.moves[1].score = Some(MoveScore::Mate(-5));
    let games = [game(0, (0, 1), Some(GameResult::Draw)), crash];
    insta::assert_snapshot!(text(&config(&["new", "old"], false), &games));
}

#[test]
fn without_a_clock_nothing_depends_on_when_a_game_was_played() {
    let mut config = config(&["new", "old"], false);
    config.limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
    let once = game(0, (0, 1), Some(GameResult::Draw));
    let mut again = once.clone();
    again.started = jiff::Timestamp::UNIX_EPOCH;
    again.duration *= 3;
    for played in &mut again.moves {
        played.time *= 2;
        played.nps = None;
        played.engine_time = None;
    }
    let text = [&once, &again].map(|game| text(&config, std::slice::from_ref(game)));
    assert_eq!(text[0], text[1]);
    assert!(text[0].contains("{+0.31/12}") && text[0].contains("[Date \"????.??.??\"]"), "{}", text[0]);
    config.pgn.fields = Some("time,start".parse().unwrap());
    let asked = self::text(&config, &[once]);
    assert!(asked.contains("{+0.31 0.520s}") && asked.contains("[UTCTime "), "{asked}");
}

#[test]
fn engines_with_limits_of_their_own_have_a_time_control_each() {
    let mut config = config(&["new", "old"], false);
    let movetime = Some(Duration::from_millis(50));
    config.engines[1].limits = Some(SearchLimits { movetime, ..SearchLimits::default() });
    let text = text(&config, &two_engine_match("w"));
    for tag in ["[WhiteTimeControl \"8+0.08\"]", "[BlackTimeControl \"1/0.05\"]"] {
        assert!(text.contains(tag), "{text}");
    }
}

#[test]
fn a_record_that_starts_nowhere_is_named() {
    let mut broken = game(6, (0, 1), Some(GameResult::Draw));
    broken.opening.fen = "8/8 w".to_owned();
    let message = GamesPgn::new(config(&["new", "old"], false)).game(&broken).unwrap_err().to_string();
    assert!(message.starts_with("game 7, field `opening.fen`: "), "{message}");
}

#[test]
fn a_game_after_the_verdict_says_so_and_each_game_is_known_by_itself() {
    let mut late = game(1, (1, 0), Some(GameResult::Draw));
    late.after_decision = true;
    let mut special = game(2, (0, 1), Some(GameResult::WhiteWins));
    special.opening.fen = "4k3/1P6/8/8/8/8/8/4K2R w K - 0 1".to_owned();
    special.opening.moves.clear();
    special.moves = vec![special.moves.remove(0); 5];
    for (played, san) in special.moves.iter_mut().zip(["b8=Q+", "Kd7", "O-O", "Kc6", "Qb7#"]) {
        played.san = san.into();
    }
    let games = [game(0, (0, 1), Some(GameResult::Draw)), late, special, game(3, (1, 0), None)];
    let config = config(&["a \"quoted\" \\ name", &"long ".repeat(60)], false);
    let text = text(&config, &games);
    for tag in ["AfterDecision \"1\"", "Result \"*\"", "Termination \"unterminated\""] {
        assert_eq!(text.matches(&format!("[{tag}]")).count(), 1, "{tag}: {text}");
    }
    let read: Vec<_> = PgnGames::new("x", text.as_bytes()).map(Result::unwrap).collect();
    for (read, record) in read.iter().zip(&games) {
        assert_eq!(read.is_after_decision(), record.after_decision);
        assert_eq!(read.identity(), GamesPgn::new(config.clone()).identity(record));
        assert!(read.identity().unwrap().is_certain);
    }
    let hashes: HashSet<u64> = read.iter().map(|game| game.identity().unwrap().hash).collect();
    assert_eq!(hashes.len(), games.len());
}

#[test]
fn clocks_are_written_as_the_standard_has_them() {
    let cases = [("10+0.1", "10+0.1"), ("40/1:00", "40/60"), ("40/60,20/30,5+1", "40/60:20/30:5+1")];
    for (ours, pgn) in cases {
        let limits = SearchLimits { clock: Some(ours.parse().unwrap()), ..SearchLimits::default() };
        assert_eq!(pgn_time_control(&limits), pgn);
    }
    let mut limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
    assert_eq!(pgn_time_control(&limits), "-");
    limits.movetime = Some(Duration::from_millis(100));
    assert_eq!(pgn_time_control(&limits), "1/0.1");
}

fn comment(fields: &str, change: impl Fn(&mut MoveRecord)) -> Option<String> {
    let mut played = game(0, (0, 1), Some(GameResult::Draw)).moves.remove(0);
    change(&mut played);
    move_comment(&played, &PgnConfig { fields: Some(fields.parse().unwrap()), ..PgnConfig::default() }, true)
}

#[test]
fn every_field_has_its_place_and_where_nothing_is_known_there_is_no_comment() {
    let all = "start,latency,timeleft,time,tbhits,hashfull,nps,nodes,seldepth,depth";
    let everything = comment(all, |played| {
        played.hashfull = Some(12);
        played.tbhits = Some(0);
    });
    let expected =
        "+0.31/12 0.520s, tl=7.560s, latency=0.002s, n=416000, sd=20, nps=803000, hashfull=12, tbhits=0";
    assert_eq!(everything.as_deref(), Some(expected));
    assert_eq!(comment("depth,nodes", |_| ()).as_deref(), Some("+0.31/12, n=416000"));
    assert_eq!(comment("depth,time", |played| played.depth = None).as_deref(), Some("+0.31 0.520s"));
    assert_eq!(comment("time", |played| played.score = None).as_deref(), Some("0.520s"));
    assert_eq!(comment("hashfull", |_| ()).as_deref(), Some("+0.31"));
    assert_eq!(comment("none", |played| played.score = None), None);
    assert_eq!(comment("nodes", |played| played.score = None).as_deref(), Some("n=416000"));
}
