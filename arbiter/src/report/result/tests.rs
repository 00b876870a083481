use super::*;
use crate::results::test_games::{
    candidates, config, decided_match, game, lost_by, outcome, recorded, round_robin, two_engine_match,
};
use crate::text::number_text::plain_minus;
use crate::text::wrapped::wrapped;
use referee::{GameResult, Side};
use runner::{Format, GameRecord};

fn text(names: &[&str], with_test: bool, games: &[GameRecord]) -> String {
    summary(&Summary::new(&config(names, with_test), games), None).terminal(false)
}

#[test]
fn no_games() {
    insta::assert_snapshot!(text(&["new", "old"], true, &[]));
}

#[test]
fn one_game() {
    insta::assert_snapshot!(text(&["new", "old"], false, &two_engine_match("w")));
}

#[test]
fn a_match_of_two_with_faults() {
    let mut games = two_engine_match("wdwwldddwdwwlddd");
    games.push(lost_by(16, (0, 1), Side::Black, Termination::TimeLoss));
    games.push(lost_by(17, (1, 0), Side::White, Termination::IllegalMove));
    insta::assert_snapshot!(text(&["new", "old"], true, &games));
}

#[test]
fn games_in_flight_when_the_test_decided_are_reported_apart() {
    let mut games = two_engine_match("wdwwwd");
    let decided = text(&["new", "old"], true, &games[..4]);
    games[4..].iter_mut().for_each(|game| game.after_decision = true);
    let all = text(&["new", "old"], true, &games);
    let score = |text: &str| text.split("\n\n").next().unwrap().to_owned();
    assert_eq!(score(&all), score(&decided));
    let apart = "6 games in 59 s\n  2 games finished after the SPRT had stopped, not counted: W 1 D 1 L 0\n";
    assert!(all.ends_with(apart), "{all}");
}

#[test]
fn four_engines() {
    insta::assert_snapshot!(text(&["tarrasch", "glaurung", "gnuchess", "seed"], false, &round_robin()));
}

#[test]
fn tables_fit_into_eighty_columns_however_long_the_names() {
    let names = [
        "tarrasch@0123456789abcdef",
        "a-very-long-name-of-an-engine-that-somebody-built-last-night",
        "gnuchess-6.2.9-with-its-own-book",
        "seed",
    ];
    let fits = |text: &str| text.lines().skip(1).all(|line| console::measure_text_width(line) <= 80);
    let four = text(&names, false, &round_robin());
    assert!(fits(&four) && four.contains('…'), "{four}");
    let two = text(&names[..2], true, &two_engine_match("wdwwldddwd"));
    assert!(two.lines().skip(1).all(fits) && two.contains("vs a-very-long-name"), "{two}");
    let many: Vec<String> = (1..=20).map(|engine| format!("engine-number-{engine}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(fits(&text(&many, false, &[])), "{}", text(&many, false, &[]));
}

#[test]
fn a_narrow_terminal_breaks_no_number() {
    let names = ["tarrasch", "glaurung", "gnuchess", "seed"];
    let document = summary(&Summary::new(&config(&names, false), &round_robin()), None);
    let whole = document.terminal(false);
    let narrow = wrapped(&document.within(60).terminal(false), 60);
    assert!(narrow.lines().all(|line| console::measure_text_width(line) <= 60), "{narrow}");
    assert!(whole.split_whitespace().all(|word| narrow.contains(word)), "{narrow}");
}

/// Three engines, two games a tie: 1 beats 2 after an extra pair, and 0 beats 1 by seeding.
fn games() -> Vec<GameRecord> {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let games = [
        ((1, 2), WhiteWins),
        ((2, 1), WhiteWins),
        ((1, 2), Draw),
        ((2, 1), BlackWins),
        ((0, 1), Draw),
        ((1, 0), Draw),
        ((0, 1), BlackWins),
        ((1, 0), BlackWins),
    ];
    let record = |(index, (players, result))| game(index as u32, players, Some(result));
    games.into_iter().enumerate().map(record).collect()
}

#[test]
fn a_knockout_has_its_rounds_as_far_as_they_are_known() {
    let mut config = config(&["tarrasch", "glaurung", "seed"], false);
    config.games = 2;
    config.format = Format::Knockout { extra_pairs: 1 };
    let text = |games: &[GameRecord]| {
        let mut document = Document::default();
        document.verbatim(bracket(&Summary::new(&config, games)));
        document.terminal(false)
    };
    insta::assert_snapshot!([text(&[]), text(&games()[..4]), text(&games())].join("\n"));
}

#[test]
fn each_test_has_its_row() {
    let text = score(&candidates()).within(80).terminal(false);
    let heading =
        "  SPRT vs old: [0, 5] nElo, LLR (-2.98, 4.04), alpha 0.05 for all 3 tests, beta 0.05 for each\n";
    assert!(text.starts_with(heading), "{text}");
    let rows: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
    assert!(rows[0].starts_with("good") && rows[0].ends_with("H1 accepted"), "{text}");
    assert!(rows[1].starts_with("bad") && rows[1].ends_with("H0 accepted"), "{text}");
    assert!(rows[2].starts_with("same") && rows[2].ends_with("undecided"), "{text}");
    assert!(rows[3].starts_with("Elo (95%): fixed length"), "{text}");
    assert!(text.lines().skip(1).all(|line| console::measure_text_width(line) <= 80), "{text}");
}

#[test]
fn after_a_test_both_estimates_stand_side_by_side_wherever_the_result_is_shown() {
    use crate::report::{exports::ResultsJson, markdown::markdown, page::RunReport};
    let games = decided_match();
    let run = outcome(&["new", "old"], true, &games);
    let pairing = &run.summary.pairings[0];
    let (fixed, after) = (&pairing.estimates.elo, &pairing.estimates.after_sprt.unwrap().elo);
    assert!(
        after.elo < fixed.elo && after.lower < fixed.lower && after.elo > after.lower,
        "{fixed:?} {after:?}"
    );
    let rows = [
        format!("Elo (95%)     {} at fixed length", elo(fixed)),
        format!("Elo (SPRT)    {}, median unbiased", elo(after)),
    ];
    let terminal = summary(&run.summary, None).terminal(false);
    assert!(terminal.contains(&plain_minus(&rows.join("\n  "))), "{terminal}");
    assert!(terminal.contains("nElo (SPRT)   +"), "{terminal}");
    let line = format!("new vs old: {} Elo after the SPRT (fixed length: {}), ", elo(after), elo(fixed));
    let page = RunReport::of(recorded(&run.config, games)).html();
    let text = markdown(std::slice::from_ref(&run)).replace('\\', "");
    let json = ResultsJson::new(std::slice::from_ref(&run)).text().unwrap();
    for (text, what) in
        [(&page, "<th>Elo after the SPRT"), (&text, "Elo (SPRT)"), (&json, "\"after_sprt\": {")]
    {
        assert!(text.contains(&line) && text.contains(what), "{text}");
    }
    let untested = outcome(&["new", "old"], false, &two_engine_match("wdld"));
    assert_eq!(untested.summary.pairings[0].estimates.after_sprt, None);
}

#[test]
fn many_engines_have_a_table_and_no_crosstable() {
    let names: Vec<String> = (0..65).map(|engine| format!("e{engine}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let table = |names: &[&str]| {
        let games = [game(0, (7, 3), Some(GameResult::WhiteWins)), game(1, (3, 7), Some(GameResult::Draw))];
        summary(&Summary::new(&config(names, false), &games), None).terminal(false)
    };
    let (few, many) = (table(&names[..8]), table(&names));
    assert!(few.contains("1. e7") && few.contains("vs 1") && few.contains("1.5/2"), "{few}");
    assert!(many.contains("1. e7") && many.contains("65. ") && !many.contains("vs 1"), "{many}");
}
