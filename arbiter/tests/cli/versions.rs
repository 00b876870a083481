//! Builds of revisions and `arbiter history`: made once, kept, checked, removed, and played against each other.

use std::fs;
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

use crate::foreign_repository::ForeignRepository;
use crate::killed_runs::killed_again_and_again;
use crate::workbench::{Finished, wait_until};

#[test]
fn builds_are_listed_with_their_commit_and_removed_by_name() {
    let foreign = ForeignRepository::new(&["well", "other-move"]);
    let bench = &foreign.bench;
    bench.run("engines build foreign@c1 foreign@c2").expect_code(0);
    assert_eq!(foreign.builds(), ["well", "other-move"]);
    let text = bench.run("engines list").expect_code(0).stdout();
    for word in ["bin/engine", ", @REV", "Step 1: well", "Step 2: other-move", "Builds of revisions"] {
        assert!(text.contains(word), "expected `{word}` in: {text}");
    }
    let json = bench.run("engines list --json").expect_code(0).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["builds"][0]["state"], "built");
    assert_eq!(json["builds"][0]["in_use"], false);
    let first = format!("foreign@{}", &foreign.git(&["rev-parse", "c1"])[..7]);
    let dry = bench.run(&["engines", "clean", &first, "--dry-run"]).expect_code(0).stdout();
    assert!(dry.contains("would be removed") && dry.contains("1 build "), "{dry}");
    bench.run(&["engines", "clean", &first]).expect_code(0);
    let young = bench.run("engines clean --older-than 1").expect_code(0).stdout();
    assert!(young.starts_with("0 builds"), "{young}");
    bench.run("engines build foreign@c1 foreign@c2").expect_code(0);
    assert_eq!(
        foreign.builds(),
        ["well", "other-move", "well"],
        "only the one that was removed is built again"
    );
    bench.run("engines clean forein").expect_code(2).tells(&["did you mean `foreign`?"]);
}

#[test]
fn a_cleaned_cache_leaves_no_worktree_in_the_repository() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.run("engines build foreign@c1").expect_code(0);
    assert_eq!(foreign.git(&["worktree", "list"]).lines().count(), 2);
    foreign.bench.run("engines clean").expect_code(0);
    assert_eq!(foreign.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn builds_that_came_in_an_archive_play_in_a_clone_that_never_made_them() {
    // What the shards of docs/distributed.md do, each on a machine of its own.
    let foreign = ForeignRepository::new(&["well", "other-move"]);
    let bench = &foreign.bench;
    bench.run("engines build foreign@c1 foreign@c2").expect_code(0);
    let tar = |args: &[&str]| {
        let done = std::process::Command::new("tar").args(args).current_dir(bench.path("")).status();
        assert!(done.unwrap().success(), "{args:?}");
    };
    tar(&["-czf", "builds.tar.gz", "-C", "cache", "arbiter"]);
    for shard in ["1", "2"] {
        fs::remove_dir_all(bench.path("cache/arbiter")).unwrap();
        foreign.git(&["worktree", "prune"]);
        tar(&["-xzf", "builds.tar.gz", "-C", "cache"]);
        let line =
            "match foreign@c1 foreign@c2 --nodes 9 --games 4 --maxmoves 4 --seed 1 --openings book.epd";
        bench.run(&format!("{line} --shard {shard}/2 --out shard-{shard}")).expect_code(0);
    }
    bench.run("merge shard-1 shard-2 --out whole").expect_code(0);
    assert_eq!(foreign.builds(), ["well", "other-move"], "nothing is built again");
}

#[test]
fn another_build_command_makes_another_build() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.run("engines build foreign@c1").expect_code(0);
    foreign.write_manifest("true && ");
    foreign.bench.run("engines build foreign@c1").expect_code(0);
    assert_eq!(foreign.builds().len(), 2);
    foreign.write_manifest("");
    foreign.bench.run("engines build foreign@c1").expect_code(0);
    assert_eq!(foreign.builds().len(), 2, "the first one is still there");
}

#[test]
fn a_build_that_fails_shows_its_end_and_where_the_log_is() {
    let foreign = ForeignRepository::new(&["well", "broken"]);
    let bench = &foreign.bench;
    let message = bench.run("engines build foreign@c2").expect_code(2).stderr();
    for word in ["foreign@", "failed with exit status: 1", "compiling broken", "no semicolon in line 7"] {
        assert!(message.contains(word), "expected `{word}` in: {message}");
    }
    let log = message.split("its log is ").nth(1).unwrap().lines().next().unwrap();
    assert!(fs::read_to_string(log).unwrap().contains("compiling broken"), "{log}");
    bench.run("engines list").expect_code(0).shows(&["failed, see "]);
    // A failure is not kept in place of a build: what was missing may be there by now.
    bench.run("engines build foreign@c2 foreign@c1").expect_code(2);
    assert_eq!(foreign.builds(), ["broken", "broken", "well"]);
}

#[test]
fn changes_that_are_in_no_commit_are_told() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.bench.write("source/mode", "other-move");
    foreign.bench.run("engines build foreign@HEAD").expect_code(0).tells(&["has uncommitted changes"]);
    assert_eq!(foreign.builds(), ["well"]);
}

#[test]
fn two_processes_that_ask_at_once_build_once() {
    let foreign = ForeignRepository::new(&["well"]);
    foreign.write_manifest("sleep 1; ");
    let mut children: Vec<_> = (0..4).map(|_| foreign.bench.spawn("engines build foreign@c1")).collect();
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

#[test]
fn a_build_in_use_is_not_removed() {
    let foreign = ForeignRepository::new(&["well", "well"]);
    let bench = &foreign.bench;
    let long = ["--openings", "book.epd", "--nodes", "20", "--games", "100000", "--out", "run"];
    let mut arbiter = bench.spawn(&[&["match", "foreign@c1", "foreign@c2"], &long[..]].concat());
    wait_until("games are played", || bench.path("run/events.jsonl").exists());
    let text = bench.run("engines clean").expect_code(0).stdout();
    assert_eq!(text.matches("kept, it is in use").count(), 2, "{text}");
    kill_process(Pid::from_child(&arbiter), Signal::KILL).unwrap();
    arbiter.wait().unwrap();
    bench.run("engines clean").expect_code(0).shows(&["2 builds removed"]);
    assert_eq!(bench.run("resume run").expect_code(2).stderr().matches(" any more").count(), 1);
}

#[test]
fn old_builds_are_removed_by_age() {
    let foreign = ForeignRepository::new(&["well"]);
    let bench = &foreign.bench;
    bench.run("engines build foreign@c1").expect_code(0);
    let lock = bench.listing().into_iter().find(|path| path.extension().is_some_and(|end| end == "lock"));
    let lock = fs::File::options().append(true).open(lock.unwrap()).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_hours(24 * 10)).unwrap();
    let text = bench.run("engines clean --older-than 20").expect_code(0).stdout();
    assert!(text.starts_with("0 builds"), "{text}");
    bench.run("engines clean --older-than 9").expect_code(0).shows(&["1 build removed"]);
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

/// Short games that come out the same every time.
const SHORT: [&str; 12] = [
    "--openings", "book.epd", "--nodes", "20", "--games", "4", "--maxmoves", "6", "--seed", "1",
    "--concurrency", "1",
];

fn history(foreign: &ForeignRepository, out: &str, more: &[&str], code: i32) -> Finished {
    foreign.bench.run(&[&["history", "foreign", "--out", out], more, &SHORT[..]].concat()).expect_code(code)
}

/// The run folders of a history, by their numbers.
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
fn a_chain_plays_each_version_against_the_one_before_and_names_versions_that_do_not_build() {
    let foreign = ForeignRepository::new(&["well", "broken", "other-move", "well"]);
    let finished = history(&foreign, "chain", &["c1..c4"], 0);
    let (text, said) = (finished.stdout(), finished.stderr());
    assert!(said.contains("skipped ") && said.contains("no semicolon in line 7"), "{said}");
    assert!(text.contains("skipped ") && text.contains("Step 2: broken"), "{text}");
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, third, fourth] = ["c1", "c3", "c4"].map(short);
    assert_eq!(runs(&foreign, "chain"), [format!("01-{third}-{first}"), format!("02-{fourth}-{third}")]);
    let table = foreign.bench.read("chain/history.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[1].starts_with(&format!("foreign@{first},")) && rows[1].contains("2023-11-1"), "{table}");
    assert!(rows[2].contains(",8,") && rows[3].contains(",4,"), "{table}");
    let page = foreign.bench.read("chain/history.html");
    for version in [&first, &third, &fourth] {
        assert!(page.contains(&format!("foreign@{version}")));
    }
    for word in ["Step 1: well", "Step 3: other-move", "0 (reference)", "2023-11-1"] {
        assert!(page.contains(word), "expected `{word}` in: {page}");
    }
}

#[test]
fn commits_that_are_the_same_program_are_one_player() {
    let mut foreign = ForeignRepository::new(&["well"]);
    foreign.commit_same("well");
    history(&foreign, "same", &["c1..c2"], 2).tells(&["found 2, all the same program to the byte"]);
    foreign.commit("other-move");
    let text = history(&foreign, "chain", &["c1..c3"], 0).stdout();
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, second, third] = ["c1", "c2", "c3"].map(short);
    assert_eq!(runs(&foreign, "chain"), [format!("01-{third}-{first}")]);
    let same = format!("same program as foreign@{first}");
    assert!(text.lines().any(|line| line.contains(&second) && line.contains(&same)), "{text}");
    let page = foreign.bench.read("chain/history.html");
    assert!(page.contains(&same) && page.contains("Step 2: well"), "{page}");
    let table = foreign.bench.read("chain/history.csv");
    let elo: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(elo[..2], ["0.00", "0.00"], "{table}");
}

#[test]
fn in_a_gauntlet_one_version_plays_all_others() {
    let foreign = ForeignRepository::new(&["well", "well", "well"]);
    history(&foreign, "newest", &["c1", "c2", "c3", "--against", "newest"], 0);
    let short = |tag: &str| foreign.git(&["rev-parse", tag])[..7].to_owned();
    let [first, second, third] = ["c1", "c2", "c3"].map(short);
    assert_eq!(runs(&foreign, "newest"), [format!("01-{third}-{first}"), format!("02-{third}-{second}")]);
    history(&foreign, "middle", &["c1..c3", "--against", "c2"], 0);
    assert_eq!(runs(&foreign, "middle"), [format!("01-{second}-{first}"), format!("02-{third}-{second}")]);
    assert_eq!(foreign.builds().len(), 3, "every version is built once");
}

#[test]
fn every_takes_every_nth_commit_of_a_range_and_both_ends() {
    let foreign = ForeignRepository::new(&["well"; 6]);
    history(&foreign, "thin", &["c1..c6", "--every", "3"], 0);
    let table = foreign.bench.read("thin/history.csv");
    let steps: Vec<&str> = table.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    assert_eq!(steps, ["Step 1: well", "Step 4: well", "Step 6: well"]);
}

#[test]
fn wrong_revisions_are_named_and_nothing_is_played() {
    let foreign = ForeignRepository::new(&["well", "broken"]);
    let message = |more: &[&str]| history(&foreign, "none", more, 2).stderr();
    assert!(message(&["c1..c9"]).contains("`c9`"));
    assert!(message(&["c2..c1"]).contains("is no ancestor"));
    assert!(message(&["c1"]).contains("at least two versions"));
    assert!(message(&["c1", "c2"]).contains("at least two versions that build, found 1"));
    assert!(message(&["c1", "c2", "--against", "c7"]).contains("--against"));
    assert!(!foreign.bench.path("none").exists());
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
