//! Builds of revisions and `arbiter history`, made once, kept and resumed; bisections; and builds by cargo.

use std::fs;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::foreign_repository::ForeignRepository;
use crate::killed_runs::{killed_after, killed_again_and_again};
use crate::workbench::{Finished, Workbench, wait_until};

#[test]
#[cfg(target_os = "linux")]
fn a_build_ends_with_us_and_is_never_taken_for_whole() {
    let foreign = ForeignRepository::new(&["well"]);
    let bench = &foreign.bench;
    // The first build creates the program long before it ends.
    let started = bench.path("started");
    foreign.write_manifest(&format!(
        "sh '{}' && if [ -e '{1}' ]; then true; else touch '{1}' && sleep 1000; fi && ",
        bench.path("build.sh").display(),
        started.display()
    ));
    let mut arbiter = bench.spawn("engines build foreign@c1");
    wait_until("the build has begun", || started.exists());
    bench.run("engines list").expect_code(0).shows(&["being built"]);
    bench.run("engines clean").expect_code(0).shows(&["kept, it is in use"]);
    kill_process(Pid::from_child(&arbiter), Signal::KILL).unwrap();
    arbiter.wait().unwrap();
    let is_build = |process: &fs::DirEntry| {
        let cwd = fs::read_link(process.path().join("cwd"));
        cwd.is_ok_and(|cwd| cwd.starts_with(bench.path("cache").canonicalize().unwrap()))
    };
    wait_until("no process of the build is left", || {
        !fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|process| is_build(&process))
    });
    bench.run("engines list").expect_code(0).shows(&["interrupted, will be built again"]);
    let before = foreign.builds().len();
    bench.run("engines build foreign@c1").expect_code(0);
    assert!(foreign.builds().len() > before, "what was left behind was taken for whole");
    assert_eq!(bench.run("engines list").stdout().matches("interrupted, will be").count(), 0);
}

/// The options of short games that are always the same.
const SHORT: [&str; 12] = [
    "--openings", "book.epd", "--nodes", "20", "--games", "4", "--maxmoves", "6", "--seed", "1",
    "--concurrency", "1",
];

fn history(foreign: &ForeignRepository, out: &str, more: &[&str], code: i32) -> Finished {
    foreign.bench.run(&[&["history", "foreign", "--out", out], more, &SHORT[..]].concat()).expect_code(code)
}

/// The run folders of a history, in order.
fn runs(foreign: &ForeignRepository, out: &str) -> Vec<String> {
    let entries = fs::read_dir(foreign.bench.path(out)).unwrap().map(Result::unwrap);
    let mut runs: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    runs.sort();
    runs
}

#[test]
fn a_history_that_is_killed_continues_exactly() {
    let foreign = ForeignRepository::new(&["well", "well", "well"]);
    let bench = &foreign.bench;
    history(&foreign, "whole", &["c1..c3"], 0);
    let games = |out: &str| {
        let texts = runs(&foreign, out).into_iter().map(|run| bench.read(&format!("{out}/{run}/games.pgn")));
        texts.collect::<Vec<_>>()
    };
    let args = [&["history", "foreign", "--out", "killed", "c1..c3"], &SHORT[..]].concat();
    let lives = killed_again_and_again(bench, "killed", "history.toml", &args);
    assert!(lives > 0);
    assert_eq!(games("killed"), games("whole"));
}

/// A repository with the package `fool`, whose program exits at once, and a manifest like the shipped ones.
fn with_package() -> Workbench {
    let bench = Workbench::new();
    bench.write("Cargo.toml", "[package]\nname = 'fool'\nversion = '0.1.0'\nedition = '2024'\n[workspace]\n");
    bench.write("src/main.rs", "fn main() {}\n");
    let manifest =
        "name = 'fool'\ncommand = 'target/debug/fool'\nbuild = 'cargo build --offline'\nrepo = '.'\n";
    bench.write("engines/fool/engine.toml", manifest);
    bench
}

/// The output of `arbiter engines build` for an engine, with this user's cargo.
fn build(bench: &Workbench, engine: &str, variables: &[(&str, &str)]) -> String {
    let mut arbiter = bench.command(&["engines", "build", engine]);
    // Cargo and rustup look for their folders below the home folder, which the bench replaces.
    for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let usual = std::env::home_dir().unwrap().join(folder);
        arbiter.env(variable, std::env::var_os(variable).unwrap_or(usual.into()));
    }
    let output = arbiter.env_remove("CARGO_TARGET_DIR").envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_target_folder_of_the_environment_is_found() {
    let bench = with_package();
    let elsewhere = bench.path("elsewhere");
    let said = build(&bench, "fool", &[("CARGO_TARGET_DIR", elsewhere.to_str().unwrap())]);
    assert!(said.contains("elsewhere/debug/fool"), "{said}");
    assert!(!bench.path("target").exists());
}

#[test]
fn a_target_folder_of_the_configuration_is_found() {
    let bench = with_package();
    bench.write(".cargo/config.toml", "[build]\ntarget-dir = 'configured'\n");
    let said = build(&bench, "fool", &[]);
    assert!(said.contains("configured/debug/fool"), "{said}");
}

#[test]
fn a_revision_is_built_in_its_worktree_whatever_the_environment_says() {
    let bench = with_package();
    bench.write(".gitignore", "/target\n/home\n/cache\n/Cargo.lock\n");
    for args in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "-m", "One"]] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.org"]).args(args);
        assert!(git.current_dir(bench.path("")).status().unwrap().success());
    }
    let shared = bench.path("shared");
    let said = build(&bench, "fool@HEAD", &[("CARGO_TARGET_DIR", shared.to_str().unwrap())]);
    assert!(said.contains("/target/debug/fool"), "{said}");
    assert!(!shared.exists(), "two revisions would overwrite each other there");
}

#[test]
fn a_bisection_that_is_killed_again_and_again_continues_and_tests_no_commit_twice() {
    let mut foreign = ForeignRepository::new(&[]);
    // The bench's node count is 200 from the ninth commit on; the seventh commit does not build.
    for commit in 1..=14 {
        let (nodes, mode) = (if commit < 9 { 100 } else { 200 }, if commit == 7 { "broken" } else { "well" });
        let script = format!("[ \"$1\" = bench ] && echo '{nodes} nodes 5 nps' && exit\n");
        foreign.commit_with(mode, "wrapper", &script);
    }
    let bench = &foreign.bench;
    let args = ["bisect", "foreign", "--good", "c1", "--bad", "c14", "--by", "bench", "--out", "search"];
    let lives = killed_after(0, bench, "search", "bisect.toml", &args);
    assert!(lives >= 3, "killed {lives} times only");
    let state = bench.read("search/bisect.toml");
    let mut tested: Vec<&str> = state.lines().filter(|line| line.starts_with("commit = ")).collect();
    let all = tested.len();
    tested.sort_unstable();
    tested.dedup();
    assert!(all > 3 && tested.len() == all, "a commit was tested twice: {state}");
    let text = bench.run("resume search").expect_code(0).stdout();
    assert!(text.contains(&format!("{} is the first bad", foreign.git(&["rev-parse", "c9"]))), "{text}");
}
