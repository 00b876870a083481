//! `arbiter speed`: the NPS of engines.

use arbiter::measure::speed::SpeedReport;

use crate::programs::example;
use crate::workbench::{POSITIONS, TARRASCH, Workbench};

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
    let engine = example!("slowed_tarrasch");
    let slowed = format!("{engine}:Slowdown=1000");
    let limits = ["--suite", "positions.epd", "--rounds", "3", "--nodes", "2000", "--json"];
    let args = [&["speed", engine, &slowed], &limits[..]].concat();
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
    assert!(text.contains("NPS") && text.contains("  tarrasch"), "{text}");
    assert!(text.contains("2 positions, `go nodes 3000`"), "{text}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
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
