use super::*;
use crate::report::exports::ResultsJson;
use crate::report::junit::run_junit;
use crate::report::markdown::markdown;
use crate::report::page::RunReport;
use crate::report::quote::quote;
use crate::report::result;
use crate::results::RunResults;
use crate::results::test_games::{
    candidates, config, lost_by, outcome, recorded, round_robin, two_engine_match,
};
use crate::text::number_text::plain_minus;
use referee::Side;
use runner::{GameRecord, Termination};
use stats::{Sprt, SprtModel};

fn of(bounds: Option<(f64, f64)>, games: &[GameRecord]) -> String {
    let mut config = config(&["new", "old"], false);
    let sprt = |(elo0, elo1)| Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap();
    config.sprt = bounds.map(sprt);
    verdict(&Summary::new(&config, games))
}

/// The Markdown of a run, and its page with these games.
fn texts(run: &RunResults, games: Vec<GameRecord>) -> [String; 2] {
    [markdown(std::slice::from_ref(run)), RunReport::of(recorded(&run.config, games)).html()]
}

#[test]
fn the_interval_decides_where_there_is_no_test() {
    assert_eq!(of(None, &[]), "No game is finished.");
    let level = of(None, &two_engine_match("wldd"));
    assert!(level.starts_with("4 games cannot tell new and old apart: +0.0 ± "), "{level}");
    let won = of(None, &two_engine_match(&"wwwd".repeat(10)));
    assert!(won.starts_with("new is stronger than old: +"), "{won}");
    let all = of(None, &two_engine_match(&"w".repeat(20)));
    assert_eq!(all, "new is stronger than old: more than 140.2 Elo after 20 games.");
    let lost = of(None, &two_engine_match(&"llld".repeat(10)));
    assert!(lost.starts_with("new is weaker than old: −"), "{lost}");
}

#[test]
fn what_a_test_claims_depends_on_its_bounds_and_several_are_summed_up() {
    let (won, lost) = (two_engine_match(&"wwwd".repeat(300)), two_engine_match(&"llld".repeat(300)));
    for (bounds, games, claim) in [
        ((0.0, 5.0), &won, "new is stronger than old: SPRT accepted H1 after 1,200 games."),
        ((-5.0, 0.0), &won, "new is no regression from old"),
        ((0.0, 5.0), &lost, "new is no gain over old: SPRT accepted H0"),
        ((-5.0, 0.0), &lost, "new is weaker than old"),
    ] {
        let sentence = of(Some(bounds), games);
        assert!(sentence.starts_with(claim), "{sentence}");
    }
    assert!(of(Some((0.0, 5.0)), &won[..8]).ends_with("; the SPRT is undecided."));
    let summary = candidates();
    let expected =
        "SPRT vs old after 1,704 games: H1 accepted for good; H0 accepted for bad; undecided for same.";
    assert_eq!(verdict(&summary), expected);
}

#[test]
fn a_run_ends_with_the_exit_code_of_its_tests() {
    let summary =
        |sprt, results: &str| Summary::new(&config(&["new", "old"], sprt), &two_engine_match(results));
    let [won, lost] = ["wwwd", "llld"].map(|results| summary(true, &results.repeat(300)));
    let (open, plain) = (summary(true, "wd"), summary(false, "wd"));
    let told = || "gone".to_owned();
    let start = FinishReason::EngineDoesNotStart { engine: 0, detail: told() };
    for (run, reason, judged, code) in [
        (&won, FinishReason::AcceptedH1, Verdict::Better, ExitCode::Done),
        (&lost, FinishReason::AcceptedH0, Verdict::Worse, ExitCode::Regression),
        (&open, FinishReason::GaveUp, Verdict::CannotTell, ExitCode::Inconclusive),
        (&open, FinishReason::AllGamesPlayed, Verdict::CannotTell, ExitCode::Inconclusive),
        (&lost, FinishReason::AllGamesPlayed, Verdict::Worse, ExitCode::Regression),
        (&candidates(), FinishReason::AllGamesPlayed, Verdict::Better, ExitCode::Done),
        (&plain, FinishReason::AllGamesPlayed, Verdict::Same, ExitCode::Done),
        (&won, FinishReason::Requested, Verdict::CannotTell, ExitCode::Inconclusive),
        (&won, FinishReason::GamesMissing, Verdict::CannotTell, ExitCode::Inconclusive),
        (&won, FinishReason::FileChanged { detail: told() }, Verdict::CannotTell, ExitCode::Inconclusive),
        (&won, start, Verdict::Broken, ExitCode::EngineBroke),
    ] {
        let found = Verdict::of_run(run, &reason);
        assert_eq!((found, found.exit_code()), (judged, code), "{reason:?}");
    }
    assert_eq!(Verdict::of_tests(&plain), None);
}

#[test]
fn who_is_to_blame_decides_what_a_time_loss_is_called() {
    let game = |index, excused| GameRecord {
        excused,
        detail: Some("the engine was starved and the runner late".to_owned()),
        ..lost_by(index, (0, 1), Side::Black, Termination::TimeLoss)
    };
    for (games, words) in [
        (vec![game(0, false)], "1 game lost by a fault of an engine"),
        (vec![game(0, true)], "1 game lost while the machine or Arbiter kept the engine waiting"),
        (
            vec![game(0, true), game(1, false), game(2, false)],
            "2 games lost by a fault of an engine, 1 game while the machine or Arbiter kept the engine waiting",
        ),
    ] {
        let run = outcome(&["new", "old"], false, &games);
        assert_eq!(blame(&run.summary, Some(&run.config)).as_deref(), Some(words));
        let terminal = result::summary(&run.summary, None).terminal(false);
        for text in
            [terminal, run_junit(std::slice::from_ref(&run))].into_iter().chain(texts(&run, games.clone()))
        {
            assert!(text.contains(words), "expected `{words}` in: {text}");
        }
    }
    assert_eq!(blame(&Summary::new(&config(&["new", "old"], false), &two_engine_match("wd")), None), None);
}

/// The texts about a noisy machine and an engine that was kept waiting, in a run with this clock.
#[cfg(target_os = "linux")]
fn told_of_noise(clock: runner::process::ClockKind) -> [String; 2] {
    let game = lost_by(0, (0, 1), Side::Black, Termination::TimeLoss);
    let mut run = outcome(&["new", "old"], false, &[GameRecord { excused: true, ..game }]);
    run.noisy = std::time::Duration::from_secs(20);
    let config = std::sync::Arc::make_mut(&mut run.config);
    config.clock = clock;
    config.limits.clock = Some("1+0.01".parse().unwrap());
    let program = std::env::current_exe().unwrap();
    config.engines.iter_mut().for_each(|engine| engine.program.clone_from(&program));
    let markdown = markdown(std::slice::from_ref(&run));
    [blame(&run.summary, Some(&run.config)).unwrap(), markdown]
}

#[cfg(target_os = "linux")]
#[test]
fn the_clock_of_the_processor_is_named_where_it_would_have_helped() {
    use runner::process::ClockKind::{Cpu, Wall};
    for text in told_of_noise(Wall) {
        assert!(text.contains("kept the engine waiting; --clock cpu prevents that"), "{text}");
    }
    let [_, markdown] = told_of_noise(Wall);
    assert!(markdown.contains("noisy for 20 s; --clock cpu prevents that."), "{markdown}");
    assert!(told_of_noise(Cpu).iter().all(|text| !text.contains("--clock")));
}

#[test]
fn a_tournament_has_a_leader_and_a_knockout_that_goes_on_has_none() {
    let summary = Summary::new(&config(&["a", "b", "c", "d"], false), &round_robin());
    assert_eq!(
        verdict(&summary),
        "a leads after 12 games: +190.8 [−220.6, +441.2] Elo vs. its opponents, but b is within the error bars."
    );
    let level = Summary::new(&config(&["a", "b", "c"], false), &two_engine_match("dd"));
    assert_eq!(verdict(&level), "a, b are level after 2 games.");
    let mut config = config(&["a", "b", "c", "d"], false);
    config.games = 2;
    config.format = runner::Format::Knockout { extra_pairs: 0 };
    let text = verdict(&Summary::new(&config, &two_engine_match("ww")));
    assert!(text.ends_with("engines are left in the knockout after 2 games."), "{text}");
}

#[test]
fn a_result_has_the_same_elo_first_everywhere() {
    let run = outcome(&["a", "b", "c", "d"], false, &round_robin());
    let terminal = result::summary(&run.summary, Some(&run.config)).terminal(false);
    assert!(terminal.ends_with(&format!("  {}\n", plain_minus(&quote(&run.summary, &run.config).unwrap()))));
    let json = ResultsJson::new(std::slice::from_ref(&run)).text().unwrap();
    let line = quote(&run.summary, &run.config).unwrap();
    assert!(line.starts_with("Elo vs. opponents: a +190.8 [−220.6, +441.2], b +58.5 "), "{line}");
    let [markdown, page] = texts(&run, round_robin());
    for text in [&page, &json, &markdown.replace('\\', "")] {
        assert!(text.contains(&line), "{text}");
    }
    for text in [page, json] {
        assert!(text.contains(&verdict(&run.summary)), "{text}");
    }
}

#[test]
fn the_line_to_quote_tells_that_a_decided_test_exaggerates() {
    let line = |results: &str| {
        let config = config(&["new", "old"], true);
        quote(&Summary::new(&config, &two_engine_match(results)), &config).unwrap_or_default()
    };
    assert_eq!(line("wlwl"), "new vs old: +0.0 ± 426.5 Elo, 4 games, 8+0.08, book made-up.epd");
    let decided = line(&"wwwd".repeat(300));
    assert!(decided.contains(" Elo, exaggerated by the SPRT, 1,200 games, 8+0.08"), "{decided}");
    assert_eq!(line(""), "");
}

#[test]
fn too_few_games_to_say_is_no_number_of_a_sentence() {
    let few = two_engine_match("ww");
    assert_eq!(of(None, &few), "2 games cannot tell new and old apart.");
    let three = Summary::new(&config(&["a", "b", "c"], false), &few);
    assert_eq!(verdict(&three), "a leads after 2 games, but b is within the error bars.");
    let line = quote(&three, &config(&["a", "b", "c"], false)).unwrap();
    assert!(line.starts_with("Elo vs. opponents: a (too few games), b (too few games), 2 games"), "{line}");
    let run = outcome(&["new", "old"], true, &two_engine_match("ww"));
    let line = quote(&run.summary, &run.config).unwrap();
    assert!(line.starts_with("new vs old: too few games to say, 2 games"), "{line}");
    let run = outcome(&["a", "b", "c"], false, &[]);
    let [_, page] = texts(&run, two_engine_match("wd"));
    assert!(page.contains("White's advantage: above −") && !page.contains("say Elo"), "{page}");
}
