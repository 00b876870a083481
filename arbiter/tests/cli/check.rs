//! `arbiter check`, and faults that are said and kept and cost nobody a game.

use std::collections::BTreeMap;

#[cfg(unix)]
use runner::Termination;
use runner::{Event, WarningKind};

use crate::workbench::{TARRASCH, Workbench, events};

/// The findings by the name of their check: the verdict, and what was said.
fn findings(json: &str) -> BTreeMap<String, (String, String)> {
    let report: serde_json::Value = serde_json::from_str(json).unwrap();
    let findings = report["findings"].as_array().unwrap().iter().map(|finding| {
        let text = |field: &str| finding[field].as_str().unwrap_or_default().to_owned();
        (text("check"), (text("verdict"), format!("{} {}", text("sentence"), text("seen"))))
    });
    findings.collect()
}

#[test]
fn tarrasch_follows_the_protocol() {
    let bench = Workbench::new();
    let json = bench.run(&["check", TARRASCH, "--json"]).stdout();
    let mut findings = findings(&json);
    // How long a search takes is the machine's doing as well.
    for timed in ["go movetime", "go wtime btime", "go ponder"] {
        findings.remove(timed).unwrap();
    }
    assert_eq!(findings["same twice"].0, "pass");
    assert!(findings.len() > 30, "{json}");
    let failed: Vec<_> = findings.iter().filter(|(_, (verdict, _))| verdict == "fail").collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

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
    bench.run("resume run").expect_code(0);
}

#[test]
#[cfg(unix)]
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
