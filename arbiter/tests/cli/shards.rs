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

#[test]
fn what_is_missing_is_named_and_played_by_resume() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, "whole", &[]).expect_code(0);
    let mut folders = play_shards(&bench, 4);
    folders.remove(2);
    merge(&bench, &folders, "merged")
        .expect_code(3)
        .tells(&["6 of 24 games are missing: 13, 14, 15, 16, 17, 18"]);
    let status = bench.run("status merged").expect_code(0).stdout();
    assert!(status.starts_with("  interrupted: games are missing"), "{status}");
    bench.run("resume merged").expect_code(0);
    assert_eq!(bench.read("merged/games.pgn"), bench.read("whole/games.pgn"));
}

#[test]
fn what_is_not_one_run_is_refused_and_nothing_is_written() {
    let bench = Workbench::with_mocks(&["well"]);
    let folders = play_shards(&bench, 2);
    let other = |name: &str, from: &str, to: &str| {
        let copy = bench.path(name);
        fs::create_dir_all(&copy).unwrap();
        let journal = bench.read("shard-2/events.jsonl");
        assert!(journal.contains(from), "{from}");
        fs::write(copy.join("events.jsonl"), journal.replacen(from, to, 1)).unwrap();
        [folders[0].clone(), name.to_owned()]
    };
    for (name, from, to, said) in [
        ("seed", "\"seed\":7", "\"seed\":8", "other-seed: not the same run as shard-1: book.seed: 7 and 8"),
        ("nodes", "\"nodes\":60", "\"nodes\":61", "limits.nodes: 60 and 61"),
        ("engine", "\"name\":\"well\"", "\"name\":\"ill\"", "engine[2].name: `well` and `ill`"),
        ("games", "\"games\":24", "\"games\":26", "games: 24 and 26"),
    ] {
        merge(&bench, &other(&format!("other-{name}"), from, to), "merged").expect_code(2).tells(&[said]);
    }
    let twice = [folders[0].clone(), folders[1].clone(), folders[0].clone()];
    merge(&bench, &twice, "merged").expect_code(2).tells(&["is in shard-1 and in shard-1"]);
    merge(&bench, &["nothing".to_owned()], "merged").expect_code(2).tells(&["nothing"]);
    assert!(!bench.path("merged").exists());
    merge(&bench, &folders, "shard-1").expect_code(2);
}

#[test]
fn a_shard_that_cannot_be_is_an_error() {
    let bench = Workbench::with_mocks(&["well"]);
    for (shard, said) in [("3/2", "expected K/N"), ("1/24", "at most as many shards"), ("x", "expected K/N")]
    {
        play(&bench, "run", &["--shard", shard]).expect_code(2).tells(&[said]);
    }
    let knockout = play(&bench, "run", &["--shard", "1/2", "--format", "knockout"]).expect_code(2);
    assert!(knockout.stderr().contains("found a knockout"), "{}", knockout.stderr());
    assert!(!bench.path("run").exists());
}
