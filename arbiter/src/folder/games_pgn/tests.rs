use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use super::*;
use crate::results::test_games::{config, game, lost_by, two_engine_match};
use referee::{GameResult, PgnGames};
use runner::{MoveScore, SearchLimits, Termination};

#[derive(Debug, Default)]
struct Found {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: Vec<String>,
}

struct Finder;

impl Visitor for Finder {
    type Tags = Vec<(String, String)>;
    type Movetext = Found;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Found> {
        tags.push((String::from_utf8_lossy(name).into(), value.decode_utf8_lossy().into()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found { tags, ..Found::default() })
    }

    fn san(&mut self, found: &mut Found, san: SanPlus) -> ControlFlow<Found> {
        found.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, found: &mut Found, comment: RawComment<'_>) -> ControlFlow<Found> {
        found.comments.push(String::from_utf8_lossy(comment.as_bytes()).replace('\n', " "));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, found: Found) -> Found {
        found
    }
}

fn read(pgn: &str) -> Vec<Found> {
    Reader::new(pgn.as_bytes()).read_games(&mut Finder).collect::<Result<_, _>>().unwrap()
}

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
fn the_file_reads_back_game_by_game() {
    let mut games = two_engine_match("wdl");
    games.push(game(3, (1, 0), None));
    let found = read(&text(&config(&["new", "a \"quoted\" \\ name"], false), &games));
    assert_eq!(found.len(), 4);
    assert_eq!(found[0].moves, ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(found[0].comments, ["book", "book", "+0.31/12 0.520s", "-0.28/12 0.520s, White mates"]);
    assert!(found[0].tags.contains(&("Black".to_owned(), "a \"quoted\" \\ name".to_owned())));
    assert!(found[3].tags.contains(&("Result".to_owned(), "*".to_owned())));
    assert!(found[3].tags.contains(&("Termination".to_owned(), "unterminated".to_owned())));
}

#[test]
fn what_the_engine_did_not_tell_is_left_out() {
    let mut silent = game(0, (0, 1), Some(GameResult::Draw));
    silent.moves[0].depth = None;
    silent.moves[1].score = None;
    let found = read(&text(&config(&["new", "old"], false), &[silent]));
    assert_eq!(found[0].comments[2..], ["+0.31 0.520s", "0.520s, Draw by threefold repetition"]);
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
    let asked = read(&self::text(&config, &[once]));
    assert_eq!(asked[0].comments[2], "+0.31 0.520s");
    assert!(asked[0].tags.iter().any(|(name, _)| name == "UTCTime"));
}

#[test]
fn engines_with_limits_of_their_own_have_a_time_control_each() {
    let mut config = config(&["new", "old"], false);
    let movetime = Some(Duration::from_millis(50));
    config.engines[1].limits = Some(SearchLimits { movetime, ..SearchLimits::default() });
    let found = read(&text(&config, &two_engine_match("w")));
    for (name, value) in [("WhiteTimeControl", "8+0.08"), ("BlackTimeControl", "1/0.05")] {
        assert!(found[0].tags.contains(&(name.to_owned(), value.to_owned())), "{name}");
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
    assert_eq!(text.matches("[AfterDecision \"1\"]").count(), 1, "{text}");
    let read: Vec<_> = PgnGames::new("x", text.as_bytes()).map(Result::unwrap).collect();
    for (read, record) in read.iter().zip(&games) {
        assert_eq!(read.is_after_decision(), record.after_decision);
        assert_eq!(read.identity(), GamesPgn::new(config.clone()).identity(record));
        assert!(read.identity().unwrap().is_certain);
    }
    let hashes: HashSet<u64> = read.iter().map(|game| game.identity().unwrap().hash).collect();
    assert_eq!(hashes.len(), games.len());
}
