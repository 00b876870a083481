//! Suites of positions: `arbiter perft`, `tactics` and `speed`.

use arbiter::measure::speed::SpeedReport;

use crate::programs::example;
use crate::workbench::{POSITIONS, TARRASCH, Workbench};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn zero_bytes_at_line_ends_are_read_with_a_warning_that_counts() {
    let bench = Workbench::new();
    bench.write("p.epd", "7k/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\0\n7k/8/8/8/8/8/8/K7 b - - 0 1 ;D1 3\0\0\n");
    bench.run("perft --suite p.epd").expect_code(0).tells(&["warning: p.epd: 2 lines with zero bytes"]);
    std::fs::write(bench.path("p.epd"), [START.as_bytes(), b" ;D1 20\n# Stra\xdfe\n"].concat()).unwrap();
    bench.run("perft --suite p.epd").expect_code(0).tells(&["warning: p.epd: 1 line not in UTF-8"]);
    bench.write("b.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\0\n");
    let line = format!("match {TARRASCH} {TARRASCH} --openings b.epd --games 2 --nodes 20 --maxmoves 2");
    bench.run(&line).expect_code(0).tells(&["1 line with zero bytes"]);
}

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
    // 24 starts a round, each with one of the positions, which is searched twice.
    assert_eq!((one.searches, other.searches), (96, 96));
    assert_eq!(one.nodes, other.nodes);
    assert!((one.mean_depth - 4.0).abs() < 1e-9);
    assert_eq!(report.comparisons.len(), 1);
    assert!(report.comparisons[0].time.is_some() && report.resolution.is_some());
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
