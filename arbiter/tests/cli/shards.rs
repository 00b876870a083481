//! `--shard` and `arbiter merge`: parts of a run that are played apart make the run that was played at once.

use std::fs;

use runner::{Event, FinishReason};

use crate::workbench::{Finished, TARRASCH, Workbench, events, rows};

/// Games whose moves do not depend on the machine.
const MATCH: [&str; 11] =
    ["match", TARRASCH, "well", "--nodes", "60", "--maxmoves", "8", "--openings", "book.epd", "--seed", "7"];

fn play(bench: &Workbench, out: &str, rest: &[&str]) -> Finished {
    bench.run(&[&MATCH[..], &["--games", "24", "--out", out], rest].concat())
}

/// Plays the shards of the match, each into a folder of its own.
fn play_shards(bench: &Workbench, of: u32) -> Vec<String> {
    let shard = |number: u32| {
        let folder = format!("shard-{number}");
        play(bench, &folder, &["--shard", &format!("{number}/{of}")]).expect_code(0);
        folder
    };
    (1..=of).map(shard).collect()
}

fn merge(bench: &Workbench, folders: &[String], out: &str) -> Finished {
    let folders = folders.iter().map(String::as_str);
    let args: Vec<&str> = ["merge"].into_iter().chain(folders).chain(["--out", out]).collect();
    bench.run(&args)
}

#[test]
fn ten_shards_are_the_run_that_was_played_at_once() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "whole", &[]).expect_code(0);
    let mut folders = play_shards(&bench, 10);
    // In whatever order they come.
    folders.reverse();
    let said = merge(&bench, &folders, "merged").expect_code(0).stdout();
    for file in ["games.pgn", "final.epd"] {
        assert_eq!(bench.read(&format!("merged/{file}")), bench.read(&format!("whole/{file}")), "{file}");
    }
    assert!(said.contains("Games         24:"), "{said}");
    let games =
        |folder: &str| rows(&bench, folder).iter().map(|row| row["result"].clone()).collect::<Vec<_>>();
    assert_eq!(games("merged"), games("whole"));
    assert!(bench.path("merged/report.html").exists());
    let merged = events(&bench, "merged");
    assert!(matches!(merged.last(), Some(Event::RunFinished { reason: FinishReason::AllGamesPlayed, .. })));
    for args in [&["status", "merged"][..], &["report", "merged", "--json"], &["rate", "merged"]] {
        bench.run(args).expect_code(0);
    }
    // The state beside the journal says what the journal says.
    for folder in ["whole", "merged"] {
        let said = || ["status", "report --json"].map(|line| bench.run(&format!("{line} {folder}")).stdout());
        let quick = said();
        fs::remove_file(bench.path(&format!("{folder}/state.json"))).unwrap();
        assert_eq!(quick, said());
    }
    bench.run("resume merged").expect_code(0).tells(&["nothing left to play"]);
    bench.run("status shard-3").expect_code(0).shows(&["shard 3/10"]);
}

#[test]
fn the_verdict_is_that_of_all_shards() {
    let bench = Workbench::with_mocks(&["well"]);
    let sprt = ["--sprt", "-400,-200"];
    let folders: Vec<String> = ["1/2", "2/2"]
        .into_iter()
        .map(|shard| {
            let folder = shard.replace('/', "-of-");
            play(&bench, &folder, &[&sprt[..], &["--shard", shard]].concat()).expect_code(0);
            assert_eq!(rows(&bench, &folder).len(), 12, "a shard plays all its games");
            folder
        })
        .collect();
    let merged = merge(&bench, &folders, "merged");
    let said = merged.stdout();
    assert!(said.contains("LLR"), "{said}");
    let is_accepted = said.contains("H1 accepted");
    assert_eq!(merged.code(), Some(if is_accepted { 0 } else { 3 }), "{said}");
}
