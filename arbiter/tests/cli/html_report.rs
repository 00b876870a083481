//! The HTML report in a browser: no script error, every plot is there and has a size, nothing sticks out of a
//! telephone, and a key moves through a game. The pages are those of the committed runs.

use std::path::{Path, PathBuf};

use arbiter::judge::history::HistoryReport;
use arbiter::report::page::RunReport;
use serde::Deserialize;

use crate::browser::Browser;
use crate::programs::MOCK_ENGINE;
use crate::workbench::Workbench;

/// Looks at the page, and goes a move back in a game, which is opened at its end.
const TRIAL: &str = "
    const sizes = [...document.querySelectorAll('svg.chart')].map(chart => chart.getBoundingClientRect());
    const charts = sizes.filter(size => size.width > 100 && size.height > 50).length;
    const { scrollWidth, clientWidth } = document.documentElement;
    let moved = false;
    if (document.querySelector('#games')) {
        location.hash = '#game-2';
        await pause(500);
        const before = document.querySelector('#games').innerHTML;
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
        await pause(500);
        moved = document.querySelector('#games').innerHTML !== before;
    }
    const list = document.querySelector('nav ul');
    const cut_off = list.scrollWidth - list.clientWidth;
    return { charts, sticks_out: scrollWidth - clientWidth, cut_off, moved, troubles };
";

/// What the trial found.
#[derive(Debug, Deserialize)]
struct Found {
    charts: usize,
    /// By how many pixels the page is wider than the window.
    sticks_out: i32,
    /// By how many pixels the navigation is wider than its place.
    cut_off: i32,
    /// Whether the key changed what is shown.
    moved: bool,
    troubles: Vec<String>,
}

fn committed(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("results").join(name)
}

#[test]
fn the_report_of_a_run_works_in_a_browser_wide_and_narrow() {
    let Some(browser) = Browser::on_the_path() else { return };
    let html = RunReport::of_folder(&committed("tarrasch-gnuchess")).unwrap().html();
    for width in [1200, 390] {
        let found: Found = browser.try_page(&html, width, TRIAL);
        assert_eq!(found.troubles, Vec::<String>::new(), "{width} pixels");
        // Pairs, Elo, lengths, evaluations, depth, speed, times, latencies.
        assert_eq!(found.charts, 8, "{width} pixels");
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
