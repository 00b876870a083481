//! What `arbiter ci` refuses before it asks anything: a baseline of something else, and a file that is wrong.

use crate::ci::{START, TACTICS, bench_with_baseline, three_steps};
use crate::workbench::{TARRASCH, Workbench};

#[test]
fn a_baseline_of_another_suite_or_limit_is_a_wrong_configuration() {
    let bench = bench_with_baseline();
    let message = |bench: &Workbench| bench.run(&["ci", "--out", "run"]).expect_code(2).stderr();
    bench.write("tactics.epd", &format!("{TACTICS}# One line more.\n"));
    let told = message(&bench);
    assert!(
        told.contains("baseline.toml: tactics, suite tactics.epd: expected the suite with SHA-256"),
        "{told}"
    );
    assert!(told.contains("arbiter ci --update-baseline"), "{told}");
    bench.write("tactics.epd", TACTICS);
    bench.write("arbiter.toml", &three_steps(TARRASCH).replace("nodes = 20000", "depth = 3"));
    let told = message(&bench);
    assert!(told.contains("expected the limit `go nodes 20000`, found `go depth 3`"), "{told}");
    bench.write("arbiter.toml", &three_steps(TARRASCH));
    bench.write("perft.epd", &format!("{START} ;D1 20\n"));
    assert!(message(&bench).contains("baseline.toml: perft, suite perft.epd: expected the suite"));
    bench.write("baseline.toml", "schema = 1\nengine = 'another'\n");
    assert!(message(&bench).contains("expected the baseline of `tarrasch`, found that of `another`"));
    bench.write("baseline.toml", "schema = 1\nengine = 'tarrasch'\nbanch = 7\n");
    let told = message(&bench);
    assert!(told.contains("baseline.toml") && told.contains("line 3") && told.contains("banch"), "{told}");
    assert!(!bench.path("run").exists());
}

#[test]
fn what_is_wrong_in_the_file_is_told_before_anything_is_started() {
    let bench = Workbench::with_mocks(&["well"]);
    let message = |file: &str, args: &[&str]| {
        bench.write("arbiter.toml", file);
        bench.run(&[&["ci", "--out", "run"], args].concat()).expect_code(2).stderr()
    };
    let told = |file: &str, args: &[&str], expected: &str| {
        let message = message(file, args);
        assert!(message.contains(expected), "{file}\n{message}");
    };
    told("engine = 'well'\n", &[], "arbiter.toml: expected at least one of [protocol], [perft], [bench]");
    told("engine = 'well'\n[pertf]\n", &[], "unknown field `pertf`");
    told("[perft]\n", &[], "missing field `engine`");
    told(
        "engine = 'well'\n[protocol]\n",
        &["--only", "perft"],
        "--only perft: expected [perft] in arbiter.toml",
    );
    told("engine = 'well'\n[protocol]\n", &["--skip", "protocol"], "no step is left to be asked");
    told("engine = 'well'\n[protocol]\n", &["--only", "pertf"], "expected protocol, perft, bench");
    told("engine = 'nobody'\n[protocol]\n", &[], "engine `nobody`");
    told("engine = 'well:Hush=1'\n[protocol]\n", &[], "no option `Hush`");
    let bench_table = |more: &str| format!("engine = 'well'\n[bench]\n{more}\n");
    told(&bench_table("nodes = '(1)'"), &[], "bench: expected `command` or `uci`");
    told(&bench_table("nodes = '1'\nuci = 'bench'"), &[], "one group for the number");
    told(
        &bench_table("nodes = '^N (\\d+)'\ncommand = 'echo nothing'"),
        &[],
        "expected a line that `^N (\\d+)` matches",
    );
    told(
        &bench_table("nodes = '(1)'\ncommand = 'echo 1'"),
        &["--engine", TARRASCH],
        "expected `{engine}` in it",
    );
    told("engine = 'well'\n[tactics]\nsuites = ['no.epd']\n", &[], "arbiter.toml: tactics, suites: ");
    told("engine = 'well'\n[match]\nlimits = { nodes = 5 }\n", &[], "match: expected `against = \"ENGINE\"`");
    let match_table = |more: &str| format!("engine = 'well'\nagainst = '{TARRASCH}'\n[match]\n{more}\n");
    told(&match_table("limits = {}"), &[], "match, limits: no limit");
    told(
        &match_table("limits = { nodes = 5 }\nsprt = [0, -5]"),
        &[],
        "match, sprt: the first SPRT bound must be below",
    );
    told(&match_table("limits = { nodes = 5 }\ngames = 3"), &[], "match, games: expected an even number");
    told(&match_table("limits = { nodes = 5 }\nopenings = 'no.epd'"), &[], "match, openings: ");
    let absent = bench.run(&["ci", "--config", "absent.toml"]).expect_code(2).stderr();
    assert!(absent.contains("absent.toml: expected a file that says what `arbiter ci` asks"), "{absent}");
    assert!(!bench.path("run").exists() || bench.path("run/ci.toml").exists());
}

#[test]
fn an_engine_that_does_not_count_moves_is_told_so_before_anything_is_asked() {
    let bench = Workbench::with_mocks(&["well", "hang"]);
    for engine in ["well", "hang"] {
        bench.write("arbiter.toml", &format!("engine = '{engine}'\n[protocol]\n[perft]\n"));
        let told = bench.run(&["ci", "--out", "run"]).expect_code(2).stderr();
        assert!(
            told.contains(&format!("perft: engine {engine}: ")) && told.contains("has no perft"),
            "{told}"
        );
        assert!(told.contains("leave [perft] out, or `--skip perft`"), "{told}");
        assert!(!bench.path("run").exists());
    }
}
