//! `arbiter sprt`, with results from every source, and `arbiter sprt plan`.

use arbiter::rating::plan::PlanReport;

use crate::workbench::Workbench;

fn plan(bench: &Workbench, args: &[&str]) -> String {
    bench.run(&[&["plan"], args].concat()).expect_code(0).stdout()
}

#[test]
fn a_plan_names_the_tests_and_the_command_that_plays_the_best() {
    let bench = Workbench::with_mocks(&["well"]);
    let text = plan(&bench, &["--hours", "8", "--elo", "3", "--tc", "10+0.1", "--concurrency", "4"]);
    for part in [
        "8 h at 480 games/h: 3,840 games",
        "draw ratio 50.0%",
        "[0, 4.2]",
        "8 h are too few",
        "--give-up 0.05",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let args = ["--hours", "2", "--nelo", "40", "--games-per-hour", "600", "--draws", "0.2", "--json"];
    let report: PlanReport = serde_json::from_str(&plan(&bench, &args)).unwrap();
    assert_eq!((report.games, report.recommended), (1200, 0));
    // The command is one that the program takes; its engines are two of ours here.
    let command = report.command.replace("NEW", "well").replace("OLD", "well:Hash=2").replace("1200", "4");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let limits = ["--nodes", "20", "--maxmoves", "5", "--openings", "book.epd", "--out", "run"];
    bench.run(&[&words[..], &limits[..]].concat()).expect_code(3);
    let like = plan(&bench, &["--hours", "1", "--elo", "20", "--like", "run"]);
    for part in [
        "as in the 4 games of run",
        "results as in the match",
        "match NEW OLD --nodes 20 --concurrency",
        &format!("--openings .{}book.epd --maxmoves 5 --sprt", std::path::MAIN_SEPARATOR),
    ] {
        assert!(like.contains(part), "`{part}` is missing in:\n{like}");
    }
}
