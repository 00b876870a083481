//! `arbiter report`: its formats, what it makes of bad folders, and the page in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arbiter::compare::history::HistoryReport;
use arbiter::rating::pgn_results;
use arbiter::report::page::RunReport;
use runner::FinishReason;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::json_schema;
use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, TARRASCH, Workbench};

/// Plays a tournament of `--games 2` between mock engines into `run`.
fn played(engines: &[&str], options: &[&str]) -> Workbench {
    let mocks: Vec<&str> = engines.iter().filter_map(|engine| engine.split(':').next()).collect();
    let bench = Workbench::with_mocks(&mocks);
    let limits = ["--openings", "book.epd", "--nodes", "20", "--maxmoves", "5", "--games", "2"];
    let finished = bench.run(&[&["match"], engines, &limits, options, &["--out", "run"]].concat());
    assert!(matches!(finished.code(), Some(0 | 3)), "{}", finished.stderr());
    bench
}

fn report(bench: &Workbench, format: &str) -> String {
    bench.run(&["report", "run", format]).expect_code(0).stdout()
}

#[test]
fn the_check_of_a_schema_checks_and_every_reason_to_end_is_in_it() {
    let schema = json_schema::named("report");
    for reason in [FinishReason::GaveUp, FinishReason::GamesMissing] {
        let value = serde_json::to_value(reason).unwrap();
        assert_eq!(json_schema::problems(&value, &schema["$defs"]["FinishReason"]), Vec::<String>::new());
    }
    let bench = played(&["well", "illegal"], &[]);
    let mut broken: Value = serde_json::from_str(&report(&bench, "--json")).unwrap();
    broken["runs"][0]["summary"]["games"] = json!(-1);
    broken["runs"][0].as_object_mut().unwrap().remove("verdict");
    assert_eq!(json_schema::problems(&broken, &schema).len(), 2, "the check does not check");
}

/// A journal and the PGN of the same run are one to the fold, as far as the PGN goes.
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
        // Times have milliseconds there, and the nodes were not asked for.
        for engine in [&mut of_run, &mut of_pgn].map(|run| run["summary"]["engines"].as_array_mut().unwrap())
        {
            for engine in engine {
                let engine = engine.as_object_mut().unwrap();
                for field in ["time_us", "nodes", "nodes_per_second", "latency"] {
                    engine.remove(field);
                }
            }
        }
        assert_eq!(of_run["summary"]["engines"], of_pgn["summary"]["engines"]);
        assert_eq!(of_run["faulty_games"], of_pgn["faulty_games"]);
    }
}

#[test]
fn a_report_goes_to_a_file_and_replaces_the_last_one() {
    let bench = played(&["well", "carriage-returns"], &[]);
    bench.write("report.md", "old");
    let finished = bench.run("report run --markdown --out report.md").expect_code(0);
    assert_eq!(finished.stdout(), "");
    assert_eq!(bench.read("report.md"), report(&bench, "--markdown"));
    // A page and a text are written alike.
    for format in [&["--csv"][..], &[]] {
        let to = |out: &str| bench.run(&[&["report", "run", "--out", out], format].concat());
        to("no/such/file").expect_code(2).tells(&["--out no/such/file"]);
        #[cfg(target_os = "linux")]
        assert!(to("/dev/full").expect_code(5).stderr().contains("--out /dev/full"));
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_file_gets_the_report_and_stays_what_it_is() {
    let bench = played(&["well", "carriage-returns"], &[]);
    let page = bench.read("run/report.html");
    std::os::unix::fs::symlink("page.html", bench.path("link")).unwrap();
    bench.run("report run --out link").expect_code(0).shows(&["wrote link"]);
    assert!(bench.path("link").is_symlink() && bench.read("page.html") == page);
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    let pipe = bench.path("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    bench.run("report run --out pipe").expect_code(0);
    assert!(reader.join().unwrap() == page);
    assert!(bench.run("report run --out /dev/stdout").expect_code(0).stdout() == page);
}

#[test]
#[cfg(unix)]
fn a_report_that_cannot_be_written_is_an_error() {
    let bench = played(&["well", "carriage-returns"], &[]);
    for format in ["--csv", "--json", "--markdown", "--junit", "--fastchess"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = bench
            .command(&["report", "run", format])
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(5), "{format}");
    }
}

#[test]
fn a_torn_line_is_told_and_a_broken_one_refused_with_its_number() {
    let bench = played(&["well", "carriage-returns"], &[]);
    let journal = bench.read("run/events.jsonl");
    let torn = journal.trim_end().len() - 5;
    bench.write("run/events.jsonl", &journal[..torn]);
    let finished = bench.run("report run --csv").expect_code(0);
    let expected = format!("run: line {} of the journal is cut off and was ignored", journal.lines().count());
    assert!(finished.stderr().contains(&expected), "{}", finished.stderr());
    bench.run("report run").expect_code(0).tells(&[&expected]);
    for (line, damage) in
        [(2, "{}"), (1, "{\"event\":\"run_resumed\",\"finished\":0,\"at\":\"2026-01-01T00:00:00Z\"}")]
    {
        let mut lines: Vec<&str> = journal.lines().collect();
        lines[line - 1] = damage;
        bench.write("run/events.jsonl", &(lines.join("\n") + "\n"));
        refused(&bench, &[&format!("run/events.jsonl, line {line}: expected")]);
    }
}

fn refused(bench: &Workbench, words: &[&str]) {
    for format in [&["--csv"][..], &["--json"], &["--junit"], &["--markdown"], &[]] {
        let finished: Finished = bench.run(&[&["report", "run"], format].concat()).expect_code(2);
        for word in words {
            assert!(finished.stderr().contains(word), "expected `{word}` in: {}", finished.stderr());
        }
    }
}

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

#[derive(Debug, Deserialize)]
struct Found {
    charts: usize,
    /// By how many pixels the page is wider than the window.
    sticks_out: i32,
    /// By how many pixels the navigation is wider than its place.
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
    let of_pgn = RunReport::of(pgn_results::read(&[folder.join("games.pgn")], None).unwrap()).html();
    // Pairs, Elo, lengths, evaluations, depth, times; speed and latencies, which this PGN does not have.
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
