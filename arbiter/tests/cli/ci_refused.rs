//! What `arbiter ci` refuses before the first step: a baseline that does not fit, and a wrong configuration.

use crate::ci::{START, TACTICS, bench_with_baseline, three_steps};
use crate::workbench::{TARRASCH, Workbench};

#[test]
fn a_baseline_of_another_suite_or_limit_is_a_wrong_configuration() {
    let bench = bench_with_baseline();
    let message = |bench: &Workbench| bench.run("ci --out run").expect_code(2).stderr();
    bench.write("tactics.epd", &format!("{TACTICS}# One line more.\n"));
    let refused = message(&bench);
    assert!(refused.contains("baseline.toml: tactics, suite tactics.epd: expected SHA-256"), "{refused}");
    assert!(refused.contains("arbiter ci --update-baseline"), "{refused}");
    bench.write("tactics.epd", TACTICS);
    bench.write("arbiter.toml", &three_steps(TARRASCH).replace("nodes = 20000", "depth = 3"));
    let refused = message(&bench);
    assert!(refused.contains("expected the limit `go nodes 20000`, found `go depth 3`"), "{refused}");
    bench.write("arbiter.toml", &three_steps(TARRASCH));
    bench.write("perft.epd", &format!("{START} ;D1 20\n"));
    assert!(message(&bench).contains("baseline.toml: perft, suite perft.epd: expected SHA-256"));
    bench.write("baseline.toml", "schema = 1\nengine = 'another'\n");
    assert!(message(&bench).contains("expected the baseline of `tarrasch`, found the baseline of `another`"));
    bench.write("baseline.toml", "schema = 1\nengine = 'tarrasch'\nbanch = 7\n");
    let refused = message(&bench);
    assert!(
        refused.contains("baseline.toml") && refused.contains("line 3") && refused.contains("banch"),
        "{refused}"
    );
    assert!(!bench.path("run").exists());
}

#[test]
fn a_wrong_configuration_is_refused_before_an_engine_starts() {
    let bench = Workbench::with_mocks(&["well"]);
    let message = |file: &str, args: &[&str]| {
        bench.write("arbiter.toml", file);
        bench.run(&[&["ci", "--out", "run"], args].concat()).expect_code(2).stderr()
    };
    let refuses = |file: &str, args: &[&str], expected: &str| {
        let message = message(file, args);
        assert!(message.contains(expected), "{file}\n{message}");
    };
    refuses("engine = 'well'\n", &[], "arbiter.toml: expected at least one of [protocol], [perft], [bench]");
    refuses("engine = 'well'\n[pertf]\n", &[], "unknown field `pertf`");
    refuses("[perft]\n", &[], "missing field `engine`");
    refuses(
        "engine = 'well'\n[protocol]\n",
        &["--only", "perft"],
        "--only perft: expected [perft] in arbiter.toml",
    );
    refuses(
        "engine = 'well'\n[protocol]\n",
        &["--skip", "protocol"],
        "--only and --skip leave no step to run",
    );
    refuses(
        "engine = 'well'\n[protocol]\n",
        &["--only", "pertf"],
        "possible values: protocol, perft, bench, tactics",
    );
    refuses("engine = 'nobody'\n[protocol]\n", &[], "engine `nobody`");
    refuses("engine = 'well:Hush=1'\n[protocol]\n", &[], "no option `Hush`");
    let bench_table = |more: &str| format!("engine = 'well'\n[bench]\n{more}\n");
    refuses(&bench_table("nodes = '(1)'"), &[], "bench: expected `command` or `uci`");
    refuses(&bench_table("nodes = '1'\nuci = 'bench'"), &[], "one group for the number");
    refuses(
        &bench_table("nodes = '^N ([0-9]+)'\ncommand = 'echo nothing'"),
        &[],
        "expected a match of `^N ([0-9]+)` in the output",
    );
    refuses(
        &bench_table("nodes = '(1)'\ncommand = 'echo 1'"),
        &["--engine", TARRASCH],
        "expected `{engine}` in the command",
    );
    refuses("engine = 'well'\n[tactics]\nsuites = ['no.epd']\n", &[], "arbiter.toml: tactics, suites: ");
    refuses(
        "engine = 'well'\n[match]\nlimits = { nodes = 5 }\n",
        &[],
        "match: there is no baseline engines/well/baseline.toml: write one from a clean working tree with `arbiter ci \
         --update-baseline`, or name an opponent with `against = \"ENGINE\"` or --against ENGINE",
    );
    let match_table = |more: &str| format!("engine = 'well'\nagainst = '{TARRASCH}'\n[match]\n{more}\n");
    refuses(&match_table("limits = {}"), &[], "match, limits: no limit");
    refuses(
        &match_table("limits = { nodes = 5 }\nsprt = [0, -5]"),
        &[],
        "match, sprt: the first SPRT bound must be below",
    );
    refuses(&match_table("limits = { nodes = 5 }\ngames = 3"), &[], "match, games: expected an even number");
    refuses(&match_table("limits = { nodes = 5 }\nopenings = 'no.epd'"), &[], "match, openings: ");
    let table = |name: &str, more: &str| format!("engine = 'well'\n[{name}]\n{more}\n");
    for (name, zero, expected) in [
        ("perft", "depth = 0", "perft, depth: expected a number from 1, found 0"),
        ("tactics", "nodes = 0", "tactics: the limit `nodes` is zero"),
        ("tactics", "movetime = '0s'", "tactics: the limit `movetime` is zero"),
        ("tactics", "concurrency = 0", "tactics, concurrency: expected a number from 1, found 0"),
        ("speed", "duration = '0s'", "speed, duration: expected at least 1s"),
        (
            "protocol",
            "may_fail = ['isready', 'go slow']",
            "protocol, may_fail: expected names of checks, found `go slow`",
        ),
        ("protocol", "may_fail = ['none']", "the checks are handshake, id, options, isready"),
    ] {
        refuses(&table(name, zero), &[], expected);
    }
    refuses(
        &match_table("limits = { nodes = 5 }\nconcurrency = 0"),
        &[],
        "match, concurrency: expected a number from 1",
    );
    let absent = bench.run("ci --config absent.toml").expect_code(2).stderr();
    assert!(absent.contains("absent.toml: expected the configuration of `arbiter ci`"), "{absent}");
    assert!(!bench.path("run").exists() || bench.path("run/ci.toml").exists());
}

#[test]
fn an_engine_without_perft_is_refused_before_the_first_step() {
    let bench = Workbench::with_mocks(&["well", "hang"]);
    for engine in ["well", "hang"] {
        bench.write("arbiter.toml", &format!("engine = '{engine}'\n[protocol]\n[perft]\n"));
        bench.run("ci --out run").expect_code(2).tells(&[
            &format!("perft: engine {engine}: "),
            "has no perft",
            "remove [perft] from arbiter.toml, or add `--skip perft`",
        ]);
        assert!(!bench.path("run").exists());
    }
}
