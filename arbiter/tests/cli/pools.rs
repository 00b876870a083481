//! Processes that play together: shards with a pool, whose sequential test stops all of them (more is in
//! `scenarios/pools.txt`), and a shared list.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};

use arbiter::results::{Estimates, Summary};
use runner::{Event, FinishReason, Journal, PoolDecision};
use stats::Observations;

use crate::workbench::{Finished, TARRASCH, Workbench, events};

/// Plays all shards at once. The first engine searches more than the second, so H1 is accepted after some tens of games.
/// The games take some seconds, so that each shard hears of the others before the verdict.
fn play_shards(bench: &Workbench, count: u32) -> Vec<Finished> {
    let start = |number| {
        let line = format!(
            "match {TARRASCH} {TARRASCH}:Hash=1,nodes=1 --nodes 1000 --seed 7 --sprt 0,50 --games 1000 --concurrency 1 \
             --shard {number}/{count} --out shard-{number} --pool-every 1 --pool pool"
        );
        bench.command(&words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let shards: Vec<Child> = (1..=count).map(start).collect();
    shards.into_iter().map(|shard| Finished::of(shard.wait_with_output().unwrap()).expect_code(0)).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn decision(bench: &Workbench, folder: &str) -> PoolDecision {
    let decided = |event| match event {
        Event::PoolDecided { decision, .. } => Some(*decision),
        _ => None,
    };
    events(bench, folder).into_iter().find_map(decided).expect("a decision")
}

#[test]
fn all_shards_stop_at_the_verdict_of_all() {
    let bench = Workbench::new();
    for shard in play_shards(&bench, 3) {
        shard.shows(&["of 3 shards", "which the SPRT counts", "H1 accepted"]);
    }
    for folder in ["shard-1", "shard-2", "shard-3"] {
        let last = events(&bench, folder).pop();
        assert!(
            matches!(last, Some(Event::RunFinished { reason: FinishReason::AcceptedH1, .. })),
            "{last:?}"
        );
    }
    // The merged run has the verdict and the counts of the pool.
    bench.run(&words("merge shard-1 shard-2 shard-3 --out merged")).expect_code(0).shows(&["H1 accepted"]);
    let PoolDecision { reason, counts, games } = decision(&bench, "merged");
    assert_eq!(reason, FinishReason::AcceptedH1);
    let summary: Summary = serde_json::from_str(&bench.read("merged/summary.json")).unwrap();
    assert_eq!(Observations::Pairs(summary.pairings[0].pentanomial), counts);
    let counted = summary.games - summary.after_decision.games();
    assert_eq!(counted, games.iter().map(|(_, games)| u64::from(*games)).sum::<u64>());
    bench.run(&["resume", "merged"]).expect_code(0).tells(&["nothing left to play"]);
}

/// The test counted the games of a lost machine, so no figures of fewer games may stand beside its verdict.
#[test]
fn all_figures_of_a_verdict_are_of_the_same_games_though_a_shard_is_lost() {
    let bench = Workbench::new();
    play_shards(&bench, 2);
    let journal = bench.read("shard-1/events.jsonl");
    bench.write("shard-1/events.jsonl", journal.split_inclusive('\n').next().unwrap());
    bench.run(&words("merge shard-1 shard-2 --out merged")).expect_code(0);
    assert!(bench.read("merged/report.html").contains(" not here.</h1>"));
    let PoolDecision { counts, .. } = decision(&bench, "merged");
    let summary: Summary = serde_json::from_str(&bench.read("merged/summary.json")).unwrap();
    let pairing = &summary.pairings[0];
    assert!(pairing.wdl.games() < counts.games(), "{pairing:?}");
    let of_test = Estimates::new(&counts, pairing.estimates.sprt);
    assert_eq!(Estimates { after_sprt: None, ..pairing.estimates }, of_test);
    let (games, here) = (format!("{}: points", counts.games()), format!("here {}:", pairing.wdl.games()));
    for command in ["report merged --text", "sprt merged"] {
        bench.run(&words(command)).expect_code(0).shows(&[&games, &here, "H1 accepted"]);
    }
    bench.run(&["status", "merged"]).expect_code(0).shows(&["finished: SPRT accepted H1"]);
}

/// The openings of each pairing, over all runs of the list `l`; panics at one that a pairing had before.
fn games_of_list(bench: &Workbench, runs: u32) -> usize {
    let mut seen = BTreeSet::new();
    for run in 1..=runs {
        for game in bench.read(&format!("l/runs/{run:04}/games.pgn")).split("[Event ").skip(1) {
            let is_told =
                |line: &&str| ["[White ", "[Black ", "[FEN "].iter().any(|tag| line.starts_with(tag));
            let told: Vec<String> = game.lines().filter(is_told).map(str::to_owned).collect();
            assert_eq!(told.len(), 3, "{game}");
            assert!(seen.insert(told), "an opening again: {game}");
        }
    }
    seen.len()
}

#[test]
fn processes_that_share_a_list_play_different_openings() {
    let bench = Workbench::new();
    let run = |line: &str, code| bench.run(&words(line)).expect_code(code);
    run("list new l --nodes 200 --seed 1", 0);
    run(&format!("list add l {TARRASCH} {TARRASCH}:name=weak,nodes=20 {TARRASCH}:name=strong,nodes=500"), 0);
    let line = "list play l --shared --games 60 --concurrency 1";
    let start = |_| bench.spawn_with(&words(line), Stdio::null(), Stdio::piped());
    let both: Vec<Child> = (0..2).map(start).collect();
    for process in both {
        Finished::of(process.wait_with_output().unwrap()).expect_code(0).tells(&[": 20 games"]);
    }
    run("list status l", 0).shows(&["3 engines, 6 runs, 120 games"]);
    assert_eq!(games_of_list(&bench, 6), 120);
    // Another machine plays the sixth run, whose last games it may still play.
    let path = "l/runs/0006/events.jsonl";
    let begun: String = bench.read(path).split_inclusive('\n').take(8).collect();
    bench.write(path, &begun);
    let held = Journal::open_for_resume(&bench.path(path)).unwrap();
    run("list status l", 0).shows(&["run 0006 is being played"]);
    run("list play l --games 20", 2).tells(&["another process plays run 0006", "give both --shared"]);
    run("list play l --shared --games 20 --concurrency 1", 0).tells(&["run 0007: 20 games"]);
    assert_eq!(games_of_list(&bench, 7), 140);
    run(&format!("list add l {TARRASCH}:name=new,nodes=100"), 0);
    drop(held);
    // It was killed, so its run is finished first.
    run("list play l --shared --games 30 --concurrency 1", 0).tells(&["finishing run 0006", "run 0008: "]);
    run("list play l --shared --on .", 2).tells(&["cannot be used with"]);
}
