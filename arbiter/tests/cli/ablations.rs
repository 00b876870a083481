//! `arbiter ablate`: measures what a technique gains, even if it is interrupted or killed.

use std::process::Stdio;

use crate::killed_runs::killed_again_and_again;
use crate::processes::interrupt;
use crate::workbench::{TARRASCH, Workbench, wait_until};

const POSITIONS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
";

/// An ablation of two techniques, with four short games per technique.
const GAMES: [&str; 20] = [
    "ablate", TARRASCH, "--suite", "positions.epd", "--depth", "2", "--toggle", "MultiPV=2,1", "--toggle",
    "ponder", "--elo", "4", "--elo-nodes", "300", "--openings", "book.epd", "--seed", "1", "--maxmoves", "8",
];

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
    // A finished ablation only prints its result again.
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
