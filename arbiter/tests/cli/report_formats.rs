//! `arbiter report`: what is made of run folders, good and bad ones.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;

use runner::FinishReason;
use serde_json::{Value, json};

use crate::json_schema;
use crate::workbench::{Finished, Workbench};

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
fn the_json_of_every_kind_of_run_keeps_to_its_schema() {
    let schema = json_schema::named("report");
    let runs = [
        played(&["well", "illegal"], &["--sprt", "0,5"]),
        played(&["well", "illegal"], &["--sprt", "0,5", "--mixture"]),
        played(&["well", "well:Hash=2", "carriage-returns"], &[]),
        played(&["well", "well:Hash=2", "carriage-returns"], &["--format", "knockout"]),
    ];
    for bench in &runs {
        let value: Value = serde_json::from_str(&report(bench, "--json")).unwrap();
        assert_eq!(json_schema::problems(&value, &schema), Vec::<String>::new());
        assert_eq!(value["schema"], 2);
    }
    for reason in [FinishReason::GaveUp, FinishReason::GamesMissing] {
        let value = serde_json::to_value(reason).unwrap();
        assert_eq!(json_schema::problems(&value, &schema["$defs"]["reason"]), Vec::<String>::new());
    }
    let mut broken: Value = serde_json::from_str(&report(&runs[0], "--json")).unwrap();
    broken["runs"][0]["summary"]["games"] = json!(-1);
    broken["runs"][0]["verdicts"] = json!("");
    assert_eq!(json_schema::problems(&broken, &schema).len(), 2, "the check does not check");
}

#[test]
fn several_runs_are_one_file() {
    let bench = played(&["well", "carriage-returns"], &[]);
    bench.write("again/events.jsonl", &bench.read("run/events.jsonl"));
    let both = |format: &str| {
        let finished = bench.run(&["report", "run", "again", "run/.", format]).expect_code(0);
        assert!(finished.stderr().contains("run/.: given twice, counted once"), "{}", finished.stderr());
        finished.stdout()
    };
    assert_eq!(both("--csv").lines().count(), 3);
    assert_eq!(both("--junit").matches("<testsuite ").count(), 2);
    assert_eq!(both("--markdown").matches("### ").count(), 2);
    let json: Value = serde_json::from_str(&both("--json")).unwrap();
    assert_eq!(json["runs"].as_array().unwrap().len(), 2);
    let stderr = bench.run(&["report", "run", "--csv", "--json"]).expect_code(2).stderr();
    assert!(stderr.contains("cannot be used with"), "{stderr}");
}

#[test]
fn an_engine_that_breaks_the_rules_fails_its_case() {
    let bench = played(&["well", "illegal"], &[]);
    let xml = report(&bench, "--junit");
    assert!(xml.contains("failures=\"1\" errors=\"0\""), "{xml}");
    assert!(xml.contains("<failure message=\"illegal lost 2 of 2 games this way\">game 1 ("), "{xml}");
}

#[test]
fn a_report_goes_to_a_file_and_replaces_the_last_one() {
    let bench = played(&["well", "carriage-returns"], &[]);
    bench.write("report.md", "old");
    let finished = bench.run(&["report", "run", "--markdown", "--out", "report.md"]).expect_code(0);
    assert_eq!(finished.stdout(), "");
    assert_eq!(bench.read("report.md"), report(&bench, "--markdown"));
    // A page and a text are written alike.
    for format in [&["--csv"][..], &[]] {
        let to = |out: &str| bench.run(&[&["report", "run", "--out", out], format].concat());
        let stderr = to("no/such/file").expect_code(2).stderr();
        assert!(stderr.contains("--out no/such/file"), "{stderr}");
        assert!(to("/dev/full").expect_code(5).stderr().contains("--out /dev/full"));
    }
}

#[test]
fn what_is_no_file_gets_the_report_and_stays_what_it_is() {
    let bench = played(&["well", "carriage-returns"], &[]);
    let page = bench.read("run/report.html");
    symlink("page.html", bench.path("link")).unwrap();
    let finished = bench.run(&["report", "run", "--out", "link"]).expect_code(0);
    assert!(finished.stdout().contains("wrote link"), "{}", finished.stdout());
    assert!(bench.path("link").is_symlink() && bench.read("page.html") == page);
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    let pipe = bench.path("pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    bench.run(&["report", "run", "--out", "pipe"]).expect_code(0);
    assert!(reader.join().unwrap() == page);
    assert!(bench.run(&["report", "run", "--out", "/dev/stdout"]).expect_code(0).stdout() == page);
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let bench = played(&["well", "carriage-returns"], &[]);
    for format in ["--csv", "--json", "--markdown", "--junit", "--fastchess"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = bench.command(&["report", "run", format]).stdout(full).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(5), "{format}");
    }
}

#[test]
fn a_match_adds_to_the_step_summary_of_a_job_on_github() {
    let bench = Workbench::with_mocks(&["well", "carriage-returns"]);
    bench.write("summary.md", "# Before\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(["match", "well", "carriage-returns", "--openings", "book.epd", "--nodes", "20"]);
    command.args(["--maxmoves", "5", "--games", "2", "--out", "run"]);
    bench.settle(&mut command);
    assert!(command.env("GITHUB_STEP_SUMMARY", "summary.md").output().unwrap().status.success());
    let summary = bench.read("summary.md");
    assert_eq!(summary, format!("# Before\n{}\n", report(&bench, "--markdown")));
}

#[test]
fn a_torn_line_is_told_and_a_broken_one_refused_with_its_number() {
    let bench = played(&["well", "carriage-returns"], &[]);
    let journal = bench.read("run/events.jsonl");
    let torn = journal.trim_end().len() - 5;
    bench.write("run/events.jsonl", &journal[..torn]);
    let finished = bench.run(&["report", "run", "--csv"]).expect_code(0);
    let expected = format!("run: line {} of the journal is cut off and was ignored", journal.lines().count());
    assert!(finished.stderr().contains(&expected), "{}", finished.stderr());
    let page = bench.run(&["report", "run"]).expect_code(0).stderr();
    assert!(page.contains(&expected), "{page}");
    for (line, damage) in
        [(2, "{}"), (1, "{\"event\":\"run_resumed\",\"finished\":0,\"at\":\"2026-01-01T00:00:00Z\"}")]
    {
        let mut lines: Vec<&str> = journal.lines().collect();
        lines[line - 1] = damage;
        bench.write("run/events.jsonl", &(lines.join("\n") + "\n"));
        refused(&bench, &[&format!("run/events.jsonl, line {line}: expected")]);
    }
}

#[test]
fn a_folder_without_a_run_and_a_journal_of_other_engines_are_refused() {
    let bench = played(&["well", "carriage-returns"], &[]);
    let journal = bench.read("run/events.jsonl");
    bench.write(
        "run/events.jsonl",
        &journal.replacen("\"white\":0,\"black\":1,\"opening\"", "\"white\":0,\"black\":7,\"opening\"", 1),
    );
    refused(&bench, &["run/events.jsonl, line ", "found one of engine 7, but the run has 2 engines"]);
    let stderr = bench.run(&["status", "run"]).expect_code(2).stderr();
    assert!(stderr.contains("found one of engine 7"), "{stderr}");
    fs::remove_file(bench.path("run/events.jsonl")).unwrap();
    refused(&bench, &["run: expected a run folder with a journal, events.jsonl"]);
}

/// Every format refuses the run with these words.
fn refused(bench: &Workbench, words: &[&str]) {
    for format in [&["--csv"][..], &["--json"], &["--junit"], &["--markdown"], &[]] {
        let finished: Finished = bench.run(&[&["report", "run"], format].concat()).expect_code(2);
        for word in words {
            assert!(finished.stderr().contains(word), "expected `{word}` in: {}", finished.stderr());
        }
    }
}
