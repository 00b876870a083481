//! `arbiter ci`: every way to pass and to fail.

use crate::programs::example;
use crate::workbench::{TARRASCH, Workbench};

/// Two mates in one and a hanging queen; the first position is required. The mock engine solves none of them.
pub const TACTICS: &str = "\
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\"; c9 \"required\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id \"loose queen\";
6k1/5ppp/8/8/8/8/8/3RK3 w - - bm Rd8#; id \"back rank again\";
";

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A configuration with a bench, a perft suite and a tactics suite.
pub fn three_steps(engine: &str) -> String {
    let show = if cfg!(windows) { "type" } else { "cat" };
    format!(
        "engine = '{engine}'\n\
         baseline = 'baseline.toml'\n\
         [perft]\nsuites = ['perft.epd']\n\
         [bench]\ncommand = '{show} bench.txt'\nnodes = '^Nodes searched *: (\\d+)$'\n\
         [tactics]\nsuites = ['tactics.epd']\nnodes = 20000\n"
    )
}

/// A folder with Tarrasch, the files of three steps, and their baseline.
pub fn bench_with_baseline() -> Workbench {
    let bench = Workbench::new();
    bench.write("perft.epd", &format!("# start: all of it.\n{START} ;D1 20 ;D2 400\n"));
    bench.write("tactics.epd", TACTICS);
    bench.write("bench.txt", "info nodes 7\nNodes searched  : 1972535\n");
    bench.write("arbiter.toml", &three_steps(TARRASCH));
    let args = ["ci", "--update-baseline", "--out", "first"];
    bench.run(&args).expect_code(0).tells(&["baseline written to baseline.toml"]);
    bench
}

fn results(bench: &Workbench, folder: &str) -> Vec<(String, String, String)> {
    let result: serde_json::Value = serde_json::from_str(&bench.read(&format!("{folder}/ci.json"))).unwrap();
    let text = |step: &serde_json::Value, field: &str| step[field].as_str().unwrap().to_owned();
    let steps = result["steps"].as_array().unwrap().iter();
    steps.map(|step| (text(step, "step"), text(step, "verdict"), text(step, "sentence"))).collect()
}

fn verdicts(bench: &Workbench, folder: &str) -> Vec<(String, String)> {
    results(bench, folder).into_iter().map(|(step, verdict, _)| (step, verdict)).collect()
}

fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in xml.split('<').skip(1).filter(|tag| !tag.starts_with('?')) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("no end of <{tag}"));
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap();
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{xml}"),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert_eq!(open, Vec::<&str>::new(), "{xml}");
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn a_bench_that_is_another_one_each_time_is_said_to_be_with_the_first_position() {
    let bench = Workbench::new();
    bench.write_script("engine", "echo \"info depth 1 nodes $$\"; echo bestmove a1a1");
    let step = "[bench]\ncommand = 'echo Nodes searched: $$'\nnodes = 'searched: (\\d+)'\n";
    bench.write("arbiter.toml", &format!("engine = './engine'\nbaseline = 'b.toml'\n{step}"));
    bench.run("ci --update-baseline --out first").expect_code(0);
    let told = [
        "two runs of this build have",
        "it is not the same twice, even in two new processes",
        "nodes and a1a1",
    ];
    bench.run("ci --out second").expect_code(1).shows(&told);
}

#[test]
fn the_same_build_passes_its_own_baseline() {
    let bench = bench_with_baseline();
    let baseline = bench.read("baseline.toml");
    assert!(
        baseline.contains("nodes = 1972535") && baseline.contains("    \"loose queen\",\n"),
        "{baseline}"
    );
    assert_eq!(baseline, bench.read("first/measured.toml"));
    let done = bench.run("ci --out second").expect_code(0);
    let text = done.stdout();
    assert!(text.contains("bench      ✓ 1,972,535 nodes, as in the baseline"), "{text}");
    assert!(text.contains("3 of 3 positions solved, the same as in the baseline"), "{text}");
    assert!(text.contains("tarrasch passes") && !text.contains("Changed"), "{text}");
    let passed = |step: &str| (step.to_owned(), "passed".to_owned());
    assert_eq!(verdicts(&bench, "second"), ["perft", "bench", "tactics"].map(passed));
    let record: toml::Table = bench.read("second/ci.toml").parse().unwrap();
    assert_eq!(record["suite"].as_array().unwrap().len(), 2);
    assert!(record["engine"]["sha256"].as_str().is_some());
    assert_eq!(csv::Reader::from_reader(bench.read("second/tactics.csv").as_bytes()).records().count(), 3);
    assert_well_formed(&bench.read("second/junit.xml"));
    // Without a change, the new baseline has the same bytes.
    bench.run("ci --update-baseline --out third").expect_code(0);
    assert_eq!(bench.read("baseline.toml"), baseline);
}

#[test]
fn another_bench_is_a_regression_until_the_baseline_is_updated() {
    let bench = bench_with_baseline();
    bench.write("bench.txt", "Nodes searched  : 2000000\n");
    let text = bench.run("ci --out changed").expect_code(1).stdout();
    assert!(text.contains("bench      ✗ 2,000,000 nodes; the baseline has 1,972,535"), "{text}");
    assert!(text.contains("bench nodes  1,972,535  2,000,000"), "{text}");
    assert!(text.contains("regression: bench"), "{text}");
    let xml = bench.read("changed/junit.xml");
    assert_well_formed(&xml);
    assert!(xml.contains("<failure message=\"2,000,000 nodes; the baseline has 1,972,535\">"), "{xml}");
    let markdown = bench.read("changed/summary.md");
    assert!(markdown.starts_with("### ❌ regression: bench\n"), "{markdown}");
    let text = bench.run("ci --update-baseline --out update").expect_code(0).stdout();
    assert!(text.contains("bench nodes  1,972,535  2,000,000"), "{text}");
    bench.run("ci --out after").expect_code(0);
}

#[test]
fn a_skipped_step_keeps_its_part_of_the_baseline() {
    let bench = bench_with_baseline();
    bench.write("bench.txt", "Nodes searched  : 3\n");
    bench.run("ci --skip bench --out without").expect_code(0);
    bench.run("ci --only bench --update-baseline --out only").expect_code(0);
    let baseline = bench.read("baseline.toml");
    assert!(baseline.contains("nodes = 3\n") && baseline.contains("\"back rank\""), "{baseline}");
    assert!(baseline.contains("[[perft]]"), "{baseline}");
}

#[test]
fn a_wrong_count_is_a_regression_and_no_baseline() {
    let bench = bench_with_baseline();
    bench.write("perft.epd", &format!("# start: counted wrong.\n{START} ;D1 20 ;D2 401\n"));
    let before = bench.read("baseline.toml");
    let done = bench.run("ci --update-baseline --out wrong").expect_code(1);
    let text = done.stdout();
    assert!(text.contains("perft      ✗ 1 of 1 position with a wrong count"), "{text}");
    assert!(text.contains("perft.epd:2: start at depth 2: expected 401 nodes, counted 400"), "{text}");
    assert!(done.stderr().contains("was not changed, because the build did not pass"), "{}", done.stderr());
    assert_eq!(bench.read("baseline.toml"), before);
}

#[test]
fn an_unsolved_required_position_is_a_regression() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("tactics.epd", TACTICS);
    let file = "engine = 'well'\n[tactics]\nsuites = ['tactics.epd']\nnodes = 2000\n";
    bench.write("arbiter.toml", file);
    // The marks of a suite ask nothing of an engine that never solved the positions.
    bench.run("ci --out weak").expect_code(0).shows(&["tactics    ✓ 0 of 3 positions solved"]);
    bench.write("arbiter.toml", &format!("{file}required = true\n"));
    let regression = |out: &str| {
        let text = bench.run(&["ci", "--out", out]).expect_code(1).stdout();
        assert!(text.contains("tactics    ✗ 0 of 3 positions solved"), "{text}");
        assert!(text.contains("required but not solved: back rank"), "{text}");
    };
    regression("all");
    bench.write("arbiter.toml", file);
    bench.run(&["ci", "--engine", TARRASCH, "--update-baseline", "--out", "first"]).expect_code(0);
    regression("lost");
}

/// An engine that takes the same time for every search and reports `nodes`.
fn clockwork(nodes: u32) -> String {
    format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
         uci) echo 'id name Clockwork'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\n\
         echo 'info depth 1 nodes {nodes}'; echo 'bestmove e2e4';;\n\
         quit) exit;;\n\
         esac; done\n"
    )
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn speed_is_judged_only_between_two_builds_of_the_same_run() {
    let bench = Workbench::new();
    bench.write_program("slow", &clockwork(1000));
    bench.write_program("fast", &clockwork(100_000));
    bench.write("arbiter.toml", "engine = './slow'\n[speed]\nduration = '1s'\ntolerance = 20\n");
    bench.run("ci --against ./fast --out worse").expect_code(1).shows(&["speed      ✗ -9", "NPS vs fast"]);
    bench.run("ci --engine ./fast --against ./slow --out better").expect_code(0);
    // Without a second build, the step cannot fail.
    bench.run("ci --engine ./fast --update-baseline --out first").expect_code(0);
    let text = bench.run("ci --out alone").expect_code(0).stdout();
    assert!(text.contains("vs baseline (not judged, because it was measured at another time)"), "{text}");
    let baseline = bench.read("engines/slow/baseline.toml");
    let machine = baseline.lines().find(|line| line.starts_with("machine")).unwrap();
    bench.write("engines/slow/baseline.toml", &baseline.replace(machine, "machine = \"an abacus\""));
    let text = bench.run("ci --out elsewhere").expect_code(0).stdout();
    assert!(text.contains("the baseline is of another machine (an abacus)"), "{text}");
    assert!(text.contains("another machine"), "{text}");
}

fn match_file(engine: &str, more: &str) -> String {
    format!(
        "engine = '{engine}'\nagainst = '{TARRASCH}'\n[match]\nlimits = {{ nodes = 100 }}\nconcurrency = 2\n\
         openings = 'book.epd'\n{more}"
    )
}

#[test]
fn a_match_that_is_lost_is_a_regression_and_its_games_are_kept() {
    let bench = Workbench::with_mocks(&["well"]);
    let file = match_file("well", "sprt = [-100, 100]\nmodel = 'logistic'\ngames = 200\n");
    bench.write("arbiter.toml", &file.replace("book.epd", "arbiter-balanced.epd"));
    let text = bench.run("ci --out run").expect_code(1).stdout();
    assert!(text.contains("match      ✗ well is weaker than tarrasch: SPRT accepted H0"), "{text}");
    assert!(text.contains("LLR -") && text.contains(") [-100, 100]"), "{text}");
    assert!(bench.path("run/match/report.html").is_file());
    bench.run("sprt run/match").expect_code(1);
}

#[test]
fn a_match_that_does_not_decide_is_inconclusive() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("arbiter.toml", &match_file("well", "games = 2\n"));
    bench.run("ci --out run").expect_code(3).shows(&["match      ? ", "inconclusive: match"]);
    let xml = bench.read("run/junit.xml");
    assert!(xml.contains("failures=\"0\" errors=\"0\" skipped=\"1\""), "{xml}");
}

#[test]
fn the_same_program_is_not_played_against_itself() {
    let bench = Workbench::new();
    bench.write("arbiter.toml", &match_file(TARRASCH, ""));
    let text = bench.run("ci --out run").expect_code(0).stdout();
    assert!(text.contains("match      ✓ skipped, because both builds are the same program"), "{text}");
}

#[test]
fn an_engine_fault_fails_its_step() {
    let bench = Workbench::with_mocks(&["exit-on-uci", "crash-on-new-game", "illegal"]);
    bench.write("tactics.epd", TACTICS);
    let file = "engine = 'exit-on-uci'\n[protocol]\n[tactics]\nsuites = ['tactics.epd']\nnodes = 20\n";
    bench.write("arbiter.toml", file);
    let text = bench.run("ci --out silent").expect_code(4).stdout();
    assert!(text.contains("protocol   ✗") && text.contains("exit code 3"), "{text}");
    assert!(text.contains("tactics    - skipped, because the engine does not start"), "{text}");
    assert_well_formed(&bench.read("silent/junit.xml"));
    let text = bench.run("ci --engine crash-on-new-game --only tactics --out crash").expect_code(4).stdout();
    assert!(text.contains("tactics    ✗ back rank (tactics.epd:1): engine crash-on-new-game"), "{text}");
    assert!(text.contains("crash-on-new-game is broken: tactics"), "{text}");
    bench.write("arbiter.toml", &match_file("illegal", "games = 2\n"));
    bench.run("ci --out illegal").expect_code(4).shows(&["by a fault: see `bad/`"]);
}

#[test]
fn a_failed_protocol_check_is_a_fault_unless_may_fail_lists_it() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("arbiter.toml", "engine = 'well'\n[protocol]\n");
    bench.run("ci --out strict").expect_code(4).shows(&["go infinite, stop: "]);
    let result: serde_json::Value = serde_json::from_str(&bench.read("strict/ci.json")).unwrap();
    let checks = result["steps"][0]["checks"].as_array().unwrap();
    let failed = checks.iter().filter(|check| check["outcome"] == "failed");
    let failed: Vec<&str> = failed.map(|check| check["name"].as_str().unwrap()).collect();
    bench.write("arbiter.toml", &format!("engine = 'well'\n[protocol]\nmay_fail = {failed:?}\n"));
    bench.run("ci --out lenient").expect_code(0);
}

#[test]
fn a_job_on_github_has_the_results_in_its_summary() {
    let bench = bench_with_baseline();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.args(["ci", "--only", "bench", "--out", "run"]);
    bench.settle(&mut command);
    assert!(command.env("GITHUB_STEP_SUMMARY", "summary.md").output().unwrap().status.success());
    assert_eq!(bench.read("summary.md").trim_end(), bench.read("run/summary.md").trim_end());
}

fn git(bench: &Workbench, args: &[&str]) -> String {
    let mut command = std::process::Command::new("git");
    bench.settle(&mut command);
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
    let output = command.args(identity).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_baseline_names_the_commit_unless_there_are_uncommitted_changes() {
    let bench = Workbench::with_mocks(&["well"]);
    let manifest = bench.read("engines/well/engine.toml");
    bench.write("engines/well/engine.toml", &format!("repo = '.'\nbuild = 'exit 0'\n{manifest}"));
    let file = "engine = 'well'\n[bench]\ncommand = 'echo Nodes: 12'\nnodes = 'Nodes: (\\d+)'\ncommit_pattern = '^Bench: (\\d+)$'\n";
    bench.write("arbiter.toml", file);
    git(&bench, &["init", "-q"]);
    git(&bench, &["add", "engines", "arbiter.toml", "book.epd"]);
    git(&bench, &["commit", "-q", "-m", "Search well\n\nBench: 12"]);
    bench.run("ci --update-baseline --out first").expect_code(0);
    let revision = git(&bench, &["rev-parse", "HEAD"]);
    let baseline = "engines/well/baseline.toml";
    assert!(bench.read(baseline).contains(&format!("revision = \"{revision}\"")), "{}", bench.read(baseline));
    // The baseline itself may be uncommitted.
    git(&bench, &["add", "-f", baseline]);
    let clean = bench.run("ci --out second").expect_code(0);
    assert!(clean.stdout().contains("12 nodes, as the commit message states"), "{}", clean.stdout());
    assert!(!clean.stderr().contains("uncommitted"), "{}", clean.stderr());
    bench.write("book.epd", "# Nothing.\n");
    let dirty = bench.run("ci --update-baseline --out third").expect_code(0).stderr();
    assert!(dirty.contains("the working tree has uncommitted changes (book.epd)"), "{dirty}");
    assert!(dirty.contains("the baseline names no commit"), "{dirty}");
    assert!(!bench.read(baseline).contains("revision"), "{}", bench.read(baseline));
    git(&bench, &["commit", "-q", "--allow-empty", "-m", "Search worse\n\nBench: 13"]);
    bench.run("ci --out fourth").expect_code(1).shows(&["12 nodes; the commit message states 13"]);
}

/// Somebody's engine: a script with a quick bench, around a program whose output goes through `sed`.
fn write_own_engine(bench: &Workbench, nodes: u32, filter: &str) {
    let program = example!("thomartin");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = bench ] && echo 'Nodes searched: {nodes}' && exit\n'{program}' | sed -u '{filter}'\n"
    );
    bench.write_program("mine.sh", &script);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_of_ones_own_is_checked_from_zero() {
    let bench = Workbench::new();
    // It does not say its name.
    let usual = "/^id name/d";
    write_own_engine(&bench, 1000, usual);
    bench.write("perft.epd", &format!("{START} ;D1 20 ;D2 400\n"));
    let manifest = "name = 'mine'\ncommand = './mine.sh'\nrepo = '.'\nbuild = 'true'\n";
    bench.write("engines/mine/engine.toml", manifest);
    let file = "engine = 'mine'\n[protocol]\nmay_fail = ['id']\n\
                [perft]\nsuites = ['perft.epd']\n[bench]\ncommand = '{engine} bench'\nnodes = 'searched: (\\d+)'\n\
                [tactics]\nnodes = 1\n[match]\nlimits = { nodes = 100 }\ngames = 2\nopenings = 'book.epd'\n";
    bench.write("arbiter.toml", file);
    bench.write(".gitignore", "/run*\n/results/\n");
    git(&bench, &["init", "-q"]);
    git(&bench, &["add", "."]);
    git(&bench, &["commit", "-q", "-m", "My engine"]);
    let ci = |more: &[&str], out: &str, code| {
        let done = bench.run(&[&["ci", "--out", out], more].concat()).expect_code(code);
        (done.stdout(), done.stderr())
    };
    // The first day: nothing to compare with, and what needs no opponent runs.
    let (text, _) = ci(&[], "run1", 0);
    let skipped = "match      - skipped, because there is no baseline engines/mine/baseline.toml: write one";
    assert!(text.contains(skipped) && text.contains("arbiter ci --update-baseline"), "{text}");
    for done in ["protocol   ✓", "perft      ✓", "bench      ✓ 1,000 nodes", "tactics    ✓", "mine passes"]
    {
        assert!(text.contains(done), "expected `{done}`: {text}");
    }
    assert!(text.contains("0 failed, 1 failed but allowed by may_fail"), "{text}");
    let (text, said) = ci(&["--update-baseline"], "run2", 0);
    assert!(text.contains("marked as required in a suite, but not solved: "), "{text}");
    assert!(said.contains("baseline written to engines/mine/baseline.toml"), "{said}");
    assert!(!said.contains("git ignores") && bench.path("engines/mine/baseline.toml").is_file(), "{said}");
    let (text, _) = ci(&["--only", "match"], "run3", 0);
    assert!(text.contains("match      ✓ skipped, because both builds are the same program"), "{text}");
    // Two planted errors, and none.
    write_own_engine(&bench, 1000, "s/^e2e4: 20$/e2e4: 21/");
    let (text, _) = ci(&["--only", "perft"], "run4", 1);
    assert!(text.contains("line 1 at depth 2: expected 400 nodes, counted 401"), "{text}");
    write_own_engine(&bench, 1001, usual);
    let (text, _) = ci(&["--only", "bench"], "run5", 1);
    assert!(text.contains("bench      ✗ 1,001 nodes; the baseline has 1,000"), "{text}");
    write_own_engine(&bench, 1000, usual);
    ci(&["--skip", "protocol"], "run6", 0);
}

#[test]
fn a_baseline_that_git_ignores_is_warned_of() {
    let bench = Workbench::with_mocks(&["well"]);
    let file = "engine = 'well'\nbaseline = 'results/b.toml'\n[bench]\ncommand = 'echo Nodes: 12'\nnodes = 'Nodes: (\\d+)'\n";
    bench.write("arbiter.toml", file);
    bench.write(".gitignore", "results/\n");
    git(&bench, &["init", "-q"]);
    let said = bench.run("ci --update-baseline --out run").expect_code(0).stderr();
    assert!(said.contains("warning: git ignores results/b.toml; take it out of .gitignore"), "{said}");
    bench.write(".gitignore", "");
    let said = bench.run("ci --update-baseline --out again").expect_code(0).stderr();
    assert!(said.contains("baseline written") && !said.contains("git ignores"), "{said}");
}
