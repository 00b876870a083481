//! Run folders that somebody else has made: with links, pipes and names that are meant to do harm.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::workbench::{Finished, Workbench};

const PRECIOUS: &str = "a line that is nobody's business";

/// Orders to a terminal: clear the screen, set the title, turn the line around; and a bit of everything for pages.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}<script>alert(1)</script>\u{202e}";

/// A folder with the match `run`, whose first game has a log because an engine played an illegal move. One more game is
/// left to play.
fn begun() -> Workbench {
    let bench = Workbench::with_mocks(&["illegal", "well"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "4", "--concurrency", "1", "--out", "run"];
    bench
        .run(&[&["match", "illegal", "well", "--openings", "book.epd"], &limits[..]].concat())
        .expect_code(0);
    let journal = bench.read("run/events.jsonl");
    let last = journal.rfind("{\"event\":\"game_started\"").unwrap();
    bench.write("run/events.jsonl", &journal[..last]);
    bench.write("precious", PRECIOUS);
    assert!(bench.read("run/bad/1.log").contains("bestmove"));
    bench
}

/// Puts a link to the precious file, or to what is given, in the place of a file of the run.
fn link(bench: &Workbench, file: &str, to: &str) {
    let path = bench.path("run").join(file);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    symlink(bench.path(to), path).unwrap();
}

#[test]
fn nothing_is_written_through_a_link() {
    for file in ["games.pgn", "games.csv", "final.epd", "summary.json", "report.html", "bad/4.log"] {
        let bench = begun();
        link(&bench, file, "precious");
        bench.run(&["resume", "run"]).expect_code(0);
        assert_eq!(bench.read("precious"), PRECIOUS, "{file}");
        assert_ne!(bench.read(&format!("run/{file}")), PRECIOUS, "{file}");
    }
}

#[test]
fn a_journal_that_is_a_link_is_read_and_not_written() {
    let bench = begun();
    fs::rename(bench.path("run/events.jsonl"), bench.path("elsewhere")).unwrap();
    let before = bench.read("elsewhere");
    link(&bench, "events.jsonl", "elsewhere");
    bench.run(&["report", "run"]).expect_code(0);
    let message = bench.run(&["resume", "run"]).expect_code(2).stderr();
    assert!(message.contains("events.jsonl: expected a file, found a link"), "{message}");
    assert_eq!(bench.read("elsewhere"), before);
    // One line without a break looks like a journal that was cut off.
    link(&bench, "events.jsonl", "precious");
    bench.run(&["resume", "run"]).expect_code(2);
    assert_eq!(bench.read("precious"), PRECIOUS);
}

#[test]
fn what_a_link_leads_to_is_in_no_report_and_in_no_merged_run() {
    for (file, to) in [("bad/1.log", "precious"), ("bad", "logs")] {
        let bench = begun();
        bench.write("logs/1.log", PRECIOUS);
        link(&bench, file, to);
        bench.run(&["report", "run"]).expect_code(0);
        assert!(!bench.read("run/report.html").contains(PRECIOUS), "{file}");
        bench.run(&["merge", "run", "--out", "merged"]);
        let copied = bench.listing().into_iter().filter(|path| path.starts_with(bench.path("merged")));
        for path in copied.filter(|path| path.is_file()) {
            assert!(!fs::read_to_string(&path).unwrap().contains(PRECIOUS), "{file}: {}", path.display());
        }
        let resumed = bench.run(&["resume", "run"]);
        assert_eq!(bench.read("logs/1.log"), PRECIOUS, "{}", resumed.stderr());
        assert!(!bench.path("logs/4.log").exists());
    }
}

#[test]
fn nobody_waits_for_a_pipe_in_place_of_a_file() {
    for file in ["events.jsonl", "run.toml", "games.pgn", "bad/1.log"] {
        let bench = begun();
        let path = bench.path("run").join(file);
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        let is_needed = file == "events.jsonl" || file == "run.toml";
        for (command, is_refused) in
            [("status", file == "events.jsonl"), ("report", file == "events.jsonl"), ("resume", is_needed)]
        {
            let finished = bench.run(&[command, "run"]).expect_code(if is_refused { 2 } else { 0 });
            let names_it = finished.stderr().contains("expected a file, found a pipe");
            assert_eq!(names_it, is_refused, "{command}, {file}: {}", finished.stderr());
        }
    }
}

#[test]
fn a_folder_may_have_any_name() {
    let bench = Workbench::with_mocks(&["well"]);
    let name = OsStr::from_bytes(b"-o \"'`$(touch owned)`<b>\n\x1b[2J\xff");
    let run = |args: &[&str]| {
        let mut command = bench.command(args);
        Finished::of(command.arg("--").arg(name).output().unwrap())
    };
    let mut played =
        bench.command(&["match", "well", "well:Hash=1", "--openings", "book.epd", "--nodes", "20"]);
    played.args(["--maxmoves", "5", "--games", "2"]).arg("--out").arg(bench.path("").join(name));
    Finished::of(played.output().unwrap()).expect_code(0);
    for command in ["status", "report", "resume", "rate"] {
        run(&[command]).expect_code(0);
    }
    assert!(!bench.path("owned").exists());
}

/// What the program writes to a terminal. util-linux has `script` on every Linux.
#[cfg(target_os = "linux")]
fn on_a_terminal(bench: &Workbench, args: &str) -> String {
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{} {args}", env!("CARGO_BIN_EXE_arbiter")), "/dev/null"]);
    bench.settle(&mut command);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn names_do_not_command_a_terminal() {
    let bench = begun();
    let escaped = serde_json::to_string(EVIL).unwrap();
    for (file, written) in [("events.jsonl", "\"name\":\"well\""), ("run.toml", "name = \"well\"")] {
        let evil = written.replace("\"well\"", &escaped.replace('\u{7f}', "\\u007f"));
        let text = bench.read(&format!("run/{file}"));
        assert!(text.contains(written), "{file}");
        bench.write(&format!("run/{file}"), &text.replace(written, &evil));
    }
    bench.write("evil.pgn", &format!("[White \"{EVIL}\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n"));
    for args in [
        "status run",
        "resume run",
        "report run --json",
        "rate run",
        "rate evil.pgn",
        "merge run --out merged",
    ] {
        let shown = on_a_terminal(&bench, args);
        assert!(shown.contains("owned"), "{args}: {shown}");
        for order in ["\u{1b}[2J", "\u{1b}]", "\u{7}", "\u{202e}"] {
            assert!(!shown.contains(order), "{args}: {shown:?}");
        }
    }
    let page = bench.read("run/report.html");
    assert!(page.contains("owned") && !page.contains("<script>alert"));
}
