//! `arbiter control` and `arbiter status`: commands from other processes, which cannot disturb a run.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::interruptions::wait_until;
use crate::workbench::Workbench;

/// Starts a match that runs until it is stopped.
fn start(bench: &Workbench) -> Child {
    let mut args = vec!["match", "well", "well:Hash=2", "--openings", "book.epd", "--nodes", "20"];
    args.extend(["--games", "1000000", "--maxmoves", "30", "--out", "run"]);
    let arbiter = bench.spawn(&args);
    wait_until("the socket", || bench.path("run/control.sock").exists());
    arbiter
}

/// Stops the run by a command and checks its end.
fn stop(bench: &Workbench, mut arbiter: Child) {
    bench.run(&["control", "run", "stop", "now"]).expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    assert!(!bench.path("run/control.sock").exists(), "the socket goes with the run");
}

#[test]
fn a_run_is_paused_resumed_and_stopped_from_another_terminal() {
    let bench = Workbench::with_mocks(&["well"]);
    let arbiter = start(&bench);
    let mode = bench.path("run/control.sock").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().starts_with("  running, "));
    bench.run(&["control", "run", "pause"]).expect_code(0);
    let status = || bench.run(&["status", "run"]).expect_code(0).stdout();
    wait_until("the games in progress are over", || status().starts_with("  paused, 0 games in progress"));
    #[cfg(target_os = "linux")]
    wait_until("only the run itself is left", || bench.processes_now() == 1);
    let status = status();
    assert!(status.contains("arbiter control run resume"), "{status}");
    bench.run(&["control", "run", "concurrency", "3"]).expect_code(0);
    bench.run(&["control", "run", "resume"]).expect_code(0);
    wait_until("three games at once", || {
        let json = bench.run(&["status", "run", "--json"]).expect_code(0).stdout();
        let status: serde_json::Value = serde_json::from_str(&json).unwrap();
        status["state"]["kind"] == "running" && status["in_progress"].as_array().unwrap().len() == 3
    });
    stop(&bench, arbiter);

    let status = bench.run(&["status", "run"]).expect_code(0).stdout();
    assert!(status.starts_with("  interrupted: stopped by the user"), "{status}");
    assert!(status.contains("continue with: arbiter resume run"), "{status}");
    let refused = bench.run(&["control", "run", "pause"]).expect_code(2).stderr();
    assert!(refused.contains("this run is not running"), "{refused}");
}

#[test]
fn clients_that_flood_hang_or_send_nonsense_disturb_nobody() {
    let bench = Workbench::with_mocks(&["well"]);
    let arbiter = start(&bench);
    let connect = || UnixStream::connect(bench.path("run/control.sock")).unwrap();
    let mut endless = connect();
    // The run hangs up in the middle of the line.
    let _ = endless.write_all(&vec![b'x'; 1 << 20]);
    let mut said = String::new();
    let _ = endless.read_to_string(&mut said);
    assert!(said.is_empty() || said.starts_with("error: expected a line of at most"), "{said}");
    let _silent: Vec<UnixStream> = (0..3).map(|_| connect()).collect();
    let mut deaf = connect();
    deaf.write_all("status\n".repeat(1000).as_bytes()).unwrap();

    let mut two_questions = connect();
    two_questions.write_all(b"what is this\n\xff\xfe\0\nconcurrency none\nhelp\n").unwrap();
    let lines = BufReader::new(two_questions).lines().map(Result::unwrap);
    let answers: Vec<String> = lines.take_while(|line| !line.starts_with("help ")).collect();
    let refusals = answers.iter().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(refusals, 3, "{answers:?}");
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().contains("running"));
    stop(&bench, arbiter);
}

#[test]
fn the_socket_of_a_killed_run_is_replaced() {
    let bench = Workbench::with_mocks(&["well"]);
    let mut arbiter = start(&bench);
    arbiter.kill().unwrap();
    arbiter.wait().unwrap();
    assert!(bench.path("run/control.sock").exists());
    let status = bench.run(&["status", "run"]).expect_code(0).stdout();
    assert!(status.starts_with("  interrupted: the process ended unexpectedly"), "{status}");
    let arbiter = bench.spawn(&["resume", "run"]);
    wait_until("the run answers", || bench.run(&["control", "run", "status"]).code() == Some(0));
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().starts_with("  running"));
    stop(&bench, arbiter);
}

#[test]
fn a_folder_without_a_run_has_no_status() {
    let bench = Workbench::new();
    for args in [&["status", "."][..], &["status", "nowhere"], &["control", ".", "pause"]] {
        let stderr = bench.run(args).expect_code(2).stderr();
        assert!(stderr.contains("expected a run folder"), "{stderr}");
    }
    let stderr = bench.run(&["control", ".", "jump"]).expect_code(2).stderr();
    assert!(
        stderr.contains(
            "expected status, status json, pause, resume, concurrency N, stop, stop now or help, found `jump`"
        ),
        "{stderr}"
    );
}

#[test]
fn a_path_that_is_too_long_for_a_socket_prevents_only_control() {
    let bench = Workbench::with_mocks(&["well"]);
    let deep = "d".repeat(150);
    let mut args = vec!["match", "well", "well:Hash=2", "--openings", "book.epd", "--nodes", "20"];
    args.extend(["--games", "2", "--maxmoves", "5", "--out", &deep]);
    let stderr = bench.run(&args).expect_code(0).stderr();
    assert!(stderr.contains("`arbiter control` cannot reach this run"), "{stderr}");
}

/// The state of a process on Linux, a letter.
#[cfg(target_os = "linux")]
fn state(process: &Child) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    stat.rsplit_once(") ").unwrap().1[..1].to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_suspended_by_the_shell_loses_no_game_on_time() {
    let bench = Workbench::with_mocks(&["well", "late"]);
    let mut args = vec!["match", "well", "late", "--openings", "book.epd", "--tc", "2+0.5"];
    args.extend(["--games", "1000000", "--maxmoves", "30", "--concurrency", "2", "--out", "run"]);
    let arbiter = bench.spawn(&args);
    let status = || {
        let json = bench.run(&["status", "run", "--json"]).expect_code(0).stdout();
        serde_json::from_str::<serde_json::Value>(&json).unwrap()
    };
    wait_until("games", || {
        bench.path("run/control.sock").exists() && status()["in_progress"].as_array().unwrap().len() == 2
    });
    let before: Vec<_> = status()["in_progress"].as_array().unwrap().clone();
    kill_process(Pid::from_child(&arbiter), Signal::TSTP).unwrap();
    wait_until("the stop", || state(&arbiter) == "T");
    assert_eq!(bench.processes_now(), 1, "no engine is left to burn its clock");
    // More than the engines have on their clocks.
    thread::sleep(Duration::from_secs(3));
    kill_process(Pid::from_child(&arbiter), Signal::CONT).unwrap();
    let number = |game: &serde_json::Value| game["number"].as_u64().unwrap();
    wait_until("the same games again", || {
        let now = status()["in_progress"].as_array().unwrap().clone();
        let same = now.iter().map(number).eq(before.iter().map(number));
        same && now.iter().zip(&before).all(|(now, before)| now["started"] != before["started"])
    });
    wait_until("their end", || status()["summary"]["games"].as_u64() >= Some(2));
    let engines = status()["summary"]["engines"].clone();
    assert!(
        engines.as_array().unwrap().iter().all(|engine| engine["faults"].as_object().unwrap().is_empty())
    );
    stop(&bench, arbiter);
}
