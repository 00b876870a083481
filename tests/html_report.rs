//! The HTML report in a browser: no script error, every plot is there and has a size, nothing sticks out of a telephone,
//! and the games can be played through with the keyboard.
//!
//! The pages are those of the committed runs. A headless Chromium is looked up on the search path; where there is none,
//! the tests say so on the standard error stream and check nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arbiter::report::{HistoryReport, RunReport};
use serde::Deserialize;
use tempfile::TempDir;

const BROWSERS: [&str; 5] =
    ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "chrome"];

/// Collects what goes wrong, from before the first script of the page on.
const WATCH: &str = "<script>
window.troubles = [];
addEventListener('error', event => troubles.push(String(event.message)));
addEventListener('unhandledrejection', event => troubles.push(String(event.reason)));
addEventListener('securitypolicyviolation', event => troubles.push(event.blockedURI));
</script>";

/// Looks at the page, tries it, and leaves what it found where it can be read from outside.
const TRIAL: &str = "<script>
addEventListener('load', async () => {
  const pause = time => new Promise(done => setTimeout(done, time));
  const sizes = [...document.querySelectorAll('svg.chart')].map(chart => chart.getBoundingClientRect());
  const found = {
    charts: sizes.filter(size => size.width > 100 && size.height > 50).length,
    sticks_out: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    moved: false,
  };
  if (document.querySelector('#games')) {
    location.hash = '#game-2';
    await pause(1000);
    // A game is opened at its last move.
    const before = document.querySelector('#games').innerHTML;
    const target = document.activeElement === document.body ? document : document.activeElement;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await pause(500);
    found.moved = document.querySelector('#games').innerHTML !== before;
  }
  found.troubles = troubles;
  const outcome = document.createElement('pre');
  outcome.id = 'outcome';
  outcome.textContent = JSON.stringify(found);
  document.body.append(outcome);
});
</script>";

/// What the trial found.
#[derive(Debug, Deserialize)]
struct Found {
    charts: usize,
    /// By how many pixels the page is wider than the window.
    sticks_out: i32,
    /// Whether a key changed the game that is shown.
    moved: bool,
    troubles: Vec<String>,
}

fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let candidates = folders.iter().flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
    let found = candidates.into_iter().find(|file| file.is_file());
    if found.is_none() {
        // Not by `eprintln!`, which the test harness would keep to itself.
        let _ = writeln!(
            io::stderr(),
            "NOT CHECKED: no Chromium on the search path, so the report is in no browser"
        );
    }
    found
}

/// Opens a page in a window of this width, and tells what the trial found.
fn tried(browser: &Path, html: &str, width: u32) -> Found {
    let place = TempDir::new().unwrap();
    let file = place.path().join("page.html");
    let html = html.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen(
        "</body>",
        &format!("{TRIAL}</body>"),
        1,
    );
    fs::write(&file, html).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=20000"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", place.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let outcome = dom.split_once("<pre id=\"outcome\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((json, _)) = outcome else {
        panic!("the page did not load: {}", String::from_utf8_lossy(&output.stderr))
    };
    serde_json::from_str(&json.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")).unwrap()
}

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name)
}

#[test]
fn the_report_of_a_run_works_in_a_browser_wide_and_narrow() {
    let Some(browser) = browser() else { return };
    let html = RunReport::of_folder(&committed("tarrasch-gnuchess")).unwrap().to_string();
    for width in [1200, 390] {
        let found = tried(&browser, &html, width);
        assert_eq!(found.troubles, Vec::<String>::new(), "{width} pixels");
        // Pairs, Elo, lengths, evaluations, depth, speed, times, latencies.
        assert_eq!(found.charts, 8, "{width} pixels");
        assert!(found.sticks_out <= 0, "{found:?}, {width} pixels");
        assert!(found.moved, "{width} pixels");
    }
}

#[test]
fn the_history_of_several_runs_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let folders = ["singular-extensions", "tarrasch-glaurung", "tarrasch-gnuchess"].map(committed);
    let found = tried(&browser, &HistoryReport::of_folders(&folders).unwrap().to_string(), 390);
    assert_eq!(found.troubles, Vec::<String>::new());
    assert_eq!(found.charts, 1);
    assert!(found.sticks_out <= 0, "{found:?}");
}
