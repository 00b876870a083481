use super::*;
use crate::results::test_games::{config, game, lost_by, two_engine_match, with_nine_decimals};
use referee::{GameResult, Side};
use stats::{Pentanomial, SprtStatus, Wdl};

#[test]
fn pairs_are_seen_by_the_engine_that_comes_first() {
    let summary = Summary::new(&config(&["a", "b"], true), &two_engine_match("wwwdlw"));
    let pairing = summary.pairing(1, 0).unwrap();
    assert_eq!(pairing.wdl, Wdl::new(4, 1, 1));
    assert_eq!(pairing.pentanomial, Pentanomial::new([0, 0, 1, 1, 1]));
    assert_eq!(summary.engines[1].wdl, Wdl::new(1, 1, 4));
    assert_eq!(pairing.estimates.sprt.unwrap().status, SprtStatus::Continue);
    assert!(pairing.estimates.sprt.unwrap().llr.value() > 0.0);
}

#[test]
fn one_program_with_long_options_has_short_names() {
    let names = |names: &[&str]| -> Vec<String> {
        let summary = Summary::new(&config(names, false), &[]).with_short_names();
        summary.engines.into_iter().map(|engine| engine.name).collect()
    };
    let long = "tarrasch:NullMove=false,LateMoveReductions=false";
    assert_eq!(names(&["tarrasch", long]), ["base", "-NullMove -LateMoveReductions"]);
    assert_eq!(
        names(&["eng:Ponder=true,Hash=1", "eng:ANameThatIsLong=something"]),
        ["+Ponder Hash=1", "ANameThatIsLong=something"]
    );
    assert_eq!(names(&["tarrasch", "tarrasch:Hash=1"]), ["tarrasch", "tarrasch:Hash=1"]);
    assert_eq!(names(&["other", long]), ["other", long]);
}

#[test]
fn an_open_pair_counts_as_a_game_but_not_as_a_pair_and_without_a_pair_games_are_the_estimate() {
    let summary = Summary::new(&config(&["a", "b"], false), &two_engine_match("wdl"));
    assert_eq!(summary.pairings[0].wdl, Wdl::new(1, 1, 1));
    assert_eq!(summary.pairings[0].pentanomial, Pentanomial::new([0, 0, 0, 1, 0]));
    assert_eq!(summary.pairings[0].estimates.sprt, None);
    let summary = Summary::new(&config(&["a", "b"], false), &two_engine_match("w"));
    assert!(summary.pairings[0].estimates.elo.lower.value().is_finite());
    assert!(summary.pairings[0].estimates.los.probability() > 0.5);
}

#[test]
fn an_abandoned_game_has_moves_but_no_result() {
    let summary = Summary::new(&config(&["a", "b"], false), &[game(0, (0, 1), None)]);
    assert_eq!((summary.games, summary.abandoned), (0, 1));
    assert_eq!(summary.engines[0].score, None);
    assert_eq!((summary.engines[0].moves, summary.engines[1].moves), (1, 0));
}

#[test]
fn depth_speed_and_latency_are_those_of_the_engine_that_moved() {
    let mut only = game(0, (0, 1), Some(GameResult::Draw));
    only.moves[0].depth = Some(30);
    only.moves[1].nodes = None;
    let summary = Summary::new(&config(&["a", "b"], false), &[only]);
    let [a, b] = &summary.engines[..] else { panic!("two engines") };
    assert_eq!((a.mean_depth, b.mean_depth), (Some(30.0), Some(12.0)));
    assert_eq!((a.nodes_per_second, b.nodes_per_second), (Some(800_000), None));
    assert_eq!(a.latency.unwrap().max, Duration::from_millis(2));
}

#[test]
fn the_fields_of_the_file_are_those_of_its_version() {
    let games = [two_engine_match("wd"), vec![lost_by(2, (0, 1), Side::Black, Termination::Crash)]].concat();
    let summary = Summary::new(&config(&["a", "b"], true), &games);
    insta::assert_snapshot!(with_nine_decimals(&serde_json::to_string_pretty(&summary).unwrap()));
}
