//! Run folders: `arbiter run`, `arbiter resume` after damage, and folders that somebody else has made.

use std::ffi::OsString;
use std::fs;

use runner::{JOURNAL_FILE, Journal};

use crate::workbench::{Finished, Workbench, journalled};

#[test]
fn files_as_editors_on_windows_leave_them_mean_the_same() {
    let bench = Workbench::with_mocks(&["well"]);
    let engines = "[[engine]]\nengine = \"well\"\n[[engine]]\nengine = \"well:Hash=2\"\n";
    let file =
        "games = 4\n[limits]\nnodes = 20\n[book]\npath = \"book.epd\"\n[adjudication]\nmax_moves = 6\n";
    bench.write("mine.toml", &format!("{file}{engines}"));
    let rated = |file: &str| bench.run(&["rate", file, "--json"]).expect_code(0).stdout();
    let leave = |file: &str| {
        let text = bench.read(file).replace('\n', "\r\n");
        bench.write(file, &format!("\u{feff}{text}"));
    };
    bench.run("run mine.toml --out first").expect_code(0);
    leave("mine.toml");
    leave("book.epd");
    bench.run("run mine.toml --out second").expect_code(0);
    assert_eq!(bench.read("second/games.pgn"), bench.read("first/games.pgn"));
    let journal = bench.read("second/events.jsonl");
    bench.write("second/events.jsonl", &journal.split_inclusive('\n').take(2).collect::<String>());
    leave("second/run.toml");
    bench.run("resume second").expect_code(0);
    assert_eq!(bench.read("second/games.pgn"), bench.read("first/games.pgn"));
    leave("second/games.pgn");
    assert_eq!(rated("second/games.pgn"), rated("first/games.pgn"));
}

/// A folder with the finished match `run`.
fn played() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "6", "--out", "run"];
    bench.run(&[&["match", "well", "binary", "--openings", "book.epd"], &limits[..]].concat()).expect_code(0);
    bench
}

fn lines(bench: &Workbench) -> Vec<String> {
    bench.read("run/events.jsonl").split_inclusive('\n').map(str::to_owned).collect()
}

#[test]
fn a_run_that_somebody_plays_is_not_played_by_anybody_else() {
    let bench = played();
    let (held, _) = Journal::open_for_resume(&bench.path("run").join(JOURNAL_FILE)).unwrap();
    let pgn = bench.read("run/games.pgn");
    bench.run("resume run").expect_code(2).tells(&["another arbiter process is playing this run"]);
    assert_eq!(bench.read("run/games.pgn"), pgn);
    drop(held);
    bench.run("resume run").expect_code(0);
}

#[test]
fn a_torn_last_line_is_played_again() {
    let bench = played();
    let whole = (lines(&bench), bench.read("run/games.pgn"));
    let end = whole.0.iter().rposition(|line| line.contains("game_finished")).unwrap();
    let half = &whole.0[end][..whole.0[end].len() / 2];
    bench.write("run/events.jsonl", &(whole.0[..end].concat() + half));
    assert_eq!(journalled(&bench, "run").len(), 5);
    bench.run("resume run").expect_code(0);
    assert_eq!(journalled(&bench, "run").len(), 6);
    assert_eq!(bench.read("run/games.pgn"), whole.1);
}

#[cfg(unix)]
const PRECIOUS: &str = "a line that is nobody's business";

/// Orders to a terminal: clear the screen, set the title, turn the line around; and a bit of everything for pages.
#[cfg(target_os = "linux")]
const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}<script>alert(1)</script>\u{202e}";

/// A folder with the match `run`, whose first game has a log because an engine played an illegal move. One more game is
/// left to play.
#[cfg(unix)]
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
#[cfg(unix)]
fn link(bench: &Workbench, file: &str, to: &str) {
    let path = bench.path("run").join(file);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    std::os::unix::fs::symlink(bench.path(to), path).unwrap();
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    for file in ["games.pgn", "games.csv", "final.epd", "summary.json", "report.html", "bad/4.log"] {
        let bench = begun();
        link(&bench, file, "precious");
        bench.run("resume run").expect_code(0);
        assert_eq!(bench.read("precious"), PRECIOUS, "{file}");
        assert_ne!(bench.read(&format!("run/{file}")), PRECIOUS, "{file}");
    }
}

#[test]
#[cfg(unix)]
fn a_journal_that_is_a_link_is_read_and_not_written() {
    let bench = begun();
    fs::rename(bench.path("run/events.jsonl"), bench.path("elsewhere")).unwrap();
    let before = bench.read("elsewhere");
    link(&bench, "events.jsonl", "elsewhere");
    bench.run("report run").expect_code(0);
    bench.run("resume run").expect_code(2).tells(&["events.jsonl: expected a file, found a link"]);
    assert_eq!(bench.read("elsewhere"), before);
    // One line without a break looks like a journal that was cut off.
    link(&bench, "events.jsonl", "precious");
    bench.run("resume run").expect_code(2);
    assert_eq!(bench.read("precious"), PRECIOUS);
}

#[test]
#[cfg(unix)]
fn what_a_link_leads_to_is_in_no_report_and_in_no_merged_run() {
    for (file, to) in [("bad/1.log", "precious"), ("bad", "logs")] {
        let bench = begun();
        bench.write("logs/1.log", PRECIOUS);
        link(&bench, file, to);
        bench.run("report run").expect_code(0);
        assert!(!bench.read("run/report.html").contains(PRECIOUS), "{file}");
        bench.run("merge run --out merged");
        let copied = bench.listing().into_iter().filter(|path| path.starts_with(bench.path("merged")));
        for path in copied.filter(|path| path.is_file()) {
            assert!(!fs::read_to_string(&path).unwrap().contains(PRECIOUS), "{file}: {}", path.display());
        }
        let resumed = bench.run("resume run");
        assert_eq!(bench.read("logs/1.log"), PRECIOUS, "{}", resumed.stderr());
        assert!(!bench.path("logs/4.log").exists());
    }
}

#[test]
#[cfg(unix)]
fn nobody_waits_for_a_pipe_in_place_of_a_file() {
    for file in ["events.jsonl", "run.toml", "games.pgn", "bad/1.log"] {
        let bench = begun();
        let path = bench.path("run").join(file);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
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

/// A name that is no UTF-8, nor anything that a shell leaves alone.
#[cfg(unix)]
fn any_name() -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(b"-o \"'`$(touch owned)`<b>\n\x1b[2J\xff".to_vec())
}

/// A name that no code page has.
#[cfg(windows)]
fn any_name() -> OsString {
    "-o '`$(touch owned)` %TEMP% ^& \u{265e}\u{1f3c1} caf\u{e9}".into()
}

#[test]
fn a_folder_may_have_any_name() {
    let bench = Workbench::with_mocks(&["well"]);
    let name = &any_name();
    let run = |args: &[&str]| {
        let mut command = bench.command(args);
        Finished::of(command.arg("--").arg(name).output().unwrap())
    };
    let mut played = bench.command("match well well:Hash=1 --openings book.epd --nodes 20");
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
    let mut command = std::process::Command::new("script");
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
        "status run", "resume run", "report run --json", "rate run", "rate evil.pgn",
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
