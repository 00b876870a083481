//! Shards with a pool: a single sequential test over all shards, which stops all of them.

use std::process::{Child, Stdio};

use arbiter::results::{Estimates, Summary};
use runner::{Event, FinishReason, PoolDecision};
use stats::Observations;

use crate::processes::interrupt;
use crate::workbench::{Finished, TARRASCH, Workbench, events, wait_until};

/// The first engine searches more than the second, so H1 is accepted after some tens of games.
fn line<'a>(shard: &'a str, out: &'a str, rest: &[&'a str]) -> Vec<String> {
    let weaker = format!("{TARRASCH}:Hash=1,nodes=100");
    let words = ["match", TARRASCH, &weaker, "--nodes", "400", "--seed", "7", "--sprt", "0,50"];
    let shard = ["--concurrency", "1", "--shard", shard, "--out", out, "--pool-every", "1"];
    words.iter().chain(&shard).chain(rest).map(|word| (*word).to_owned()).collect()
}

fn start(bench: &Workbench, number: u32, of: u32, rest: &[&str]) -> Child {
    let (shard, out) = (format!("{number}/{of}"), format!("shard-{number}"));
    let words = line(&shard, &out, rest);
    let mut command = bench.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(shard: Child) -> Finished {
    Finished::of(shard.wait_with_output().unwrap())
}

fn decision(bench: &Workbench, folder: &str) -> PoolDecision {
    let decided = |event| match event {
        Event::PoolDecided { decision, .. } => Some(*decision),
        _ => None,
    };
    events(bench, folder).into_iter().find_map(decided).expect("a decision")
}

/// The merged run has the verdict and the counts of the pool.
fn check_merged(bench: &Workbench, shards: &str) {
    let said = bench.run(&format!("merge {shards} --out merged")).expect_code(0).stdout();
    assert!(said.contains("H1 accepted"), "{said}");
    let PoolDecision { reason, counts, games } = decision(bench, "merged");
    assert_eq!(reason, FinishReason::AcceptedH1);
    let summary: Summary = serde_json::from_str(&bench.read("merged/summary.json")).unwrap();
    assert_eq!(Observations::Pairs(summary.pairings[0].pentanomial), counts);
    let counted = summary.games - summary.after_decision.games();
    assert_eq!(counted, games.iter().map(|(_, games)| u64::from(*games)).sum::<u64>());
    bench.run("resume merged").expect_code(0).tells(&["nothing left to play"]);
}

#[test]
fn all_shards_stop_at_the_verdict_of_all() {
    let bench = Workbench::new();
    let shards = [1, 2, 3].map(|number| start(&bench, number, 3, &["--pool", "pool"]));
    for shard in shards {
        end(shard).expect_code(0).shows(&["of 3 shards", "which the SPRT counts", "H1 accepted"]);
    }
    for folder in ["shard-1", "shard-2", "shard-3"] {
        let last = events(&bench, folder).pop();
        assert!(
            matches!(last, Some(Event::RunFinished { reason: FinishReason::AcceptedH1, .. })),
            "{last:?}"
        );
    }
    check_merged(&bench, "shard-1 shard-2 shard-3");
}

/// The test counted the games of a lost machine, so no figures of fewer games may stand beside its verdict.
#[test]
fn all_figures_of_a_verdict_are_of_the_same_games_though_a_shard_is_lost() {
    let bench = Workbench::new();
    for shard in [1, 2].map(|number| start(&bench, number, 2, &["--pool", "pool"])) {
        end(shard).expect_code(0);
    }
    let journal = bench.read("shard-1/events.jsonl");
    bench.write("shard-1/events.jsonl", journal.split_inclusive('\n').next().unwrap());
    bench.run("merge shard-1 shard-2 --out merged").expect_code(0);
    assert!(bench.read("merged/report.html").contains("are not here.</h1>"));
    let PoolDecision { counts, .. } = decision(&bench, "merged");
    let summary: Summary = serde_json::from_str(&bench.read("merged/summary.json")).unwrap();
    let pairing = &summary.pairings[0];
    assert!(pairing.wdl.games() < counts.games(), "{pairing:?}");
    let of_test = Estimates::new(&counts, pairing.estimates.sprt);
    assert_eq!(Estimates { after_sprt: None, ..pairing.estimates }, of_test);
    let (games, here) = (format!("{}: points", counts.games()), format!("here {}:", pairing.wdl.games()));
    for command in ["report merged --text", "sprt merged"] {
        bench.run(command).expect_code(0).shows(&[&games, &here, "H1 accepted"]);
    }
    bench.run("status merged").expect_code(0).shows(&["finished: SPRT accepted H1"]);
}

#[test]
fn a_shard_that_was_killed_learns_the_verdict_of_the_others() {
    let bench = Workbench::new();
    let mut killed = start(&bench, 2, 2, &["--pool", "pool"]);
    wait_until("a pool", || bench.path("pool").read_dir().is_ok_and(|mut files| files.next().is_some()));
    killed.kill().unwrap();
    killed.wait().unwrap();
    end(start(&bench, 1, 2, &["--pool", "pool"])).expect_code(0);
    bench.run("resume shard-2").expect_code(0).shows(&["H1 accepted"]);
    check_merged(&bench, "shard-1 shard-2");
}

#[cfg(unix)]
#[test]
fn a_command_carries_what_shards_say_and_may_fail() {
    let bench = Workbench::new();
    let carry = "test -e broken && { echo 'no network' >&2; exit 1; }; mkdir -p pool && cat >pool/$$.new && \
                 mv pool/$$.new pool/$(grep -o '[12]/2' pool/$$.new | head -n 1 | tr / -).txt && cat pool/*.txt";
    bench.write("broken", "");
    let first = start(&bench, 1, 2, &["--pool-by", carry]);
    wait_until("a first game", || {
        std::fs::read_to_string(bench.path("shard-1/events.jsonl"))
            .is_ok_and(|text| text.contains("no network"))
    });
    std::fs::remove_file(bench.path("broken")).unwrap();
    let second = start(&bench, 2, 2, &["--pool-by", carry]);
    end(first).expect_code(0).tells(&["no network"]);
    end(second).expect_code(0);
    // The command may hold a token, so no file may contain it.
    for file in bench.listing().into_iter().filter(|path| path.is_file() && !path.ends_with("broken")) {
        let text = std::fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains("mkdir -p pool"), "{}", file.display());
    }
    check_merged(&bench, "shard-1 shard-2");
}

/// Whatever blocks the pool's command, two interrupts end the run, and `kill -9` leaves no process.
#[cfg(target_os = "linux")]
#[test]
fn a_command_that_hangs_ends_with_the_run() {
    let bench = Workbench::new();
    let hang = "touch asked; sleep 7000";
    for is_killed in [false, true] {
        let mut shard = start(&bench, 1, 2, &["--pool-by", hang]);
        wait_until("the command", || bench.path("asked").exists());
        let began = std::time::Instant::now();
        if is_killed {
            shard.kill().unwrap();
        } else {
            interrupt(&shard);
            wait_until("the first interrupt", || {
                std::fs::read_to_string(bench.path("shard-1/events.jsonl")).is_ok_and(|text| !text.is_empty())
            });
            std::thread::sleep(std::time::Duration::from_millis(300));
            interrupt(&shard);
        }
        shard.wait().unwrap();
        assert!(began.elapsed() < crate::workbench::PATIENCE, "the command held the run up");
        assert_eq!(bench.processes(), 0, "killed: {is_killed}");
        std::fs::remove_file(bench.path("asked")).unwrap();
        std::fs::remove_dir_all(bench.path("shard-1")).unwrap();
    }
}

#[test]
fn another_test_in_the_same_place_is_named_and_does_not_count() {
    let bench = Workbench::new();
    end(start(&bench, 1, 1, &["--pool", "pool"])).expect_code(0);
    let words = line("1/1", "other", &["--pool", "pool", "--tc", "1+0.01"]);
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| *word != "--nodes" && *word != "400").collect();
    let said = bench.run(&words).stderr();
    assert!(said.contains("of another run"), "{said}");
    assert_eq!(decision(&bench, "other").games.len(), 1);
}

#[test]
fn a_shard_that_lies_is_named_and_does_not_count() {
    let bench = Workbench::new();
    let shard = start(&bench, 1, 2, &["--pool", "pool"]);
    let files = || bench.path("pool").read_dir().into_iter().flatten().flatten();
    let is_report = |path: &std::path::Path| path.extension().is_some_and(|ending| ending == "json");
    wait_until("a report", || files().any(|file| is_report(&file.path())));
    let report = files().find(|file| is_report(&file.path())).unwrap().path();
    let mut lie: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report).unwrap()).unwrap();
    lie["shard"] = "2/2".into();
    lie["session"] = "a liar".into();
    lie["games"] = 2.into();
    lie["counts"] = serde_json::json!({ "pairs": [0, 0, 0, 0, 100_000] });
    bench.write("pool/liar.json", &lie.to_string());
    bench.write("pool/huge.json", &"x".repeat(9 << 20));
    end(shard).expect_code(0).shows(&["H1 accepted"]);
    let journal = bench.read("shard-1/events.jsonl");
    assert!(journal.contains("does not count: it says pairs [0, 0, 0, 0, 100000] that are none of 2 games"));
    assert!(journal.contains("1 of the lines there are not what a shard says"));
    let PoolDecision { games, .. } = decision(&bench, "shard-1");
    assert!(games.len() == 1 && games[0].1 > 2, "{games:?}");
}

#[test]
fn a_verdict_that_its_games_do_not_bear_out_is_none() {
    let bench = Workbench::new();
    for shard in [1, 2].map(|number| start(&bench, number, 2, &["--pool", "pool"])) {
        end(shard).expect_code(0);
    }
    let checksums = regex_lite::Regex::new(r#","crc":"[0-9a-f]{8}"}"#).unwrap();
    let journals = ["shard-1", "shard-2"].map(|shard| bench.read(&format!("{shard}/events.jsonl")));
    for (number, (from, to)) in [
        ("\"result\":\"1-0\"", "\"result\":\"1/2-1/2\""),
        ("\"reason\":{\"kind\":\"accepted_h1\"}", "\"reason\":{\"kind\":\"accepted_h0\"}"),
        (
            "\"decision\":{\"reason\":{\"kind\":\"accepted_h1\"},\"counts\":{\"pairs\":[",
            "\"decision\":{\"reason\":{\"kind\":\"accepted_h1\"},\"counts\":{\"pairs\":[9",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        for (shard, journal) in ["shard-1", "shard-2"].into_iter().zip(&journals) {
            let changed = checksums.replace_all(journal, "}").replace(from, to);
            assert!(changed.contains(to), "{to}");
            bench.write(&format!("{shard}/events.jsonl"), &changed);
        }
        let merged = bench.run(&format!("merge shard-1 shard-2 --out merged-{number}")).expect_code(3);
        merged.tells(&["they give no verdict"]);
    }
}
