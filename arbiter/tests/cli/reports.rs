//! The page of `arbiter report` in a browser. More is in `scenarios/reports.txt`.

use std::path::{Path, PathBuf};

use arbiter::compare::history::HistoryReport;
use arbiter::rating::{RepeatedGames, pgn_results};
use arbiter::report::page::RunReport;
use serde::Deserialize;

use crate::browser::Browser;
use crate::programs::MOCK_ENGINE;
use crate::workbench::Workbench;

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
