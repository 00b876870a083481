//! `arbiter bisect`: the first bad commit of a foreign repository.

use rustix::process::{Pid, Signal, kill_process};

use crate::foreign_repository::ForeignRepository;
use crate::workbench::PATIENCE;

/// A script that answers `bench` with `nodes`.
fn bench_of(nodes: u32) -> String {
    format!("[ \"$1\" = bench ] && echo '{nodes} nodes 5 nps' && exit\n")
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
