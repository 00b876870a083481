//! What an engine, a user or the runner does wrong without harm is said, kept, and costs nobody a game.

use runner::{Event, Termination, WarningKind};

use crate::finished_games::events;
use crate::workbench::{POSITIONS, TARRASCH, Workbench};

#[test]
fn an_option_that_the_engine_does_not_have_is_an_error_unless_it_is_allowed() {
    let bench = Workbench::with_mocks(&["well"]);
    let engine = format!("{TARRASCH}:Hahs=16");
    let refused = ["match", &engine, "well", "--openings", "book.epd", "--nodes", "50", "--out", "run"];
    let message = bench.run(&refused).expect_code(2).stderr();
    let expected =
        "engine tarrasch: no option `Hahs` (did you mean `Hash`?); to send it all the same: --allow-unknown";
    assert!(message.contains(expected) && !message.contains("MultiPV"), "{message}");
    assert!(!bench.path("run").exists());
    let args = ["match", &engine, "well", "--openings", "book.epd", "--nodes", "50", "--maxmoves", "3"];
    let finished =
        bench.run(&[&args[..], &["--games", "4", "--out", "run", "--allow-unknown"]].concat()).expect_code(0);
    let said = finished.stderr();
    let warnings: Vec<&str> = said.lines().filter(|line| line.contains("Hahs")).map(str::trim).collect();
    assert_eq!(warnings, ["warning: engine tarrasch: no option `Hahs` (did you mean `Hash`?)"]);
    let events = events(&bench, "run");
    let kept: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::EngineWarning { engine, kind, text, .. } => {
                Some((*engine, *kind, text.contains("`Hahs`")))
            }
            _ => None,
        })
        .collect();
    assert_eq!(kept, [(0, WarningKind::UnknownOption, true)], "told once, whatever the number of games");
    assert!(finished.stdout().contains("4 games"), "{}", finished.stdout());
    bench.run(&["resume", "run"]).expect_code(0);
}

#[test]
fn what_an_engine_says_of_a_value_that_only_it_can_judge_is_a_warning_once() {
    let bench = Workbench::new();
    bench.write("a.epd", POSITIONS);
    bench.write("tactics.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n");
    bench.write("perft.epd", "7k/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\n");
    let engine = &*format!("{TARRASCH}:EvalFile=nowhere.nnue,Hash=1");
    let games = "[match]\nlimits = { nodes = 50 }\ngames = 2\nopenings = 'book.epd'\n";
    let steps =
        format!("[perft]\nsuites = ['perft.epd']\n[speed]\nsuites = ['a.epd']\nduration = '1s'\n{games}");
    bench.write("arbiter.toml", &format!("engine = '{engine}'\nagainst = '{TARRASCH}'\n{steps}"));
    for args in [
        &["match", engine, TARRASCH, "--openings", "book.epd", "--nodes", "5", "--games", "2"][..],
        &["tactics", engine, "--suite", "tactics.epd", "--nodes", "5000", "--concurrency", "2"],
        &["speed", engine, "--suite", "a.epd", "--nodes", "500"],
        &["perft", engine, "--suite", "perft.epd"],
        &["check", engine],
        &["ci"],
    ] {
        let said = bench.run(args).stderr();
        let warnings: Vec<_> =
            said.lines().filter(|line| line.contains("warning: engine tarrasch: ")).collect();
        assert!(warnings.len() == 1 && warnings[0].contains("EvalFile: nowhere.nnue: "), "{args:?}: {said}");
    }
    let said = bench.run(&["perft", &format!("{TARRASCH}:Hash=1"), "--suite", "perft.epd"]).stderr();
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn what_the_runner_was_late_by_costs_nobody_a_game() {
    let bench = Workbench::with_mocks(&["stops-runner", "well"]);
    let args = ["match", "stops-runner", "well", "--openings", "book.epd", "--tc", "3", "--timemargin", "0"];
    let finished =
        bench.run(&[&args[..], &["--maxmoves", "4", "--games", "2", "--out", "run"]].concat()).expect_code(0);
    let said = finished.stderr();
    for words in ["would have been", "but the runner's thread waited", "that is not counted"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let events = events(&bench, "run");
    let is_late = |event: &&Event| {
        matches!(event, Event::EngineWarning { engine: 0, kind: WarningKind::RunnerLate, .. })
    };
    assert_eq!(events.iter().filter(is_late).count(), 1, "{said}");
    assert!(!finished.stdout().contains("time loss"), "{}", finished.stdout());
    let games: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::GameFinished(record) => Some(record),
            _ => None,
        })
        .collect();
    assert_eq!(games.len(), 2);
    for record in games {
        assert_eq!(record.termination, Termination::MaxMoves, "{:?}", record.detail);
    }
}
