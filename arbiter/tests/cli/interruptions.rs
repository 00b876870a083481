//! Interrupted runs, and what is left if the program, its disk or its terminal goes away.

#[cfg(unix)]
use std::fs;
use std::io::pipe;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

use crate::processes::interrupt;
use crate::workbench::{PATIENCE, TARRASCH, Workbench, games, journalled, wait_until};

/// Enough games for the match to be caught halfway.
const GAMES: usize = 14;

/// A match whose games take some time and do not depend on the machine.
fn arguments(out: &str) -> Vec<&str> {
    let mut args =
        vec!["match", TARRASCH, "well", "--openings", "book.epd", "--seed", "7", "--concurrency", "2"];
    args.extend(["--games", "14", "--nodes", "8000", "--maxmoves", "12", "--out", out]);
    args
}

fn start_and_wait_for_a_game(bench: &Workbench, args: &[&str]) -> Child {
    let before = journalled(bench, "run").len();
    let mut arbiter = bench.spawn(args);
    wait_until("a game", || journalled(bench, "run").len() > before || arbiter.try_wait().unwrap().is_some());
    arbiter
}

#[test]
fn an_interrupted_match_finishes_its_games_and_is_resumed_with_the_missing_ones() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.run(&arguments("whole")).expect_code(0);
    let mut arbiter = start_and_wait_for_a_game(&bench, &arguments("run"));
    interrupt(&arbiter);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    #[cfg(any(target_os = "linux", windows))]
    assert_eq!(bench.processes(), 0);
    let finished = journalled(&bench, "run");
    assert!(!finished.is_empty() && finished.len() < GAMES, "{finished:?}");
    assert_eq!(games(&bench, "run").len(), finished.len(), "what is finished is in the PGN");

    bench.run("resume run").expect_code(0).shows(&[&format!("{GAMES} games")]);
    let mut all = journalled(&bench, "run");
    all.sort_unstable();
    assert_eq!(all, (0..GAMES as u32).collect::<Vec<_>>(), "each game is played once");
    assert_eq!(games(&bench, "run"), games(&bench, "whole"));
    bench.run("report run --out again.html").expect_code(0);
    assert!(
        bench.read("again.html") == bench.read("run/report.html"),
        "the journal makes the page of the resumed run"
    );
}

#[test]
fn what_a_stopped_run_left_is_what_its_journal_says() {
    let bench = Workbench::with_mocks(&["well"]);
    let mut arbiter = start_and_wait_for_a_game(&bench, &arguments("run"));
    bench.run("control run stop now").expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let left = json(&bench.read("run/summary.json"));
    assert!(left["games"].as_u64() >= Some(1), "{left}");
    let status = json(&bench.run("status run --json").expect_code(0).stdout());
    assert_eq!(status["summary"], left);
    bench.run("report run --out again.html").expect_code(0);
    assert!(
        bench.read("again.html") == bench.read("run/report.html"),
        "the journal makes the page of the stopped run"
    );
}

/// A match of two engines, which takes some time if one of them starts slowly.
fn match_of<'a>(first: &'a str, second: &'a str) -> Vec<&'a str> {
    let mut args =
        vec!["match", first, second, "--openings", "book.epd", "--seed", "7", "--concurrency", "2"];
    args.extend(["--games", "14", "--nodes", "20", "--maxmoves", "12", "--out", "run"]);
    args
}

fn wait_for_a_game(bench: &Workbench, arbiter: &mut Child) {
    wait_until("a game", || !journalled(bench, "run").is_empty() || arbiter.try_wait().unwrap().is_some());
}

/// Asks the program to end as a system does at shutdown; on Windows, as the keyboard does.
fn terminate(arbiter: &Child) {
    #[cfg(unix)]
    signal(arbiter, Signal::TERM);
    #[cfg(windows)]
    interrupt(arbiter);
}

#[cfg(unix)]
fn signal(arbiter: &Child, signal: Signal) {
    kill_process(Pid::from_child(arbiter), signal).unwrap();
}

/// Runs the program from a shell that first executes a command.
#[cfg(unix)]
fn through_a_shell(bench: &Workbench, script: &str, args: &[&str]) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("{script} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_arbiter")]).args(args);
    bench.settle(&mut shell);
    shell
}

#[test]
#[cfg(any(target_os = "linux", windows))]
fn nothing_lives_on_when_the_program_is_killed() {
    let kinds = ["brings-child", "brings-stray", "ignores-signals"];
    let bench = Workbench::with_mocks(&[&kinds[..], &["hang"]].concat());
    for kind in kinds {
        // The games wait for the other engine until the program is killed.
        let mut args = match_of(kind, "hang");
        *args.last_mut().unwrap() = kind;
        let mut arbiter = bench.spawn(&args);
        let start = Instant::now();
        // The program, the engines of both games, and children if the engines have any.
        let expected = if kind == "ignores-signals" { 5 } else { 7 };
        while bench.processes_now() < expected {
            assert!(start.elapsed() < PATIENCE && arbiter.try_wait().unwrap().is_none(), "no engines yet");
            thread::sleep(Duration::from_millis(5));
        }
        arbiter.kill().unwrap();
        arbiter.wait().unwrap();
        assert_eq!(bench.processes(), 0, "something outlives the program: {kind}");
    }
}

/// A child with its own session and an empty environment, which nothing identifies.
#[test]
#[cfg(target_os = "linux")]
fn a_child_without_a_mark_ends_with_the_run() {
    let bench = Workbench::with_mocks(&["well"]);
    let hide = "setsid env -i /bin/sleep 7000 </dev/null >/dev/null 2>&1 & setsid env -i /bin/sh -c '/bin/sleep 7000 & sleep 7000' \
                </dev/null >/dev/null 2>&1 & echo bestmove a1a1";
    bench.write_script("hides", hide);
    let line = "match well ./hides --nodes 20 --games 4 --openings book.epd --out run";
    bench.run(line).expect_code(0);
    assert_eq!(bench.processes(), 0);
    // A program that keeps our environment but is not an engine must survive.
    let shell = format!("setsid sleep 3 & exec {} status run", crate::workbench::ARBITER);
    let mut shell =
        std::process::Command::new("sh").args(["-c", &shell]).current_dir(bench.path("")).spawn().unwrap();
    shell.wait().unwrap();
    assert_eq!(bench.processes_now(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_lives_on_when_the_whole_group_of_the_program_is_killed() {
    let bench = Workbench::with_mocks(&["brings-stray", "slow-new-game"]);
    let mut command = through_a_shell(&bench, "", &match_of("slow-new-game", "brings-stray"));
    let command = std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut arbiter = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_a_game(&bench, &mut arbiter);
    for deadly in [Signal::TERM, Signal::HUP, Signal::KILL] {
        rustix::process::kill_process_group(Pid::from_child(&arbiter), deadly).unwrap();
    }
    arbiter.wait().unwrap();
    assert_eq!(bench.processes(), 0);
}

#[test]
fn a_termination_finishes_the_games_in_progress_and_a_second_one_abandons_them() {
    let bench = Workbench::with_mocks(&["well", "slow-new-game", "hang"]);
    let mut arbiter = bench.spawn(&match_of("slow-new-game", "well"));
    wait_for_a_game(&bench, &mut arbiter);
    terminate(&arbiter);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    let finished = journalled(&bench, "run");
    assert!(!finished.is_empty() && finished.len() < GAMES, "{finished:?}");

    // A hung engine would delay the end by a minute.
    let mut args = match_of("well", "hang");
    *args.last_mut().unwrap() = "stuck";
    let mut arbiter = bench.spawn(&args);
    let start = Instant::now();
    let has_begun = || {
        bench.path("stuck/events.jsonl").exists() && bench.read("stuck/events.jsonl").contains("game_started")
    };
    while !has_begun() {
        assert!(start.elapsed() < PATIENCE && arbiter.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(5));
    }
    while arbiter.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(50), "it waits for the engine");
        terminate(&arbiter);
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    #[cfg(any(target_os = "linux", windows))]
    assert_eq!(bench.processes(), 0);
}

#[test]
#[cfg(windows)]
fn a_pipe_that_nobody_reads_any_more_changes_nothing() {
    let bench = Workbench::with_mocks(&["well", "slow-new-game"]);
    let mut command = bench.command(&match_of("slow-new-game", "well"));
    let mut arbiter =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::piped()).spawn().unwrap();
    drop((arbiter.stdout.take(), arbiter.stderr.take(), arbiter.stdin.take()));
    assert_eq!(arbiter.wait().unwrap().code(), Some(0));
    assert_eq!(games(&bench, "run").len(), GAMES);
}

#[test]
#[cfg(unix)]
fn a_terminal_that_goes_away_changes_nothing() {
    let bench = Workbench::with_mocks(&["well", "slow-new-game"]);
    // The pipes have no reader from the start, and then the terminal disconnects.
    let mut command = through_a_shell(&bench, "", &match_of("slow-new-game", "well"));
    let mut arbiter =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::piped()).spawn().unwrap();
    drop((arbiter.stdout.take(), arbiter.stderr.take(), arbiter.stdin.take()));
    wait_for_a_game(&bench, &mut arbiter);
    signal(&arbiter, Signal::HUP);
    assert_eq!(arbiter.wait().unwrap().code(), Some(0));
    assert_eq!(games(&bench, "run").len(), GAMES);

    let bench = Workbench::with_mocks(&["well", "slow-new-game"]);
    let status =
        through_a_shell(&bench, "exec <&- >&- 2>&-;", &match_of("slow-new-game", "well")).status().unwrap();
    assert_eq!(status.code(), Some(0), "without any standard stream");
    assert_eq!(games(&bench, "run").len(), GAMES);
}

#[test]
fn a_reader_of_our_output_sees_its_end() {
    let bench = Workbench::with_mocks(&["brings-child", "brings-stray"]);
    // `output` returns when no process holds the pipes open.
    let output = bench.command(&match_of("brings-child", "brings-stray")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!output.stdout.is_empty());
    #[cfg(target_os = "linux")]
    assert_eq!(bench.processes(), 0);
}

#[test]
#[cfg(unix)]
fn a_full_disk_stops_the_run_and_the_rest_is_played_when_there_is_room() {
    let bench = Workbench::with_mocks(&["well", "slow-new-game"]);
    let mut args = match_of("slow-new-game", "well");
    *args.last_mut().unwrap() = "whole";
    bench.run(&args).expect_code(0);
    // Limits files to half of what the journal needs; shells count in blocks of 512 or 1024 bytes.
    let blocks = fs::metadata(bench.path("whole/events.jsonl")).unwrap().len() / 2 / 1024;
    let script = format!("trap '' XFSZ; ulimit -f {blocks};");
    let output = through_a_shell(&bench, &script, &match_of("slow-new-game", "well")).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(message.contains("events.jsonl: File too large"), "{message}");
    let before = journalled(&bench, "run").len();
    assert!(before > 0 && before < GAMES, "{before}");
    #[cfg(target_os = "linux")]
    assert_eq!(bench.processes(), 0);

    bench.run("resume run").expect_code(0);
    assert_eq!(games(&bench, "run"), games(&bench, "whole"));
}

#[test]
#[cfg(target_os = "linux")]
fn more_files_may_be_open_than_at_first_and_engines_keep_their_limit() {
    let bench = Workbench::with_mocks(&["well"]);
    let told = format!("#!/bin/sh\nulimit -Sn > limit\nexec '{}' well\n", crate::programs::MOCK_ENGINE);
    bench.write_program("told", &told);
    let args = "match ./told well --nodes 1 --games 32 --openings book.epd --concurrency 16 --out run";
    let words: Vec<&str> = args.split(' ').collect();
    let output = through_a_shell(&bench, "ulimit -Sn 48;", &words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bench.read("limit"), "48\n");
}

#[test]
fn whoever_closes_the_pipe_is_not_told_of_it() {
    let bench = Workbench::new();
    bench.write("games.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    let commands: [&[&str]; 4] = [&["man"], &["completions", "bash"], &["engines"], &["rate", "games.pgn"]];
    for args in commands {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = bench.command(args).stdout(writer).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(5), "{args:?}");
    }
}

#[test]
fn an_interrupted_book_is_kept_with_a_note() {
    let bench = Workbench::new();
    let recipe = "--plies 2..6 --eval-range 0..80 --nodes 3000 --choice-nodes 2000 --seed 3 --count 100000";
    let mut arbiter = bench.spawn(&format!("openings make {TARRASCH} a.epd {recipe}"));
    let draft = || bench.listing().iter().any(|path| path.to_string_lossy().ends_with(".draft"));
    wait_until("the work begins", draft);
    // By then, some of it may be done.
    thread::sleep(Duration::from_millis(500));
    interrupt(&arbiter);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    assert!(!draft());
    if bench.path("a.epd").exists() {
        assert!(bench.read("a.epd").contains("of 100,000 openings: interrupted"));
        bench.run("openings check a.epd").expect_code(0);
    }
}
