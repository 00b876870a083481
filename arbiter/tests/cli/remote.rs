//! `--on`: several machines by ssh. A fake ssh runs commands locally, with a home folder for each machine.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::workbench::{ARBITER, Finished, TARRASCH, Workbench, wait_until};

/// Refuses the machine `gone`, prints what a login profile may print, and runs the machine's shell. A file `away` keeps
/// games from being fetched; a file `rot` damages a game first; commands with the words of a file `hang` never end.
const SSH: &str = "#!/bin/sh
while [ \"$1\" = -o ]; do shift 2; done
[ \"$1\" = -T ] && shift
[ \"$1\" = gone ] && { echo 'ssh: no route to host' >&2; exit 255; }
HOME=$HOMES/$1; export HOME; unset XDG_CACHE_HOME; mkdir -p $HOME; cd $HOME; shift
[ -e hang ] && case \"$*\" in *\"$(cat hang)\"*) echo $$ > hangs; exec sleep 600;; esac
case \"$*\" in *'tar -C'*)
    [ -e away ] && { echo 'ssh: no route to host' >&2; exit 255; }
    [ -e rot ] && sed -i '5s/e4/d4/;5s/Nf3/Nc3/;5s/\"time\"/\"tine\"/;5s/1/2/' .cache/arbiter/machines/runs/*/shard/events.jsonl ;;
esac
echo 'Last login: today'; printf 'fortune without an end'
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
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.bench.path("bin").display()));
        command.env("HOMES", self.bench.path("homes"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn end(&self, words: &[&str]) -> Finished {
        Finished::of(self.start(words).wait_with_output().unwrap())
    }

    /// The number of runs that left something on a machine.
    fn left(&self, machine: &str) -> usize {
        fs::read_dir(self.cache(machine).join("runs")).map_or(0, Iterator::count)
    }

    /// Interrupts a run when a command with these words hangs on `grace`; then that has ended, too.
    fn interrupt_at(&self, words: &str, line: &[&str]) -> Finished {
        self.bench.write("homes/grace/hang", words);
        let (run, hangs) = (self.start(line), self.bench.path("homes/grace/hangs"));
        wait_until("a command that hangs", || fs::read_to_string(&hangs).is_ok_and(|id| id.ends_with('\n')));
        kill_process(Pid::from_child(&run), Signal::INT).unwrap();
        let ended = Finished::of(run.wait_with_output().unwrap());
        let process = PathBuf::from("/proc").join(fs::read_to_string(&hangs).unwrap().trim());
        assert!(!process.exists(), "{words}");
        fs::remove_file(self.bench.path("homes/grace/hang")).unwrap();
        fs::remove_file(hangs).unwrap();
        ended
    }

    fn cache(&self, machine: &str) -> PathBuf {
        self.bench.path(&format!("homes/{machine}/.cache/arbiter/machines"))
    }
}

fn line<'a>(on: &'a str, out: &'a str, sprt: &'a str, weaker: &'a str) -> [&'a str; 13] {
    ["match", TARRASCH, weaker, "--nodes", "50", "--seed", "7", "--sprt", sprt, "--on", on, "--out", out]
}

#[test]
fn machines_play_one_test_and_only_the_cache_stays_there() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    let first = site.end(&line("ada:1,me@grace:1", "one", "0,50", &weaker)).expect_code(0);
    first.shows(&["H1 accepted", "saved in one/merged"]).tells(&["ada: copying", "me@grace: copying"]);
    for folder in ["one/ada/shard", "one/me@grace/shard", "one/merged"] {
        assert!(site.bench.path(folder).join("events.jsonl").is_file(), "{folder}");
    }
    site.end(&["status", "one"]).expect_code(0).shows(&["finished: SPRT accepted H1"]);
    site.end(&["report", "one"]).expect_code(0).shows(&["wrote one/merged/report.html"]);
    for machine in ["ada", "me@grace"] {
        assert_eq!(site.left(machine), 0, "{machine}");
    }
    let again = site.end(&line("ada:1", "two", "0,50", &weaker)).expect_code(0);
    assert!(!again.stderr().contains("copying"), "{}", again.stderr());
    // A truncated file in the cache is copied again.
    let program =
        fs::read_dir(site.cache("ada")).unwrap().flatten().find(|key| key.path().join("arbiter").exists());
    let program = program.unwrap().path().join("arbiter");
    fs::File::options().write(true).open(&program).unwrap().set_len(5000).unwrap();
    site.end(&line("ada:1", "three", "0,50", &weaker)).expect_code(0).tells(&["ada: copying", "arbiter"]);
    assert_eq!(fs::metadata(&program).unwrap().len(), fs::metadata(ARBITER).unwrap().len());
    let drafts = program.parent().unwrap().read_dir().unwrap().count();
    assert_eq!(drafts, 1);
    site.end(&["resume", "two"]).expect_code(0).tells(&["finished; it is in two/merged"]);
}

#[test]
fn a_machine_that_goes_away_does_not_end_the_test_and_its_games_are_fetched_later() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=20"));
    let run = site.start(&line("ada:1,grace:1", "run", "0,5", &weaker));
    let journal = |machine: &str| {
        let runs = fs::read_dir(site.cache(machine).join("runs")).ok()?;
        let text = fs::read_to_string(runs.flatten().next()?.path().join("shard/events.jsonl")).ok()?;
        Some(text.matches("game_finished").count())
    };
    wait_until("games on both machines", || {
        ["ada", "grace"].iter().all(|machine| journal(machine).is_some_and(|games| games > 3))
    });
    site.end(&["resume", "run"]).expect_code(2).tells(&["another arbiter conducts this run"]);
    // The folder tells this shard from the other machine's.
    let shard = Command::new("pgrep").args(["-f", "run-file.toml"]).output().unwrap();
    let of_grace = String::from_utf8(shard.stdout).unwrap().lines().find_map(|pid| {
        let folder = fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
        folder.starts_with(site.cache("grace")).then(|| pid.parse().unwrap())
    });
    kill_process(Pid::from_raw(of_grace.expect("a shard")).unwrap(), Signal::KILL).unwrap();
    // The first Ctrl-C stops all remaining machines.
    wait_until("more games on the other machine", || journal("ada").is_some_and(|games| games > 8));
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let stopped = Finished::of(run.wait_with_output().unwrap());
    if stopped.code() == Some(3) {
        stopped.tells(&["machine grace was lost", "arbiter resume run"]);
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
        assert_eq!(site.left("ada"), 0, "{on}");
    }
}

#[test]
fn games_on_a_machine_that_is_away_are_fetched_by_resume() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    site.bench.write("homes/grace/away", "");
    let fetch = "fetch them with: arbiter resume run";
    let first = site.end(&line("ada:1,grace:1", "run", "0,50", &weaker)).expect_code(3);
    first.tells(&["machine grace: exit status: 255", "its games are missing", fetch]);
    site.end(&["resume", "run"]).expect_code(3).tells(&["machine grace", fetch]);
    assert_eq!((site.left("ada"), site.left("grace")), (0, 1));
    site.interrupt_at("tar -C", &["resume", "run"]).expect_code(3).tells(&["saved on the machines"]);
    assert!(!site.bench.listing().iter().any(|path| path.to_string_lossy().contains("bringing")));
    fs::remove_file(site.bench.path("homes/grace/away")).unwrap();
    let last = site.end(&["resume", "run"]).expect_code(0);
    assert!(!last.stderr().contains("missing"), "{}", last.stderr());
    last.shows(&["H1 accepted"]).tells(&["the previous merge is kept in run/merged-1"]);
    assert_eq!(site.left("grace"), 0);
    site.end(&["verify", "run"]).expect_code(0);
    site.end(&["resume", "run"]).expect_code(0).tells(&["finished; it is in run/merged"]);
}

#[test]
fn ctrl_c_ends_whatever_a_machine_is_asked_and_leaves_nothing_that_runs() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    let line = line("ada:1,grace:1", "run", "0,50", &weaker);
    for words in ["nproc", "run-file.toml"] {
        site.interrupt_at(words, &line).expect_code(3).tells(&["stopped before the first game"]);
        assert!(!site.bench.path("run").exists(), "{words}");
        assert_eq!((site.left("ada"), site.left("grace")), (0, 0), "{words}");
    }
    let stopped = site.interrupt_at("tar -C", &line).expect_code(3);
    stopped.tells(&["stopping before all games are here", "continue with: arbiter resume run"]);
    let ended = site.interrupt_at("rm -rf \"", &["resume", "run"]).expect_code(0).shows(&["H1 accepted"]);
    ended.tells(&[
        "machine grace: stopped; files of the run are still there; `arbiter resume run` removes them",
    ]);
    assert_eq!((site.left("ada"), site.left("grace")), (0, 1));
    site.end(&["verify", "run"]).expect_code(0);
    // So does what a conductor left that was killed in the meantime.
    site.end(&["resume", "run"]).expect_code(0).tells(&["finished; it is in run/merged"]);
    assert_eq!((site.left("ada"), site.left("grace")), (0, 0));
}

#[test]
fn a_merge_that_was_killed_is_made_again() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    site.end(&line("ada:1,grace:1", "run", "0,50", &weaker)).expect_code(0);
    let (plan, journal) = (site.bench.read("run/machines.toml"), site.bench.read("run/merged/events.jsonl"));
    let plan: Vec<&str> = plan.lines().filter(|line| !line.starts_with("home = ")).collect();
    site.bench.write("run/machines.toml", &plan.join("\n"));
    site.bench.write("run/merged/events.jsonl", &journal.split_inclusive('\n').take(5).collect::<String>());
    // A fetch that was killed leaves its draft.
    site.bench.write("run/.bringing-1/shard/events.jsonl", "");
    site.end(&["resume", "run"]).expect_code(0).shows(&["H1 accepted"]).tells(&["kept in run/merged-1"]);
    assert!(!site.bench.path("run/.bringing-1").exists());
    assert_eq!(site.bench.read("run/merged/events.jsonl"), journal);
}

#[test]
fn a_journal_that_comes_home_changed_is_named_and_the_others_are_merged() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    site.bench.write("homes/grace/rot", "");
    let run = site.end(&line("ada:1,grace:1", "run", "0,50", &weaker)).expect_code(3);
    run.tells(&["machine grace", "events.jsonl, line 5: ", "its games are missing", "fetch them with"]);
    assert!(site.bench.path("run/merged/events.jsonl").is_file() && !site.bench.path("run/grace").exists());
    assert_eq!((site.left("ada"), site.left("grace")), (0, 1));
}

#[test]
fn two_runs_may_bring_the_same_files_to_one_machine_at_once() {
    let (site, weaker) = (Site::new(), format!("{TARRASCH}:Hash=1,nodes=1"));
    let runs = ["one", "two", "three"].map(|out| site.start(&line("ada:1", out, "0,50", &weaker)));
    for run in runs {
        Finished::of(run.wait_with_output().unwrap()).expect_code(0).shows(&["H1 accepted"]);
    }
}

#[test]
fn machines_play_rounds_of_a_list_and_a_round_that_is_cut_off_is_fetched_and_counted_once() {
    let site = Site::new();
    site.bench.write_program("strong.sh", &format!("#!/bin/sh\nexec {TARRASCH}\n"));
    let script = site.bench.path("strong.sh");
    let engine = |cmd: &str, name: &str, nodes: u32| format!("cmd={cmd} name={name} nodes={nodes}");
    // The file that an argument names lies elsewhere on each machine.
    let strong = engine(&format!("/bin/sh args={}", script.display()), "strong", 400);
    let (weak, middle) = (engine(TARRASCH, "weak", 4), engine(TARRASCH, "middle", 50));
    for list in ["whole", "cut"] {
        site.end(&["list", "new", list, "--nodes", "50", "--maxmoves", "20", "--seed", "1"]).expect_code(0);
        site.end(&["list", "add", list, &strong, &weak, &middle]).expect_code(0);
    }
    let play = |list, games| site.end(&["list", "play", list, "--games", games, "--on", "ada:1,grace:2"]);
    let first = play("whole", "60").expect_code(0).tells(&["run 0001: 24 games on ada, grace", "run 0002: "]);
    first.shows(&["3 engines, 2 runs, 60 games"]);
    site.bench.write("homes/grace/away", "");
    let cut = play("cut", "24").expect_code(3);
    cut.tells(&["its games are missing", "continue with: arbiter list play cut"]);
    let unfinished =
        "unfinished: a round on machines; `arbiter list play LIST` begins with fetching its games";
    site.end(&["list", "status", "cut"]).expect_code(0).shows(&["0 games", unfinished]);
    fs::remove_file(site.bench.path("homes/grace/away")).unwrap();
    play("cut", "36").expect_code(0).tells(&["run 0002: "]).shows(&["3 engines, 2 runs, 60 games"]);
    let status = |list| site.end(&["list", "status", list, "--json"]).expect_code(0).stdout();
    assert_eq!(status("cut"), status("whole"));
    // A process that was killed while it added the round adds it now, and once.
    let round = site.bench.path("cut/round-0002");
    fs::create_dir(&round).unwrap();
    site.bench.write("cut/round-0002/machines.toml", "");
    site.bench.write("cut/round-robin/notes.txt", "mine");
    fs::rename(site.bench.path("cut/runs/0002"), round.join("merged")).unwrap();
    play("cut", "2").expect_code(0).shows(&["3 engines, 3 runs, 62 games"]);
    assert!(!round.exists() && site.bench.path("cut/round-robin/notes.txt").is_file());
    for machine in ["ada", "grace"] {
        assert_eq!(site.left(machine), 0, "{machine}");
    }
    let timed = &["list", "new", "timed", "--tc", "1+0.1"];
    site.end(timed).expect_code(0);
    site.end(&["list", "add", "timed", TARRASCH, &weak]).expect_code(0);
    play("timed", "2").expect_code(2).tells(&["not the same games on another processor", "--scale-to"]);
    assert!(site.bench.path("whole/runs/0002/report.html").is_file());
}

#[test]
fn machines_tune_together_in_rounds_and_a_stopped_tuning_goes_on() {
    let (site, engine) = (Site::new(), format!("{TARRASCH}:UCI_LimitStrength=true"));
    site.bench.write("elo.csv", "UCI_Elo, int, 1400, 1200, 3000\n");
    let tune = ["tune", &engine, "--spec", "elo.csv", "--nodes", "50", "--games", "150", "--no-verify"];
    let line = [&tune[..], &["--on", "ada:1,grace:2", "--out", "t"]].concat();
    let stopped = site.interrupt_at("tar -C", &line).expect_code(3);
    stopped.tells(&["round 1 of at most 3: 0 games", "continue with: arbiter resume t"]);
    site.end(&["resume", "t/1"]).expect_code(2).tells(&["resume the folder above it"]);
    let ended = site.end(&["resume", "t"]).expect_code(0).shows(&["150 games in", "saved in t/merged"]);
    ended.tells(&["round 2 of at most 3: 64 games so far", "round 3 of at most 3: 128 games"]);
    // A machine has a share by the games that it plays at once.
    let played =
        |machine: &str| site.bench.read(&format!("t/1/{machine}/shard/games.csv")).lines().count() - 1;
    assert_eq!(["ada", "grace"].map(played), [22, 42]);
    // The merged run is a tuning like any other: its values follow from its games.
    let values = site.end(&["report", "--tuned", "options", "t"]).expect_code(0).stdout();
    fs::remove_file(site.bench.path("t/merged/state.json")).unwrap();
    assert_eq!(site.end(&["report", "--tuned", "options", "t"]).stdout(), values);
    assert!(values.starts_with("UCI_Elo="), "{values}");
    site.end(&["resume", "t"]).expect_code(0).shows(&["saved in t/merged"]);
    for machine in ["ada", "grace"] {
        assert_eq!(site.left(machine), 0, "{machine}");
    }
}
