//! `arbiter bisect`: the first bad commit of a foreign repository.

use rustix::process::{Pid, Signal, kill_process};

use crate::foreign_repository::ForeignRepository;
use crate::workbench::{Finished, PATIENCE, TARRASCH};

/// Mate in one, which Tarrasch finds and the mock engine, playing at random, does not.
const TACTICS: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\"; c9 \"required\";\n";

const PERFT: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";

/// A script that answers `bench` with `nodes`.
fn bench_of(nodes: u32) -> String {
    format!("[ \"$1\" = bench ] && echo '{nodes} nodes 5 nps' && exit\n")
}

/// A script that counts one move too many after 1. e4.
fn with_a_wrong_count() -> String {
    format!("'{TARRASCH}' | sed -u 's/^e2e4: 20$/e2e4: 21/'; exit\n")
}

/// A repository whose bench is 100 up to the commit before `first_bad`, counted from 1, and 200 from there on. The
/// commits of `broken` do not build.
fn with_benches(commits: usize, first_bad: usize, broken: &[usize]) -> ForeignRepository {
    let mut foreign = ForeignRepository::new(&[]);
    for commit in 1..=commits {
        let mode = if broken.contains(&commit) { "broken" } else { "well" };
        foreign.commit_with(mode, "wrapper", &bench_of(if commit < first_bad { 100 } else { 200 }));
    }
    foreign
}

fn bisect(foreign: &ForeignRepository, bad: usize, more: &[&str], code: i32) -> Finished {
    let bad = format!("c{bad}");
    let args = [&["bisect", "foreign", "--good", "c1", "--bad", &bad, "--out", "search"], more].concat();
    foreign.bench.run(&args).expect_code(code)
}

#[test]
fn the_first_bad_commit_has_its_subject_author_date_and_evidence() {
    let foreign = with_benches(12, 8, &[]);
    let text = bisect(&foreign, 12, &["--by", "bench"], 0).stdout();
    let hash = foreign.git(&["rev-parse", "c8"]);
    let expected =
        [&*format!("{hash} is the first bad commit by bench"), "Step 8: well", "Ada Lovelace", "2023-11-2"];
    for word in expected.into_iter().chain(["bad: 200 nodes; the good commit has 100", "Step 7: well"]) {
        assert!(text.contains(word), "expected `{word}` in: {text}");
    }
    assert_eq!(
        foreign.bench.read("search/report.txt"),
        text.split("\n\n").skip(1).collect::<Vec<_>>().join("\n\n").split("\n  saved in").next().unwrap()
    );
    // Both ends, and the tests of a bisection of eleven commits.
    assert!(foreign.builds().len() <= 2 + 4, "{:?}", foreign.builds());
}

#[test]
fn commits_that_do_not_build_are_skipped() {
    let foreign = with_benches(12, 8, &[5, 6, 10]);
    bisect(&foreign, 12, &["--by", "bench"], 0).shows(&[
        &format!("{} is the first bad commit", foreign.git(&["rev-parse", "c8"])),
        "skipped",
        "the build failed: ",
    ]);
}

#[test]
fn if_the_boundary_does_not_build_the_suspects_are_listed() {
    let foreign = with_benches(8, 5, &[4, 5]);
    let text = bisect(&foreign, 8, &["--by", "bench"], 3).shows(&["is one of these 3;"]).stdout();
    let listed = text.split("is one of these").nth(1).unwrap();
    for subject in ["Step 4: broken", "Step 5: broken", "Step 6: well", "Step 3: well"] {
        assert!(listed.contains(subject), "expected `{subject}` in: {listed}");
    }
}

#[test]
fn the_good_and_the_bad_commit_are_tested_first() {
    let foreign = with_benches(4, 9, &[]);
    bisect(&foreign, 4, &["--by", "bench"], 2).tells(&["--bad ", "is good by bench"]);
    // Required is what the good build solves, so that one without a solution is good, and so is any after it.
    let mut foreign = ForeignRepository::new(&["well"]);
    foreign.commit("tarrasch");
    foreign.bench.write("a.epd", TACTICS);
    bisect(&foreign, 2, &["--by", "tactics", "--suite", "a.epd", "--nodes", "500"], 2)
        .tells(&["--bad ", "1 of 1 position solved, 0 lost and 1 gained since the good commit"]);
    let mut foreign = ForeignRepository::new(&[]);
    foreign.commit_with("tarrasch", "wrapper", &with_a_wrong_count());
    foreign.commit("tarrasch");
    foreign.bench.write("a.epd", PERFT);
    let message = bisect(&foreign, 2, &["--by", "perft", "--suite", "a.epd"], 2).stderr();
    assert!(message.contains("--good ") && message.contains("expected 400 nodes, counted 401"), "{message}");
}

#[test]
fn wrong_ends_are_errors_before_anything_is_built() {
    let foreign = ForeignRepository::new(&["well", "well"]);
    let refused = |good: &str, bad: &str, more: &[&str], words: &[&str]| {
        let args = [&["bisect", "foreign", "--good", good, "--bad", bad], more].concat();
        let message = foreign.bench.run(&args).expect_code(2).stderr();
        for word in words {
            assert!(message.contains(word), "expected `{word}` in: {message}");
        }
    };
    refused("c9", "c2", &["--by", "bench"], &["--good", "`c9`", "source"]);
    refused("c1", "c1", &["--by", "bench"], &["expected two commits"]);
    refused("c2", "c1", &["--by", "bench"], &["the wrong way round"]);
    for (by, option, users) in [
        ("bench", ["--tc", "1+1"], "match"),
        ("bench", ["--depth", "3"], "perft or tactics or speed or match"),
        ("match", ["--suite", "a"], "perft or tactics or speed"),
        ("perft", ["--games", "10"], "match"),
        ("perft", ["--sprt", "0,5"], "match"),
        ("perft", ["--maxmoves", "9"], "match"),
        ("perft", ["--max-slowdown", "5"], "speed"),
        ("speed", ["--concurrency", "2"], "tactics or match"),
        ("tactics", ["--rounds", "2"], "speed"),
    ] {
        let message = format!("{}: expected --by {users}, found --by {by}", option[0]);
        refused("c1", "c2", &[&["--by", by], &option[..]].concat(), &[&message]);
    }
    assert!(foreign.builds().is_empty() && !foreign.bench.path("results").exists());
}

#[test]
fn perft_finds_wrong_counts_and_skips_builds_without_perft() {
    let mut foreign = ForeignRepository::new(&["tarrasch", "tarrasch", "well"]);
    foreign.commit_with("tarrasch", "wrapper", &with_a_wrong_count());
    foreign.commit("tarrasch");
    foreign.bench.write("a.epd", PERFT);
    let text = bisect(&foreign, 5, &["--by", "perft", "--suite", "a.epd"], 3).stdout();
    for word in ["is one of these 2;", "expected 400 nodes, counted 401", "has no perft", "Step 4: tarrasch"]
    {
        assert!(text.contains(word), "expected `{word}` in: {text}");
    }
}

#[test]
fn tactics_finds_a_lost_solution_and_a_match_a_weaker_build() {
    let foreign = ForeignRepository::new(&["tarrasch", "tarrasch", "well", "well"]);
    foreign.bench.write("a.epd", TACTICS);
    let tactics = ["--by", "tactics", "--suite", "a.epd", "--nodes", "2000"];
    let text = bisect(&foreign, 4, &tactics, 0).stdout();
    assert!(text.contains("Step 3: well") && text.contains("required but not solved: back rank"), "{text}");
    let games = [
        &["bisect", "foreign", "--good", "c1", "--bad", "c4", "--by", "match", "--out", "games"],
        &[
            "--nodes", "100", "--sprt=-200,0", "--model", "logistic", "--openings", "arbiter-balanced.epd",
            "--seed", "1",
        ][..],
        &["--maxmoves", "60", "--concurrency", "2"],
    ];
    let text = foreign.bench.run(&games.concat()).expect_code(0).stdout();
    assert!(text.contains("is the first bad commit by match") && text.contains("Step 3: well"), "{text}");
    assert!(text.contains(" games. LLR "), "{text}");
}

#[test]
fn speed_finds_a_slower_build() {
    let mut foreign = ForeignRepository::new(&["tarrasch", "tarrasch"]);
    // It drops the last digit of its nodes, so it seems ten times slower.
    let slow = format!("'{TARRASCH}' | sed -u 's/ nodes \\([0-9]*\\)[0-9] / nodes \\1 /'; exit\n");
    foreign.commit_with("tarrasch", "wrapper", &slow);
    foreign.bench.write(
        "a.epd",
        &format!("{}{}", "4k3/8/8/3q4/4P3/8/8/4K3 w - -\n", "6k1/5ppp/8/8/8/8/8/R3K3 w Q -\n"),
    );
    let text = bisect(
        &foreign,
        3,
        &["--by", "speed", "--suite", "a.epd", "--nodes", "5000", "--max-slowdown", "30"],
        0,
    );
    let text = text.stdout();
    assert!(text.contains("Step 3: tarrasch") && text.contains("NPS vs the good commit (95%: -"), "{text}");
}

#[test]
fn a_bisection_that_is_killed_again_and_again_continues_and_tests_no_commit_twice() {
    let foreign = with_benches(14, 9, &[7]);
    let bench = &foreign.bench;
    let tests = || {
        let path = bench.path("search/bisect.toml");
        std::fs::read_to_string(path).map_or(0, |text| text.matches("[[test]]").count())
    };
    let mut lives = 0;
    loop {
        let before = tests();
        let args: &[&str] = if bench.path("search/bisect.toml").exists() {
            &["resume", "search"]
        } else {
            &["bisect", "foreign", "--good", "c1", "--bad", "c14", "--by", "bench", "--out", "search"]
        };
        let mut arbiter = bench.spawn(args);
        let start = std::time::Instant::now();
        let ended = loop {
            if let Some(status) = arbiter.try_wait().unwrap() {
                break Some(status);
            }
            if tests() > before {
                break None;
            }
            assert!(start.elapsed() < PATIENCE, "no progress");
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        if let Some(status) = ended {
            assert_eq!(status.code(), Some(0));
            break;
        }
        let _ = kill_process(Pid::from_child(&arbiter), Signal::KILL);
        arbiter.wait().unwrap();
        lives += 1;
    }
    assert!(lives >= 3, "killed {lives} times only");
    let state = bench.read("search/bisect.toml");
    let mut tested: Vec<&str> = state
        .split("[[test]]")
        .skip(1)
        .map(|test| test.lines().find(|line| line.starts_with("commit")).unwrap())
        .collect();
    let all = tested.len();
    tested.sort_unstable();
    tested.dedup();
    assert_eq!(tested.len(), all, "a commit was tested twice: {state}");
    let text = bench.run("resume search").expect_code(0).stdout();
    assert!(text.contains(&format!("{} is the first bad", foreign.git(&["rev-parse", "c9"]))), "{text}");
}

#[test]
fn a_build_without_chess960_is_good_by_perft() {
    let mut foreign = ForeignRepository::new(&[]);
    let without = format!("'{TARRASCH}' | sed -u '/UCI_Chess960/d'; exit\n");
    foreign.commit_with("tarrasch", "wrapper", &without);
    foreign.commit_with("tarrasch", "wrapper", &with_a_wrong_count());
    let done = bisect(&foreign, 2, &["--by", "perft", "--depth", "2"], 0);
    let (text, report) = (done.stdout(), foreign.bench.read("search/report.txt"));
    assert!(text.contains("Step 2: tarrasch") && text.contains("is the first bad commit by perft"), "{text}");
    let reason = "all counts correct; no option UCI_Chess960: skipped chess960.epd, hard-chess960.epd\n";
    assert!(report.contains(reason), "{report}");
    let named = |text: &str| text.matches("UCI_Chess960").count();
    assert_eq!((named(&report), named(&done.stderr())), (1, 0), "{report}");
}
