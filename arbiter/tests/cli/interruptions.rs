//! Interrupted runs, and what is left if the program or its terminal goes away. More is in `scenarios/control.txt`.

use std::io::pipe;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

#[cfg(windows)]
use crate::processes::interrupt;
use crate::workbench::{Workbench, games, journalled, wait_until};

/// Enough games for the match to be caught halfway.
const GAMES: usize = 14;

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
    wait_until("a game that has begun", || {
        bench.path("stuck/events.jsonl").exists() && bench.read("stuck/events.jsonl").contains("game_started")
    });
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
    assert_eq!(games(&bench, "run"), GAMES);
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
    assert_eq!(games(&bench, "run"), GAMES);

    let bench = Workbench::with_mocks(&["well", "slow-new-game"]);
    let status =
        through_a_shell(&bench, "exec <&- >&- 2>&-;", &match_of("slow-new-game", "well")).status().unwrap();
    assert_eq!(status.code(), Some(0), "without any standard stream");
    assert_eq!(games(&bench, "run"), GAMES);
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
