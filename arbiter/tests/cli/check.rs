//! `arbiter check` names the faults of an engine, and ends whatever the engine does.

use std::collections::BTreeMap;

use crate::workbench::{TARRASCH, Workbench};

/// The findings by the name of their check: the verdict, and what was said.
fn findings(json: &str) -> BTreeMap<String, (String, String)> {
    let report: serde_json::Value = serde_json::from_str(json).unwrap();
    let findings = report["findings"].as_array().unwrap().iter().map(|finding| {
        let text = |field: &str| finding[field].as_str().unwrap_or_default().to_owned();
        (text("check"), (text("verdict"), format!("{} {}", text("sentence"), text("seen"))))
    });
    findings.collect()
}

#[test]
fn tarrasch_follows_the_protocol() {
    let bench = Workbench::new();
    let json = bench.run(&["check", TARRASCH, "--json"]).stdout();
    let mut findings = findings(&json);
    // How long a search takes is the machine's doing as well.
    for timed in ["go movetime", "go wtime btime", "go ponder"] {
        findings.remove(timed).unwrap();
    }
    assert!(findings.len() > 30, "{json}");
    let failed: Vec<_> = findings.iter().filter(|(_, (verdict, _))| verdict == "fail").collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_minimal_engine_has_a_finding_for_what_it_lacks() {
    let bench = Workbench::with_mocks(&["well"]);
    let json = bench.run(&["check", "well", "--json"]).expect_code(4).stdout();
    let findings = findings(&json);
    for (check, verdict) in [
        ("handshake", "pass"),
        ("id", "warn"),
        ("options", "pass"),
        ("isready", "pass"),
        ("go infinite, stop", "fail"),
        ("isready in a search", "skip"),
        ("Chess960", "skip"),
        ("quit", "pass"),
        ("error output", "pass"),
    ] {
        assert_eq!(findings[check].0, verdict, "{check}: {}", findings[check].1);
    }
}

#[test]
fn a_fault_is_named_by_its_own_check_only() {
    let bench = Workbench::new();
    // What an engine does on `go infinite`, and on `isready` before its `readyok`; whether the first is a fault; what is
    // said of `isready` in a search.
    for (infinite, ready, is_fault, said) in [
        ("sleep 0.2; echo bestmove c4f7", "", true, ("skip", "ends by itself")),
        ("sleep 2; echo bestmove c4f7", "", false, ("fail", "only after its search")),
        ("s=1", "[ $s ] && echo bestmove c4f7; s=", false, ("fail", "isready ends its search")),
        ("s=1", "", false, ("pass", "in time")),
    ] {
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do\n  case $line in\n    uci) echo uciok ;;\n    \
             isready) {ready}\n      echo readyok ;;\n    'go infinite') {infinite} ;;\n    \
             go*) echo 'info depth 6 score cp 0'; echo bestmove e2e4 ;;\n    \
             stop) [ $s ] && echo bestmove c4f7; s= ;;\n    quit) exit ;;\n  esac\ndone\n"
        );
        bench.write_program("engine", &script);
        let findings = findings(&bench.run(&["check", "./engine", "--json"]).expect_code(4).stdout());
        assert_eq!(findings["go infinite, stop"].0 == "fail", is_fault, "{infinite}: {findings:#?}");
        let (verdict, sentence) = &findings["isready in a search"];
        assert!(verdict == said.0 && sentence.contains(said.1), "{infinite}: {verdict} {sentence}");
        assert_eq!(findings["one bestmove per go"].0, "pass", "{infinite}: {findings:#?}");
        // A score of 0 has no sign.
        let (verdict, sentence) = &findings["mate scores"];
        assert!(verdict == "warn" && sentence.contains("expected `score mate 1`"), "{verdict} {sentence}");
    }
}

#[test]
fn an_engine_that_exits_after_uci_has_one_finding() {
    let bench = Workbench::with_mocks(&["exit-on-uci"]);
    let text = bench.run(&["check", "exit-on-uci"]).expect_code(4).stdout();
    assert!(text.contains("✗ handshake") && text.contains("exit code 3"), "{text}");
    assert!(text.contains("1 failed"), "{text}");
}

#[test]
fn an_engine_that_never_answers_is_given_up_before_long() {
    let bench = Workbench::with_mocks(&["no-uciok"]);
    let text = bench.run(&["check", "no-uciok"]).expect_code(4).stdout();
    assert!(text.contains("it does not answer `uci` with `uciok`"), "{text}");
    #[cfg(target_os = "linux")]
    assert_eq!(bench.processes(), 0);
}

#[test]
fn what_the_user_gets_wrong_is_a_usage_error_and_no_finding() {
    let bench = Workbench::new();
    for (engine, part) in [
        ("nobody", "nobody"),
        (&*format!("{TARRASCH}:Foo=1"), "no option `Foo`"),
        (&format!("{TARRASCH}:Hash=0"), "option `Hash`"),
        (&format!("{TARRASCH}:nodes=4"), "work in matches only"),
    ] {
        let run = bench.run(&["check", engine]).expect_code(2);
        assert!(run.stderr().contains(part) && run.stdout().is_empty(), "{}{}", run.stdout(), run.stderr());
    }
}
