//! `arbiter ablate`: what a technique gains in time, nodes and Elo.

use std::process::Stdio;

use arbiter::compare::ablate::AblationStep;

use crate::killed_runs::killed_again_and_again;
use crate::processes::interrupt;
use crate::workbench::{POSITIONS, TARRASCH, Workbench, wait_until};

#[test]
fn each_step_of_an_ablation_switches_one_option_more() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let steps = |more: &[&str]| {
        let args = ["ablate", TARRASCH, "--suite", "positions.epd", "--depth", "5", "--json"];
        let args: Vec<&str> = args.into_iter().chain(more.iter().copied()).collect();
        let text = bench.run(&args).expect_code(0).stdout();
        serde_json::from_str::<Vec<AblationStep>>(&text).unwrap()
    };
    let toggles = ["--toggle", "MultiPV=2,1", "--toggle", "ponder"];
    let changes = |steps: &[AblationStep]| steps.iter().map(|step| step.change.clone()).collect::<Vec<_>>();
    let cumulative = steps(&toggles);
    assert_eq!(changes(&cumulative), ["", "+ MultiPV", "+ Ponder"]);
    // Two lines take more nodes than one, and the other option does not matter.
    assert!(cumulative[0].nodes > cumulative[1].nodes);
    assert_eq!(cumulative[1].nodes, cumulative[2].nodes);
    let alone = steps(&[&toggles[..], &["--one-off"]].concat());
    assert_eq!(changes(&alone), ["", "- MultiPV", "- Ponder"]);
    assert_eq!([alone[1].nodes, alone[2].nodes], [cumulative[0].nodes, alone[0].nodes]);
}

/// An ablation of two techniques with four short games of each.
const GAMES: [&str; 20] = [
    "ablate", TARRASCH, "--suite", "positions.epd", "--depth", "2", "--toggle", "MultiPV=2,1", "--toggle",
    "ponder", "--elo", "4", "--elo-nodes", "300", "--openings", "book.epd", "--seed", "1", "--maxmoves", "8",
];

#[test]
fn each_step_of_an_ablation_can_play_its_opponent() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let json = bench.run(&[&GAMES[..], &["--out", "cumulative", "--json"]].concat()).expect_code(0).stdout();
    let told: Vec<AblationStep> = serde_json::from_str(&json).unwrap();
    let counts: Vec<Option<u64>> =
        told.iter().map(|step| step.games.as_ref().map(|games| games.wdl.games())).collect();
    assert_eq!(counts, [None, Some(4), Some(4)]);
    assert_eq!(told[2].games.as_ref().unwrap().pairs.pairs(), 2);
    let second = bench.read("cumulative/02-Ponder/run.toml");
    assert!(
        second.contains("name = \"tarrasch + Ponder\"") && second.contains("name = \"tarrasch + MultiPV\"")
    );
    assert!(bench.read("cumulative/01-MultiPV/run.toml").contains("name = \"tarrasch all off\""));

    let text = bench.run(&[&GAMES[..], &["--out", "alone", "--one-off"]].concat()).expect_code(0).stdout();
    assert!(text.contains("Elo (95%)") && text.contains("Elo vs. all on: 300 nodes per move"), "{text}");
    let second = bench.read("alone/02-Ponder/run.toml");
    assert!(second.contains("name = \"tarrasch all on\""), "{second}");
    let csv = bench.run(&[&GAMES[..], &["--out", "table", "--csv"]].concat()).expect_code(0).stdout();
    assert_eq!(csv.lines().count(), 4);

    let refused = bench.run(&[&GAMES[..], &["--out", "table"]].concat()).expect_code(2).stderr();
    assert!(refused.contains("--out table: the folder is not empty"), "{refused}");
}

#[test]
fn an_ablation_that_is_killed_continues_exactly() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let begin = |out: &'static str| [&GAMES[..], &["--concurrency", "1", "--out", out]].concat();
    let whole = bench.run(&begin("whole")).expect_code(0).stdout();
    let lives = killed_again_and_again(&bench, "killed", "ablation.toml", &begin("killed"));
    assert!(lives > 0);
    for run in ["01-MultiPV", "02-Ponder"] {
        assert_eq!(
            bench.read(&format!("killed/{run}/games.pgn")),
            bench.read(&format!("whole/{run}/games.pgn"))
        );
    }
    // A finished ablation is only printed again.
    let told = bench.run("resume whole").expect_code(0).stdout();
    assert_eq!(told, whole);
    // Times differ from one measurement to the next; nodes and games do not.
    let known = |folder: &str| {
        let table = bench.read(&format!("{folder}/ablation.csv"));
        let rows = table.lines().map(|row| row.split(',').enumerate().filter(|(column, _)| *column != 1));
        rows.map(|row| row.map(|(_, cell)| cell.to_owned()).collect()).collect::<Vec<Vec<String>>>()
    };
    assert_eq!(known("killed"), known("whole"));
}

#[test]
fn an_interrupted_ablation_says_how_to_continue() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let many = GAMES.map(|arg| if arg == "4" { "4000" } else { arg });
    let args = [&many[..], &["--concurrency", "1", "--out", "long"]].concat();
    let mut command = bench.command(&args);
    let arbiter = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a game", || bench.path("long/01-MultiPV/games.pgn").exists());
    interrupt(&arbiter);
    let output = arbiter.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("saved; continue with: arbiter resume long"), "{said}");
    assert_eq!(output.status.code(), Some(3));
}
