//! `arbiter control` and `arbiter status`: other processes see and steer a run, but cannot disturb it. More is in
//! `scenarios/control.txt`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Child;

use crate::workbench::{Workbench, wait_until};

const MATCH: [&str; 12] = [
    "match", "well", "well:Hash=2", "--openings", "book.epd", "--seed", "1", "--nodes", "20", "--maxmoves",
    "40", "--no-report",
];

fn match_args<'a>(games: &'a str, out: &'a str) -> Vec<&'a str> {
    [&MATCH[..], &["--games", games, "--out", out]].concat()
}

fn start(bench: &Workbench) -> Child {
    let arbiter = bench.spawn(&match_args("1000000", "run"));
    wait_until("the socket", || bench.path("run/control.sock").exists());
    arbiter
}

fn stop(bench: &Workbench, mut arbiter: Child) {
    bench.run(&["control", "run", "stop", "now"]).expect_code(0);
    assert_eq!(arbiter.wait().unwrap().code(), Some(3));
    assert!(!bench.path("run/control.sock").exists(), "the socket goes with the run");
}

#[cfg(unix)]
fn connect(bench: &Workbench) -> std::os::unix::net::UnixStream {
    std::os::unix::net::UnixStream::connect(bench.path("run/control.sock")).unwrap()
}

#[cfg(windows)]
fn connect(bench: &Workbench) -> std::net::TcpStream {
    let place = bench.read("run/control.sock");
    let (port, word) = place.trim_end().split_once(' ').unwrap();
    let mut client = std::net::TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
    writeln!(client, "{word}").unwrap();
    client
}

#[test]
#[cfg(windows)]
fn whoever_does_not_know_the_word_of_a_run_cannot_steer_it() {
    let bench = Workbench::with_mocks(&["well"]);
    let arbiter = start(&bench);
    let port = bench.read("run/control.sock").split_once(' ').unwrap().0.parse().unwrap();
    for line in ["stop now", "00000000000000000000000000000000\nstop now", ""] {
        let mut stranger = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
        stranger.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
        let _ = writeln!(stranger, "{line}");
        let _ = stranger.shutdown(std::net::Shutdown::Write);
        let mut said = String::new();
        let _ = stranger.read_to_string(&mut said);
        assert!(said.is_empty() || said.starts_with("error: "), "{said}");
    }
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().starts_with("  running, "));
    stop(&bench, arbiter);
}

#[test]
fn clients_that_flood_hang_or_send_nonsense_disturb_nobody() {
    let bench = Workbench::with_mocks(&["well"]);
    let arbiter = start(&bench);
    let mut endless = connect(&bench);
    // The run disconnects in the middle of the line.
    let _ = endless.write_all(&vec![b'x'; 1 << 20]);
    let mut said = String::new();
    let _ = endless.read_to_string(&mut said);
    assert!(said.is_empty() || said.starts_with("error: expected a line of at most"), "{said}");
    let _silent: Vec<_> = (0..3).map(|_| connect(&bench)).collect();
    let mut deaf = connect(&bench);
    deaf.write_all("status\n".repeat(1000).as_bytes()).unwrap();

    let mut two_questions = connect(&bench);
    two_questions.write_all(b"what is this\n\xff\xfe\0\nconcurrency none\nhelp\n").unwrap();
    let lines = BufReader::new(two_questions).lines().map(Result::unwrap);
    let answers: Vec<String> = lines.take_while(|line| !line.starts_with("help ")).collect();
    let refusals = answers.iter().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(refusals, 3, "{answers:?}");
    assert!(bench.run(&["status", "run"]).expect_code(0).stdout().contains("running"));
    stop(&bench, arbiter);
}

#[test]
#[cfg(windows)]
fn a_path_that_is_longer_than_a_short_one_may_be_is_a_folder_like_any_other() {
    let bench = Workbench::with_mocks(&["well"]);
    let deep = vec!["d".repeat(100); 3].join("/");
    bench.run(&match_args("2", &deep)).expect_code(0);
    for command in ["status", "report", "resume", "rate"] {
        bench.run(&[command, &deep]).expect_code(0);
    }
}

#[cfg(target_os = "linux")]
fn state(process: &Child) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    stat.rsplit_once(") ").unwrap().1[..1].to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_suspended_by_the_shell_loses_no_game_on_time() {
    use rustix::process::{Pid, Signal, kill_process};
    use serde_json::Value;
    let bench = Workbench::with_mocks(&["well", "late"]);
    let mut args = vec!["match", "well", "late", "--openings", "book.epd", "--tc", "2+0.5"];
    args.extend(["--games", "1000000", "--maxmoves", "30", "--concurrency", "2", "--out", "run"]);
    let arbiter = bench.spawn(&args);
    let status = || {
        let json = bench.run(&["status", "run", "--json"]).expect_code(0).stdout();
        serde_json::from_str::<Value>(&json).unwrap()
    };
    wait_until("games", || {
        bench.path("run/control.sock").exists() && status()["in_progress"].as_array().unwrap().len() == 2
    });
    let before: Vec<_> = status()["in_progress"].as_array().unwrap().clone();
    kill_process(Pid::from_child(&arbiter), Signal::TSTP).unwrap();
    wait_until("the stop", || state(&arbiter) == "T");
    assert_eq!(bench.processes_now(), 1, "no engine is left to burn its clock");
    // Longer than the engines' clocks.
    std::thread::sleep(std::time::Duration::from_secs(3));
    kill_process(Pid::from_child(&arbiter), Signal::CONT).unwrap();
    let number = |game: &Value| game["number"].as_u64().unwrap();
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
