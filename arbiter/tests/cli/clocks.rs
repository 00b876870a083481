//! Clocks, pondering and cores on the command line.

use runner::RunConfig;

use crate::finished_games::events;
use crate::workbench::{Finished, Workbench};

fn play(bench: &Workbench, args: &[&str]) -> Finished {
    let fixed = ["match", "well", "well", "--maxmoves", "8", "--openings", "book.epd", "--out", "run"];
    let all: Vec<&str> = fixed.iter().chain(args).copied().collect();
    bench.run(&all)
}

#[test]
fn every_kind_of_limit_is_played_with() {
    let limits: [&[&str]; 7] = [
        &["--tc", "40/60+0.5,20/30,10+0.1"],
        &["--tc", "0+5"],
        &["--tc", "3/10"],
        &["--movetime", "5000", "--nodes", "100"],
        &["--nodes", "100", "--depth", "3"],
        &["--tc", "1:00", "--nodes", "100", "--depth", "9"],
        &["--tc", "60", "--ponder"],
    ];
    for limit in limits {
        let bench = Workbench::with_mocks(&["well"]);
        let args: Vec<&str> = limit.iter().chain(&["--games", "2", "--concurrency", "1"]).copied().collect();
        play(&bench, &args).expect_code(0);
        assert!(bench.read("run/summary.json").contains("\"games\": 2"), "{limit:?}");
        assert!(!bench.path("run/bad").exists(), "{limit:?}");
        assert!(events(&bench, "run").len() >= 4);
    }
}

#[test]
fn pondering_takes_twice_the_cores() {
    let concurrency = |args: &[&str]| {
        let bench = Workbench::with_mocks(&["well"]);
        let all: Vec<&str> = args.iter().chain(&["--games", "2", "--nodes", "9"]).copied().collect();
        play(&bench, &all).expect_code(0);
        let config: RunConfig = toml::from_str(&bench.read("run/run.toml")).unwrap();
        config.concurrency
    };
    let alone = concurrency(&[]);
    assert_eq!(concurrency(&["--ponder"]), (alone / 2).max(1));
}

#[test]
fn more_games_than_cores_are_played_with_a_warning_and_refused_with_affinity() {
    let bench = Workbench::with_mocks(&["well"]);
    let args = ["--games", "2", "--nodes", "9", "--concurrency", "9999"];
    let refused = play(&bench, &[&args[..], &["--affinity"]].concat()).expect_code(2);
    assert!(refused.stderr().contains("affinity:"), "{}", refused.stderr());
    assert!(!bench.path("run").exists());
    let played = play(&bench, &args).expect_code(0);
    assert!(played.stderr().contains("9999 concurrent games"), "{}", played.stderr());
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_with_cores_of_its_own_is_played_and_resumed() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench, &["--games", "4", "--nodes", "9", "--affinity", "--concurrency", "1"]).expect_code(0);
    assert!(bench.read("run/run.toml").contains("affinity = true"));
    bench.run(&["resume", "run"]).expect_code(0);
}
