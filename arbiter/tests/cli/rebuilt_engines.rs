//! Engines that are built anew while they play: the new build never plays under the name of the old one.

use std::fs;

use runner::{Event, FinishReason, WarningKind};

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, TARRASCH, Workbench, events, games, journalled, wait_until};

const MATCH: &str =
    "--games 8 --concurrency 1 --nodes 20 --openings book.epd --seed 1 --maxmoves 10 --restart --out run";

/// A folder with an engine `planter` that runs a command of the shell when it is started for the third game.
fn bench(command: &str) -> Workbench {
    let bench = Workbench::new();
    let plant = format!(
        "#!/bin/sh\necho x >> starts\nif [ $(wc -l < starts) = 3 ]; then\n{command}\nfi\nexec '{MOCK_ENGINE}' well\n"
    );
    bench.write_program("planter", &plant);
    bench
}

/// A script that is an engine and announces a network.
fn write_script(bench: &Workbench, file: &str) {
    let introduction = "echo id name Scripted\necho option name EvalFile type string default net.nnue";
    let script = format!("#!/bin/sh\n{introduction}\nexec '{MOCK_ENGINE}' well\n");
    bench.write_program(file, &script);
}

fn reason(bench: &Workbench) -> String {
    match events(bench, "run").pop() {
        Some(Event::RunFinished { reason: FinishReason::FileChanged { detail }, .. }) => detail,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_script_that_is_replaced_within_a_run_stops_it_until_it_is_restored() {
    let bench = bench("mv other mine");
    write_script(&bench, "mine");
    let before = bench.read("mine");
    bench.write_program("other", &format!("{before}# Anew.\n"));
    let stopped = bench.run(&format!("match ./mine ./planter {MATCH}")).expect_code(3);
    stopped.shows(&["engine mine: its program is not what it was", "./mine", "arbiter resume run", "@HEAD"]);
    assert!(reason(&bench).contains("its program"));
    // In the third game it may have been started and ready before the planter.
    assert!([2, 3].contains(&journalled(&bench, "run").len()));
    bench.run("status run").expect_code(0).shows(&["its program is not what it was"]);
    bench.run("resume run").expect_code(2).tells(&["./mine has changed since the run started", "@HEAD"]);
    bench.write_program("mine", &before);
    bench.run("resume run").expect_code(0);
    assert_eq!(journalled(&bench, "run").len(), 8);
}

#[test]
fn a_network_that_is_replaced_stops_the_run_and_one_that_is_written_again_does_not() {
    for (plant, is_new) in [("cp net.nnue copy; mv copy net.nnue", false), ("echo new > net.nnue", true)] {
        let bench = bench(plant);
        write_script(&bench, "mine");
        bench.write("net.nnue", "old\n");
        let played = bench.run(&format!("match ./mine ./planter {MATCH}"));
        if !is_new {
            played.expect_code(0);
            continue;
        }
        played.expect_code(3).shows(&["engine mine: option EvalFile is not what it was", "net.nnue"]);
        bench.run("resume run").expect_code(2).tells(&["option EvalFile: ", "net.nnue has changed"]);
        bench.run("run run --out again").expect_code(2).tells(&["net.nnue has changed"]);
        bench.run("run run --out again --accept-changed").expect_code(0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_built_anew_plays_its_run_to_the_end_as_it_was() {
    let games_with = |command: &str| {
        let bench = bench(command);
        bench.place_engine("mine");
        let played = bench.run(&format!("match ./mine ./planter {MATCH}")).expect_code(0);
        (games(&bench, "run"), events(&bench, "run"), played.stderr() + &played.stdout())
    };
    let (undisturbed, ..) = games_with(":");
    // As a linker does it: the old file is unlinked.
    let (games, events, said) = games_with(&format!("rm mine\ncp '{TARRASCH}' mine"));
    assert_eq!(games, undisturbed);
    let warns = |event: &&Event| {
        matches!(event, Event::EngineWarning { engine: 0, kind: WarningKind::ProgramReplaced, .. })
    };
    assert_eq!(events.iter().filter(warns).count(), 1);
    assert!(said.contains("another program is at ./mine now"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_overwritten_in_a_pause_stops_the_run() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.place_engine("mine");
    let line = "match ./mine well --games 100000 --nodes 20 --openings book.epd --maxmoves 10 --out run";
    let mut arbiter = bench.spawn(line);
    wait_until("a game", || !journalled(&bench, "run").is_empty());
    bench.run("control run pause").expect_code(0);
    let status = || bench.run("status run").expect_code(0).stdout();
    wait_until("the games in progress are over", || status().starts_with("  paused, 0 games in progress"));
    wait_until("only the run itself is left", || bench.processes_now() == 1);
    let played = journalled(&bench, "run").len();
    fs::copy(TARRASCH, bench.path("mine")).unwrap();
    bench.run("control run resume").expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    assert!(reason(&bench).contains("its program"));
    assert_eq!(journalled(&bench, "run").len(), played);
}

#[test]
fn the_dialects_stop_too() {
    let bench = bench("mv other mine");
    write_script(&bench, "mine");
    bench.write_program("other", &format!("{}# Anew.\n", bench.read("mine")));
    let line = "-engine cmd=./mine name=a restart=on -engine cmd=./planter name=b restart=on -each nodes=20 tc=inf \
                -rounds 4 -games 2 -openings file=book.epd -maxmoves 10";
    let said = bench.run(&format!("fastchess {line}")).expect_code(1).stdout();
    assert!(said.contains("Fatal; engine a: its program is not what it was"), "{said}");
}

#[test]
fn a_run_is_continued_from_any_folder() {
    let bench = bench("kill -INT $PPID; sleep 0.2");
    write_script(&bench, "mine");
    bench.write("net.nnue", "old\n");
    let line = format!("match ./mine:EvalFile=./net.nnue ./planter {MATCH}");
    bench.run(&line).expect_code(3);
    assert!(journalled(&bench, "run").len() < 8);
    fs::create_dir_all(bench.path("else/where")).unwrap();
    let mut command = bench.command("resume ../../run");
    let resumed = command.current_dir(bench.path("else/where")).output().unwrap();
    let resumed = Finished::of(resumed).expect_code(0).tells(&["continues in ", "where it began"]);
    assert!(resumed.stdout().contains("/run"), "the folder is named as it is found from there");
    assert_eq!(journalled(&bench, "run").len(), 8);
    // A run that was moved to another machine has no such folder.
    let (journal, file) = (bench.read("run/events.jsonl"), bench.read("run/run.toml"));
    let first = journal.split_inclusive('\n').take(2).collect::<String>();
    let folder = fs::canonicalize(bench.path(".")).unwrap();
    let folder = folder.to_str().unwrap();
    bench.write("run/events.jsonl", &first.replace(folder, "/no/such/folder"));
    bench.write("run/run.toml", &file.replace(folder, "/no/such/folder"));
    bench.run("resume run").expect_code(0);
}
