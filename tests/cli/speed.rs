//! `arbiter speed` and `arbiter ablate`: which build searches more nodes a second, and what does a technique save?

use arbiter::suites::{AblationStep, SpeedReport};

use crate::mock_program;
use crate::workbench::{TARRASCH, Workbench};

const POSITIONS: &str = "\
# Two positions.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3;
";

#[test]
fn two_engines_search_the_same_positions_two_and_two() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let args =
        ["speed", TARRASCH, TARRASCH, "--suite", "positions.epd", "--depth", "4", "--rounds", "2", "--json"];
    let report: SpeedReport = serde_json::from_str(&bench.run(&args).expect_code(0).stdout()).unwrap();
    assert_eq!((report.schema, report.positions, report.rounds), (SpeedReport::SCHEMA, 2, 2));
    assert_eq!(report.limit, "go depth 4");
    let [one, other] = &report.engines[..] else { panic!("{report:?}") };
    assert_eq!((one.searches, other.searches), (8, 8));
    assert_eq!(one.nodes, other.nodes);
    assert!((one.mean_depth - 4.0).abs() < 1e-9);
    assert_eq!(report.comparisons.len(), 1);
    assert!(report.comparisons[0].time.is_some());
}

#[test]
fn a_planted_slowdown_is_measured_and_everything_else_stays_the_same() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let engine = mock_program::example("slowed_tarrasch").display().to_string();
    let slowed = format!("{engine}:Slowdown=1000");
    let limits = ["--suite", "positions.epd", "--rounds", "3", "--nodes", "2000", "--json"];
    let args = [&["speed", &engine, &slowed], &limits[..]].concat();
    let report: SpeedReport = serde_json::from_str(&bench.run(&args).expect_code(0).stdout()).unwrap();
    let [plain, slowed] = &report.engines[..] else { panic!("{report:?}") };
    assert_eq!((plain.nodes, plain.hashfull), (slowed.nodes, slowed.hashfull));
    let comparison = &report.comparisons[0];
    let race = comparison.to_depth.as_ref().unwrap();
    assert!((race.nodes.ratio - 1.0).abs() < 1e-12 && race.mean_depth > 1.0, "{race:?}");
    if cfg!(target_os = "linux") {
        // As much time is wasted as is needed; how exactly that is seen depends on what else the machine does.
        let ratio = comparison.by_cpu_time.unwrap();
        assert!(ratio.ratio > 1.5 && ratio.ratio < 2.5, "{ratio:?}");
        assert!(slowed.memory_mb.unwrap() > 1.0 && slowed.user_seconds.is_some());
    }
}

#[test]
fn one_engine_alone_is_measured_too_and_shown_as_a_table() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let text = bench
        .run(&["speed", TARRASCH, "--suite", "positions.epd", "--nodes", "3000"])
        .expect_code(0)
        .stdout();
    assert!(text.contains("Nodes/s") && text.contains("  tarrasch"), "{text}");
    assert!(text.contains("2 positions, `go nodes 3000`"), "{text}");
}

#[test]
fn what_cannot_be_measured_is_told() {
    let bench = Workbench::new();
    bench.write("empty.epd", "# nothing\n");
    let errors = bench.run(&["speed", TARRASCH, "--suite", "empty.epd"]).expect_code(2).stderr();
    assert!(errors.contains("empty.epd: expected at least one position, found none"), "{errors}");
    bench.write("illegal.epd", "\n8/8/8/8/8/8/8/8 w - -\n");
    let errors = bench.run(&["speed", TARRASCH, "--suite", "illegal.epd"]).expect_code(2).stderr();
    assert!(errors.contains("illegal.epd:2: "), "{errors}");
    let errors = bench.run(&["speed", "nobody"]).expect_code(2).stderr();
    assert!(errors.contains("nobody"), "{errors}");
}

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

#[test]
fn a_toggle_that_cannot_be_switched_is_told() {
    let bench = Workbench::new();
    let message = |toggle: &str| bench.run(&["ablate", TARRASCH, "--toggle", toggle]).expect_code(2).stderr();
    assert!(message("Magic").contains("toggle Magic: the engine has no such option"));
    assert!(message("Hash").contains("expected an option of type check, or NAME=OFF,ON"));
    assert!(message("Hash=0,16").contains("within the range"));
}

#[test]
fn each_step_of_an_ablation_can_be_played_against_the_one_that_it_is_held_against() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let steps = ["ablate", TARRASCH, "--suite", "positions.epd", "--depth", "2", "--toggle", "MultiPV=2,1"];
    let games =
        ["--toggle", "ponder", "--elo", "4", "--elo-nodes", "300", "--openings", "book.epd", "--seed", "1"];
    let args = [&steps[..], &games[..], &["--max-moves", "8"]].concat();
    let json = bench.run(&[&args[..], &["--out", "cumulative", "--json"]].concat()).expect_code(0).stdout();
    let told: Vec<AblationStep> = serde_json::from_str(&json).unwrap();
    let counts: Vec<Option<u64>> =
        told.iter().map(|step| step.games.as_ref().map(|games| games.wdl.games())).collect();
    assert_eq!(counts, [None, Some(4), Some(4)]);
    assert_eq!(told[2].games.as_ref().unwrap().pairs.pairs(), 2);
    let second = bench.read("cumulative/2-Ponder/run.toml");
    assert!(
        second.contains("name = \"tarrasch + Ponder\"") && second.contains("name = \"tarrasch + MultiPV\"")
    );
    assert!(bench.read("cumulative/1-MultiPV/run.toml").contains("name = \"tarrasch with nothing\""));

    let text = bench.run(&[&args[..], &["--out", "alone", "--one-off"]].concat()).expect_code(0).stdout();
    assert!(
        text.contains("Elo (95%)") && text.contains("Elo is against everything, 300 nodes a move"),
        "{text}"
    );
    let second = bench.read("alone/2-Ponder/run.toml");
    assert!(second.contains("name = \"tarrasch with everything\""), "{second}");
    let csv = bench.run(&[&args[..], &["--out", "table", "--csv"]].concat()).expect_code(0).stdout();
    assert_eq!(csv.lines().count(), 4);

    let refused = bench.run(&[&args[..], &["--out", "table"]].concat()).expect_code(2).stderr();
    assert!(refused.contains("--out table: the folder exists"), "{refused}");
    let refused =
        bench.run(&["ablate", TARRASCH, "--toggle", "Ponder", "--elo", "3"]).expect_code(2).stderr();
    assert!(refused.contains("--elo 3: expected an even number"), "{refused}");
}
