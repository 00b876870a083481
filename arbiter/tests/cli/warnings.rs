//! What an engine or a user does wrong without harm is said, kept, and costs nobody a game.

use runner::{Event, WarningKind};

use crate::finished_games::events;
use crate::workbench::{TARRASCH, Workbench};

#[test]
fn an_option_that_the_engine_does_not_have_is_a_warning_at_the_start_and_in_the_journal() {
    let bench = Workbench::with_mocks(&["well"]);
    let engine = format!("{TARRASCH}:Hahs=16");
    let args = ["match", &engine, "well", "--openings", "book.epd", "--nodes", "50", "--maxmoves", "3"];
    let finished = bench.run(&[&args[..], &["--games", "4", "--out", "run"]].concat()).expect_code(0);
    let said = finished.stderr();
    let first = said.lines().find(|line| line.contains("warning: engine tarrasch")).expect("a warning");
    for word in ["`Hahs`", "did you mean `Hash`?", "MultiPV"] {
        assert!(first.contains(word), "{first}");
    }
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
