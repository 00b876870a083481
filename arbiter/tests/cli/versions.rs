//! `arbiter engines`: builds of revisions, made once, kept, checked and removed.

use std::fs;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

use crate::foreign_repository::ForeignRepository;
use crate::workbench::{PATIENCE, Workbench};

/// Waits until something is so.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn builds_are_listed_with_their_commit_and_removed_by_name() {
    let foreign = ForeignRepository::new(&["well", "other-move"]);
    let bench = &foreign.bench;
    bench.run(&["engines", "build", "foreign@c1", "foreign@c2"]).expect_code(0);
    assert_eq!(foreign.builds(), ["well", "other-move"]);
    let text = bench.run(&["engines", "list"]).expect_code(0).stdout();
    for word in ["bin/engine", ", @REV", "Step 1: well", "Step 2: other-move", "Builds of revisions"] {
        assert!(text.contains(word), "expected `{word}` in: {text}");
    }
    let json = bench.run(&["engines", "list", "--json"]).expect_code(0).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["builds"][0]["state"], "built");
    assert_eq!(json["builds"][0]["in_use"], false);
    let first = format!("foreign@{}", &foreign.git(&["rev-parse", "c1"])[..7]);
    let dry = bench.run(&["engines", "clean", &first, "--dry-run"]).expect_code(0).stdout();
    assert!(dry.contains("would be removed") && dry.contains("1 build "), "{dry}");
    bench.run(&["engines", "clean", &first]).expect_code(0);
    let young = bench.run(&["engines", "clean", "--older-than", "1"]).expect_code(0).stdout();
    assert!(young.starts_with("0 builds"), "{young}");
    bench.run(&["engines", "build", "foreign@c1", "foreign@c2"]).expect_code(0);
    assert_eq!(
        foreign.builds(),
        ["well", "other-move", "well"],
        "only the one that was removed is built again"
    );
    let message = bench.run(&["engines", "clean", "forein"]).expect_code(2).stderr();
    assert!(message.contains("did you mean `foreign`?"), "{message}");
}

#[test]
fn a_cleaned_cache_leaves_no_worktree_in_the_repository() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    assert_eq!(foreign.git(&["worktree", "list"]).lines().count(), 2);
    foreign.bench.run(&["engines", "clean"]).expect_code(0);
    assert_eq!(foreign.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn another_build_command_makes_another_build() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    foreign.write_manifest("true && ");
    foreign.bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    assert_eq!(foreign.builds().len(), 2);
    foreign.write_manifest("");
    foreign.bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    assert_eq!(foreign.builds().len(), 2, "the first one is still there");
}

#[test]
fn a_build_that_fails_shows_its_end_and_where_the_log_is() {
    let foreign = ForeignRepository::new(&["well", "broken"]);
    let bench = &foreign.bench;
    let message = bench.run(&["engines", "build", "foreign@c2"]).expect_code(2).stderr();
    for word in ["foreign@", "failed with exit status: 1", "compiling broken", "no semicolon in line 7"] {
        assert!(message.contains(word), "expected `{word}` in: {message}");
    }
    let log = message.split("its log is ").nth(1).unwrap().lines().next().unwrap();
    assert!(fs::read_to_string(log).unwrap().contains("compiling broken"), "{log}");
    let list = bench.run(&["engines", "list"]).expect_code(0).stdout();
    assert!(list.contains("failed, see "), "{list}");
    // A failure is not kept in place of a build: what was missing may be there by now.
    bench.run(&["engines", "build", "foreign@c2", "foreign@c1"]).expect_code(2);
    assert_eq!(foreign.builds(), ["broken", "broken", "well"]);
}

#[test]
fn changes_that_are_in_no_commit_are_told() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.write("source/mode", "other-move");
    let message = foreign.bench.run(&["engines", "build", "foreign@HEAD"]).expect_code(0).stderr();
    assert!(message.contains("has uncommitted changes"), "{message}");
    assert_eq!(foreign.builds(), ["well"]);
}

#[test]
fn two_processes_that_ask_at_once_build_once() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.write_manifest("sleep 1; ");
    let mut children: Vec<_> =
        (0..4).map(|_| foreign.bench.spawn(&["engines", "build", "foreign@c1"])).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(foreign.builds(), ["well"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_ends_with_us_and_is_never_taken_for_whole() {
    let foreign = ForeignRepository::new(&["well"]);
    let bench = &foreign.bench;
    // At the first time the program is there long before the build is through.
    let started = bench.path("started");
    foreign.write_manifest(&format!(
        "sh '{}' && if [ -e '{1}' ]; then true; else touch '{1}' && sleep 1000; fi && ",
        bench.path("build.sh").display(),
        started.display()
    ));
    let mut arbiter = bench.spawn(&["engines", "build", "foreign@c1"]);
    wait_until("the build has begun", || started.exists());
    let list = bench.run(&["engines", "list"]).expect_code(0).stdout();
    assert!(list.contains("being built"), "{list}");
    let kept = bench.run(&["engines", "clean"]).expect_code(0).stdout();
    assert!(kept.contains("kept, it is in use"), "{kept}");
    kill_process(Pid::from_child(&arbiter), Signal::KILL).unwrap();
    arbiter.wait().unwrap();
    let is_build = |process: &fs::DirEntry| {
        let cwd = fs::read_link(process.path().join("cwd"));
        cwd.is_ok_and(|cwd| cwd.starts_with(bench.path("cache").canonicalize().unwrap()))
    };
    wait_until("no process of the build is left", || {
        !fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|process| is_build(&process))
    });
    let list = bench.run(&["engines", "list"]).expect_code(0).stdout();
    assert!(list.contains("interrupted, will be built again"), "{list}");
    let before = foreign.builds().len();
    bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    assert!(foreign.builds().len() > before, "what was left behind was taken for whole");
    assert_eq!(bench.run(&["engines", "list"]).stdout().matches("interrupted, will be").count(), 0);
}

#[test]
fn a_build_in_use_is_not_removed() {
    let foreign = ForeignRepository::new(&["well", "well"]);
    let bench = &foreign.bench;
    let long = ["--openings", "book.epd", "--nodes", "20", "--games", "100000", "--out", "run"];
    let mut arbiter = bench.spawn(&[&["match", "foreign@c1", "foreign@c2"], &long[..]].concat());
    wait_until("games are played", || bench.path("run/events.jsonl").exists());
    let text = bench.run(&["engines", "clean"]).expect_code(0).stdout();
    assert_eq!(text.matches("kept, it is in use").count(), 2, "{text}");
    kill_process(Pid::from_child(&arbiter), Signal::KILL).unwrap();
    arbiter.wait().unwrap();
    let text = bench.run(&["engines", "clean"]).expect_code(0).stdout();
    assert!(text.contains("2 builds removed"), "{text}");
    assert_eq!(bench.run(&["resume", "run"]).expect_code(2).stderr().matches("no longer exists").count(), 1);
}

#[test]
fn old_builds_are_removed_by_age() {
    let foreign = ForeignRepository::new(&["well"]);
    let bench = &foreign.bench;
    bench.run(&["engines", "build", "foreign@c1"]).expect_code(0);
    let lock = bench.listing().into_iter().find(|path| path.extension().is_some_and(|end| end == "lock"));
    let lock = fs::File::options().append(true).open(lock.unwrap()).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_hours(24 * 10)).unwrap();
    let text = bench.run(&["engines", "clean", "--older-than", "20"]).expect_code(0).stdout();
    assert!(text.starts_with("0 builds"), "{text}");
    let text = bench.run(&["engines", "clean", "--older-than", "9"]).expect_code(0).stdout();
    assert!(text.contains("1 build removed"), "{text}");
}

#[test]
fn a_script_of_any_language_is_an_engine_with_arguments_and_environment() {
    let mut foreign = ForeignRepository::new(&["well"]);
    foreign.commit_with(
        "well",
        "engine.sh",
        "[ \"$NET\" = \"$1/net\" ] && [ -f mode ] && exec \"$MOCK\" well\n",
    );
    let bench = &foreign.bench;
    let mock = crate::programs::MOCK_ENGINE;
    let manifest = format!(
        "name = 'script'\ncommand = 'sh'\nargs = ['{{root}}/engine.sh', '{{root}}']\ndir = '.'\nrepo = '../source'\n\
         [env]\nNET = '{{root}}/net'\nMOCK = '{mock}'\n"
    );
    bench.write("configuration/arbiter/engines/script/engine.toml", &manifest.replace("../source", "source"));
    let root = bench.path("configuration/arbiter");
    std::os::unix::fs::symlink(bench.path("source"), root.join("source")).unwrap();
    let options = ["--openings", "book.epd", "--nodes", "20", "--games", "2", "--maxmoves", "4"];
    let args = [&["match", "script@c2", "foreign@c1", "--strict"], &options[..]].concat();
    bench.run(&args).expect_code(0);
}

#[test]
fn a_manifest_is_checked_against_the_engine_itself() {
    let bench = Workbench::with_mocks(&["well", "no-uciok"]);
    let manifest = bench.read("engines/well/engine.toml");
    let text = bench.run(&["engines", "check", "well"]).expect_code(0).stdout();
    assert!(text.starts_with("✓ well"), "{text}");
    bench.write("engines/well/engine.toml", &format!("{manifest}[options]\nHesh = 16\n"));
    let text = bench.run(&["engines", "check", "well"]).expect_code(2).stdout();
    assert!(text.starts_with("✗ well") && text.contains("`options`") && text.contains("Hesh"), "{text}");
    bench.write("engines/odd/engine.toml", "name = 'odd'\ncommand = 'bin/odd'\ncolour = 'red'\n");
    let text = bench.run(&["engines", "check", "odd"]).expect_code(2).stdout();
    assert!(text.contains("odd") && text.contains("colour") && text.contains("line 3"), "{text}");
    let text = bench.run(&["engines", "check", "nobody"]).expect_code(2).stdout();
    assert!(text.contains("engines/nobody/engine.toml"), "{text}");
    let list = bench.run(&["engines"]).expect_code(0).stdout();
    assert!(list.contains("colour"), "one broken manifest does not hide the others: {list}");
}
