use console::measure_text_width;

use super::*;
use crate::results::test_games::{config, finished, lost_by, round_robin, state_of, two_engine_match};
use referee::Side;
use runner::{Event, GameRecord, MachineNoise};

fn progress(names: &[&str], with_test: bool, games: Vec<GameRecord>) -> RunState {
    state_of(&config(names, with_test), games)
}

fn display(progress: &RunState, width: usize) -> String {
    ProgressText { width, colour: false, is_going_on: true }.lines(progress).join("\n")
}

#[test]
fn before_the_first_game() {
    insta::assert_snapshot!(display(&progress(&["new", "old"], true, vec![]), 100));
}

#[test]
fn a_match_with_a_sequential_test() {
    let mut games = two_engine_match("wdwwldddwdwwlddd");
    games.push(lost_by(16, (0, 1), Side::Black, Termination::TimeLoss));
    insta::assert_snapshot!(display(&progress(&["new", "old"], true, games), 100));
}

#[test]
fn four_engines() {
    insta::assert_snapshot!(display(
        &progress(&["tarrasch", "glaurung", "gnuchess", "seed"], false, round_robin()),
        80
    ));
}

#[test]
fn a_narrow_terminal_has_more_lines_but_no_longer_ones() {
    let mut games = two_engine_match("wdwwldddwdwwlddd");
    games.push(lost_by(16, (0, 1), Side::Black, Termination::IllegalMove));
    let mut two = progress(&["new", "a-long-name-of-an-old-engine@0123456"], true, games);
    let noise = Some(MachineNoise { others: 0.23, stolen: 0.04 });
    two.update(&Event::MachineNoise { noise, at: two_engine_match("w")[0].ended() });
    let four = progress(&["tarrasch", "glaurung", "gnuchess", "seed"], false, round_robin());
    for (progress, width) in [(&two, 60), (&two, 40), (&four, 40)] {
        let lines = ProgressText { width, colour: true, is_going_on: true }.lines(progress);
        assert!(lines.iter().all(|line| measure_text_width(line) <= width), "{lines:#?}");
    }
    insta::assert_snapshot!(display(&two, 60));
    insta::assert_snapshot!(display(&two, 40));
}

#[test]
fn no_terminal_is_too_narrow() {
    let progress = progress(&["new", "old"], true, two_engine_match("wdwwldddwdwwlddd"));
    for width in 0..40 {
        let lines = ProgressText { width, colour: false, is_going_on: true }.lines(&progress);
        assert!(lines.iter().all(|line| measure_text_width(line) <= width.max(34)), "{width}: {lines:#?}");
    }
}

#[test]
fn what_the_machine_does_is_told_while_somebody_looks() {
    let mut progress = progress(&["new", "old"], false, two_engine_match("wd"));
    let last = |progress: &RunState| display(progress, 100).lines().last().unwrap().to_owned();
    assert!(last(&progress).starts_with("  old   time losses 0"));
    let at = two_engine_match("wd")[1].ended();
    progress.update(&Event::MachineNoise { noise: None, at });
    assert_eq!(last(&progress), "  machine quiet");
    let noise = Some(MachineNoise { others: 0.23, stolen: 0.0 });
    progress.update(&Event::MachineNoise { noise, at });
    assert_eq!(last(&progress), "  machine noisy:   other programs take 23% of the cores");
    assert!(ProgressText::line(&progress).ends_with(", machine noisy"));
}

#[test]
fn a_line_for_a_log_says_the_same_in_short() {
    let mut games = two_engine_match("wdwwldddwd");
    games.push(lost_by(10, (0, 1), Side::Black, Termination::Stall));
    insta::assert_snapshot!(ProgressText::line(&progress(&["new", "old"], true, games)));
    let four = progress(&["tarrasch", "glaurung", "gnuchess", "seed"], false, round_robin());
    insta::assert_snapshot!(ProgressText::line(&four));
    let level = ProgressText::line(&progress(&["a", "b", "c"], false, two_engine_match("dd")));
    assert!(level.contains(", a, b are level"), "{level}");
}

#[test]
fn the_pace_is_that_since_the_last_interruption() {
    let config = config(&["new", "old"], false);
    let games = two_engine_match("wdwwldddwd");
    let mut progress = RunState::new(config.clone());
    for game in &games[..8] {
        progress.update(&finished(game.clone()));
    }
    let at = games[8].started;
    progress.update(&Event::RunResumed { finished: 8, at });
    assert_eq!(progress.games_per_minute(), None);
    for game in &games[8..] {
        progress.update(&finished(game.clone()));
    }
    let rate = progress.games_per_minute().unwrap();
    assert!((rate - 2.0 * 60.0 / 19.0).abs() < 1e-9, "{rate}");
    let left = TimeLeft::of_run(&progress, &progress.summary()).unwrap();
    assert_eq!(left.duration().as_secs(), 90 * 19 / 2);
}

fn left(with_test: bool, results: &str, total: u32) -> Option<TimeLeft> {
    let summary = Summary::new(&config(&["new", "old"], with_test), &two_engine_match(results));
    TimeLeft::of(&summary, total, 60.0)
}

#[test]
fn the_end_is_foretold_by_the_schedule_or_by_the_trend_of_a_test() {
    let expected = TimeLeft::Schedule(Duration::from_secs(96));
    assert_eq!(left(false, "wdlw", 100), Some(expected));
    assert_eq!(expected.text(), "1 min left");
    assert_eq!(left(true, "wdlw", 100_000), None);
    let games = "wdwldd".repeat(10);
    let Some(TimeLeft::ByTrend(time)) = left(true, &games, 100_000) else { panic!("no trend is seen") };
    assert!(time > Duration::ZERO && time < Duration::from_secs(99_940), "{time:?}");
    assert_eq!(left(true, &games, 70), Some(TimeLeft::AtMost(Duration::from_secs(10))));
}
