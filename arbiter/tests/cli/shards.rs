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

/// What the program says where the machine has this name.
fn run_on(bench: &Workbench, machine: &str, line: &[&str]) -> Finished {
    Finished::of(bench.command(line).env("ARBITER_MACHINE", machine).output().unwrap())
}

fn play_on(bench: &Workbench, machine: &str, shard: &str) {
    let line = [&MATCH[..], &["--games", "24", "--out", machine, "--shard", shard]].concat();
    run_on(bench, machine, &line).expect_code(0);
}

/// The machines of a run with their games, as its JSON has them.
fn machines(bench: &Workbench, run: &str) -> Vec<(String, u64)> {
    let json = bench.run(&["report", "--json", run]).expect_code(0).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let machines = json["runs"][0]["summary"]["machines"]["machines"].as_array();
    let machine =
        |it: &serde_json::Value| (it["name"].as_str().unwrap().to_owned(), it["games"].as_u64().unwrap());
    machines.map_or_else(Vec::new, |machines| machines.iter().map(machine).collect())
}

#[test]
fn games_are_counted_by_machine_and_one_with_another_bench_is_refused_by_name() {
    let bench = Workbench::with_mocks(&["well"]);
    play_on(&bench, "ada", "1/2");
    play_on(&bench, "grace", "2/2");
    let both = merge(&bench, &["grace".to_owned(), "ada".to_owned()], "both").expect_code(0);
    both.shows(&["Machine", "ada", "grace", "Latency p50/p99/max"]);
    assert_eq!(machines(&bench, "both"), [("grace".to_owned(), 12), ("ada".to_owned(), 12)]);
    assert!(bench.read("both/report.html").contains("Results by machine"));
    bench.run("report --markdown both").expect_code(0).shows(&["| Machine |", "| ada | 12 |"]);

    merge(&bench, &["ada".to_owned()], "half").expect_code(3);
    assert_eq!(machines(&bench, "half"), [], "there is nothing to compare");
    run_on(&bench, "edsger", &["resume", "half"]).expect_code(0);
    assert_eq!(machines(&bench, "half"), [("ada".to_owned(), 12), ("edsger".to_owned(), 12)]);

    // A machine on which an engine searches other nodes.
    let journal = bench.read("grace/events.jsonl");
    assert!(journal.contains("\"benches\":[{\"nodes\":"), "{journal}");
    bench.write("grace/events.jsonl", &journal.replacen("[{\"nodes\":", "[{\"nodes\":1", 1));
    let folders = ["ada".to_owned(), "grace".to_owned()];
    merge(&bench, &folders, "merged")
        .expect_code(2)
        .tells(&["machine grace", "engine `tarrasch` searches", "on ada"]);
    assert!(!bench.path("merged").exists());
    merge(&bench, &folders[1..], "other-half").expect_code(3);
    run_on(&bench, "edsger", &["resume", "other-half"]).expect_code(2).tells(&["machine edsger", "on grace"]);
}

#[cfg(unix)]
#[test]
fn an_engine_that_is_not_the_same_twice_on_one_machine_accuses_no_other() {
    let bench = Workbench::new();
    // Every process has another number.
    bench.write_script("odd", "echo info depth 1 nodes 1$$ score cp 0; echo bestmove 0000");
    for (machine, shard) in [("ada", "1/2"), ("grace", "2/2")] {
        let line = [
            "match", "./odd", TARRASCH, "--nodes", "60", "--games", "4", "--seed", "1", "--shard", shard,
            "--out", machine,
        ];
        run_on(&bench, machine, &line).expect_code(0);
        assert!(
            bench.read(&format!("{machine}/events.jsonl")).contains("\"benches\":[\"not_the_same_twice\",")
        );
    }
    merge(&bench, &["ada".to_owned(), "grace".to_owned()], "both").expect_code(0);
}
