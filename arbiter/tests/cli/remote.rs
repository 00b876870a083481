//! `--on`: several machines by ssh. The ssh of these tests runs what it is given here, with a home for each machine.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::workbench::{Finished, TARRASCH, Workbench, wait_until};

/// It refuses the machine `gone`, and ends with the machine's shell.
const SSH: &str = "#!/bin/sh
while [ \"$1\" = -o ]; do shift 2; done
[ \"$1\" = -T ] && shift
[ \"$1\" = gone ] && { echo 'ssh: no route to host' >&2; exit 255; }
HOME=$HOMES/$1; export HOME; unset XDG_CACHE_HOME; mkdir -p $HOME; cd $HOME; shift
exec sh -c \"$*\"
";

struct Site {
    bench: Workbench,
}

impl Site {
    fn new() -> Site {
        let bench = Workbench::new();
        bench.write_program("bin/ssh", SSH);
        Site { bench }
    }

    fn start(&self, words: &[&str]) -> Child {
        let mut command = self.bench.command(words);
        self.with_ssh(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn with_ssh(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.bench.path("bin").display()));
        command.env("HOMES", self.bench.path("homes"));
    }

    fn end(&self, words: &[&str]) -> Finished {
        Finished::of(self.start(words).wait_with_output().unwrap())
    }

    fn cache(&self, machine: &str) -> PathBuf {
        self.bench.path(&format!("homes/{machine}/.cache/arbiter/machines"))
    }
}

fn line<'a>(on: &'a str, out: &'a str, sprt: &'a str, weaker: &'a str) -> [&'a str; 13] {
    ["match", TARRASCH, weaker, "--nodes", "400", "--seed", "7", "--sprt", sprt, "--on", on, "--out", out]
}

#[test]
fn machines_play_one_test_and_only_the_cache_stays_there() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=100"));
    let first = site.end(&line("ada:1,me@grace:1", "one", "0,50", &weaker)).expect_code(0);
    first.shows(&["H1 accepted", "saved in one/merged"]).tells(&["ada: bringing", "me@grace: bringing"]);
    for folder in ["one/ada/shard", "one/me@grace/shard", "one/merged"] {
        assert!(site.bench.path(folder).join("events.jsonl").is_file(), "{folder}");
    }
    site.end(&["status", "one"]).expect_code(0).shows(&["finished: SPRT accepted H1"]);
    site.end(&["report", "one"]).expect_code(0).shows(&["wrote one/merged/report.html"]);
    for machine in ["ada", "me@grace"] {
        let left = fs::read_dir(site.cache(machine).join("runs")).unwrap().count();
        assert_eq!(left, 0, "{machine}");
    }
    let again = site.end(&line("ada:1", "two", "0,50", &weaker)).expect_code(0);
    assert!(!again.stderr().contains("bringing"), "{}", again.stderr());
    site.end(&["resume", "two"]).expect_code(0).tells(&["finished; it is in two/merged"]);
}

#[test]
fn a_machine_that_goes_away_does_not_end_the_test_and_its_games_are_fetched_later() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=300"));
    let run = site.start(&line("ada:1,grace:1", "run", "0,10", &weaker));
    let journal = |machine: &str| {
        let runs = fs::read_dir(site.cache(machine).join("runs")).ok()?;
        let text = fs::read_to_string(runs.flatten().next()?.path().join("shard/events.jsonl")).ok()?;
        Some(text.matches("game_finished").count())
    };
    wait_until("games on both machines", || {
        ["ada", "grace"].iter().all(|machine| journal(machine).is_some_and(|games| games > 3))
    });
    // The shard is told by its folder from that of the other machine.
    let shard = Command::new("pgrep").args(["-f", "run-file.toml"]).output().unwrap();
    let of_grace = String::from_utf8(shard.stdout).unwrap().lines().find_map(|pid| {
        let folder = fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
        folder.starts_with(site.cache("grace")).then(|| pid.parse().unwrap())
    });
    kill_process(Pid::from_raw(of_grace.expect("a shard")).unwrap(), Signal::KILL).unwrap();
    // The first Ctrl-C stops all that is left.
    wait_until("more games on the other machine", || journal("ada").is_some_and(|games| games > 8));
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let stopped = Finished::of(run.wait_with_output().unwrap());
    if stopped.code() == Some(3) {
        stopped.tells(&["machine grace went away", "arbiter resume run"]);
        site.end(&["status", "run"]).expect_code(2).tells(&["still on its machines", "arbiter resume run"]);
        site.end(&["resume", "run"]).expect_code(0).shows(&["H1 accepted"]);
    }
    assert!(site.bench.path("run/grace/shard/events.jsonl").is_file());
    assert!(site.bench.path("run/merged/report.html").is_file());
}

#[test]
fn what_cannot_be_played_elsewhere_is_refused_before_anything_is_made() {
    let site = Site::new();
    for (on, said) in [
        ("ada,gone", "machine gone: exit status: 255: ssh: no route to host"),
        ("ada,ada:2", "--on: expected each machine once"),
        ("ada:x", "expected HOST or HOST:GAMES_AT_ONCE"),
    ] {
        site.end(&line(on, "run", "0,50", "tarrasch")).expect_code(2).tells(&[said]);
        assert!(!site.bench.path("run").exists(), "{on}");
    }
}
