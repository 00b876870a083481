//! `arbiter report`: its formats, how it treats bad folders, and the page in a browser.

use std::path::{Path, PathBuf};

use arbiter::compare::history::HistoryReport;
use arbiter::rating::{RepeatedGames, pgn_results};
use arbiter::report::page::RunReport;
use serde::Deserialize;
use serde_json::Value;

use crate::browser::Browser;
use crate::json_schema;
use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// A journal and the PGN of the same run give the same results, as far as the PGN goes.
#[test]
fn a_pgn_is_reported_as_the_journal_of_its_run_is() {
    let bench = Workbench::with_mocks(&["well", "illegal", "exit"]);
    let line =
        format!("match well illegal exit {TARRASCH} --openings book.epd --nodes 200 --games 4 --out run");
    bench.run(&line).expect_code(0);
    for run in [bench.path("run"), committed("tarrasch-gnuchess")] {
        let json = |path: &Path| -> Value {
            let text = bench.run(&["report", path.to_str().unwrap(), "--json"]).expect_code(0).stdout();
            let mut value: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json_schema::problems(&value, &json_schema::named("report")), [""; 0]);
            value["runs"][0].take()
        };
        let [mut of_run, mut of_pgn] = [json(&run), json(&run.join("games.pgn"))];
        for field in ["games", "terminations", "pairings", "abandoned"] {
            assert_eq!(of_run["summary"][field], of_pgn["summary"][field], "{field}");
        }
        // The PGN gives times in milliseconds, has no nodes because they were not requested, and does not tell limits.
        for engine in [&mut of_run, &mut of_pgn].map(|run| run["summary"]["engines"].as_array_mut().unwrap())
        {
            for engine in engine {
                let engine = engine.as_object_mut().unwrap();
                for field in ["time_us", "nodes", "nodes_per_second", "latency", "doubts", "time_share"] {
                    engine.remove(field);
                }
            }
        }
        assert_eq!(of_run["summary"]["engines"], of_pgn["summary"]["engines"]);
        assert_eq!(of_run["faulty_games"], of_pgn["faulty_games"]);
    }
}

/// Inspects the page, and steps one move back in a game, which opens at its end.
const TRIAL: &str = include_str!("pages/report.js");

#[derive(Debug, Deserialize)]
struct Found {
    charts: usize,
    /// How many pixels the page is wider than the window.
    sticks_out: i32,
    /// How many pixels the navigation is wider than its box.
    cut_off: i32,
    moved: bool,
    troubles: Vec<String>,
}

fn committed(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("results").join(name)
}

#[test]
fn the_report_of_a_run_works_in_a_browser_wide_and_narrow() {
    let Some(browser) = Browser::on_the_path() else { return };
    let folder = committed("tarrasch-gnuchess");
    let of_run = RunReport::of_folder(&folder).unwrap().html();
    let of_pgn =
        RunReport::of(pgn_results::read(&[folder.join("games.pgn")], None, RepeatedGames::Drop).unwrap())
            .html();
    // Pairs, Elo, lengths, evaluations, depth and times; also speed and latencies, which this PGN lacks.
    for (html, charts, width) in [(&of_run, 8, 1200), (&of_run, 8, 390), (&of_pgn, 6, 390)] {
        let found: Found = browser.try_page(html, width, TRIAL);
        assert_eq!(found.troubles, Vec::<String>::new(), "{width} pixels");
        assert_eq!(found.charts, charts, "{width} pixels");
        assert!(found.sticks_out <= 0, "{found:?}, {width} pixels");
        assert!(found.moved, "{width} pixels");
    }
}

#[test]
fn long_names_and_faults_fit_the_smallest_telephone() {
    let Some(browser) = Browser::on_the_path() else { return };
    let long = "an-engine-whose-name-has-no-blank-at-which-a-line-might-break";
    let bench = Workbench::with_mocks(&["illegal", "binary"]);
    let manifest = format!("name = '{long}'\ncommand = '{MOCK_ENGINE}'\nargs = ['well']\n");
    bench.write(&format!("engines/{long}/engine.toml"), &manifest);
    let args = ["match", "illegal", "binary", "--base", long, "--sprt", "0,200", "--openings", "book.epd"];
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "4", "--out", "run"];
    bench.run(&[&args[..], &limits].concat());
    let html = RunReport::of_folder(&bench.path("run")).unwrap().html();
    for width in [360, 1200] {
        let found: Found = browser.try_page(&html, width, TRIAL);
        assert_eq!(found.troubles, Vec::<String>::new(), "{width} pixels");
        assert!(found.sticks_out <= 0, "{found:?}, {width} pixels");
        assert!(found.cut_off <= 0 || width == 360, "{found:?}");
    }
}

#[test]
fn the_history_of_several_runs_works_in_a_browser() {
    let Some(browser) = Browser::on_the_path() else { return };
    let folders = ["singular-extensions", "tarrasch-glaurung", "tarrasch-gnuchess"].map(committed);
    let html = HistoryReport::of_folders(&folders).unwrap().html();
    let found: Found = browser.try_page(&html, 390, TRIAL);
    assert_eq!(found.troubles, Vec::<String>::new());
    assert_eq!(found.charts, 1);
    assert!(found.sticks_out <= 0, "{found:?}");
}
