//! `arbiter check`, and faults that are said and kept and cost nobody a game.

use std::collections::BTreeMap;

#[cfg(unix)]
use runner::Termination;
use runner::{Event, WarningKind};

use crate::workbench::{TARRASCH, Workbench, events};

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
    assert_eq!(findings["same twice"].0, "pass");
    assert!(findings.len() > 30, "{json}");
    let failed: Vec<_> = findings.iter().filter(|(_, (verdict, _))| verdict == "fail").collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
#[cfg_attr(windows, ignore = "its engines are shell scripts")]
fn an_engine_that_is_not_the_same_twice_is_shown_the_first_position() {
    let bench = Workbench::new();
    let said = |nodes: &str, count: &str| {
        bench.write_script("engine", &format!("{count}; echo \"info depth 1 {nodes}\"; echo bestmove a1a1"));
        let same_twice = findings(&bench.run("check ./engine --json").stdout()).remove("same twice").unwrap();
        bench.write("arbiter.toml", "engine = './engine'\n[protocol]\nmay_fail = ['legal moves']\n");
        let ci = bench.run(&["ci", "--out", &format!("run{}", bench.listing().len())]).stdout();
        assert_eq!(ci.contains("same twice: it is not"), same_twice.0 == "warn", "{ci}");
        same_twice
    };
    // The number of searches of this process, or its number, or nothing.
    let (verdict, text) = said("nodes $n", "n=$((n + 1))");
    assert!(verdict == "warn" && text.contains("something of earlier games is left"), "{text}");
    assert!(text.contains("2 nodes and a1a1, in a new process 1 nodes"), "{text}");
    let (verdict, text) = said("nodes $$", ":");
    assert!(verdict == "warn" && text.contains("even in two new processes"), "{text}");
    let (verdict, text) = said("score cp 1", ":");
    assert!(verdict == "skip" && text.contains("cannot tell") && text.contains("no nodes"), "{text}");
    // It ignores a limit in nodes.
    let (verdict, text) = said("nodes 1000000", ":");
    assert!(verdict == "pass" && text.contains("go depth 10"), "{text}");
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
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
        let findings = findings(&bench.run("check ./engine --json").expect_code(4).stdout());
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
fn an_option_that_the_engine_does_not_have_is_an_error_unless_it_is_allowed() {
    let bench = Workbench::with_mocks(&["well"]);
    let engine = format!("{TARRASCH}:Hahs=16");
    let refused = ["match", &engine, "well", "--openings", "book.epd", "--nodes", "50", "--out", "run"];
    let message = bench.run(&refused).expect_code(2).stderr();
    let expected =
        "engine tarrasch: no option `Hahs` (did you mean `Hash`?); to send it all the same: --allow-unknown";
    assert!(message.contains(expected) && !message.contains("MultiPV"), "{message}");
    assert!(!bench.path("run").exists());
    let args = ["match", &engine, "well", "--openings", "book.epd", "--nodes", "50", "--maxmoves", "3"];
    let finished =
        bench.run(&[&args[..], &["--games", "4", "--out", "run", "--allow-unknown"]].concat()).expect_code(0);
    let said = finished.stderr();
    let warnings: Vec<&str> = said.lines().filter(|line| line.contains("Hahs")).map(str::trim).collect();
    assert_eq!(warnings, ["warning: engine tarrasch: no option `Hahs` (did you mean `Hash`?)"]);
    let events = events(&bench, "run");
    let kept: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::EngineWarning { engine, kind, text, .. } => {
                Some((*engine, *kind, text.contains("`Hahs`")))
            }
            _ => None,
        })
        .collect();
    assert_eq!(kept, [(0, WarningKind::UnknownOption, true)], "told once, whatever the number of games");
    assert!(finished.stdout().contains("4 games"), "{}", finished.stdout());
    bench.run("resume run").expect_code(0);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn whoever_has_a_broken_engine_sees_its_last_words_and_the_file() {
    let bench = Workbench::with_mocks(&["well"]);
    let panic = "for i in 1 2 3; do echo noise $i; done >&2; echo 'thread main panicked at eval.rs:7:' >&2; \
                 echo 'index out of `bounds` <b>' >&2";
    for (engine, go) in [
        ("crash", format!("{panic}; exit 3")),
        ("leave", format!("{panic}; exec >&-; sleep 9")),
        ("illegal", format!("{panic}; echo bestmove a1a8")),
        ("stall", format!("{panic}; sleep 99")),
    ] {
        bench.write_script(engine, &go);
        let (program, run) = (format!("./{engine}"), format!("run-{engine}"));
        let limits = if engine == "stall" { ["--movetime", "100"] } else { ["--nodes", "50"] };
        let args = ["match", &program, "well", "--openings", "book.epd", "--games", "2", "--out", &run];
        let said = bench.run(&[&args[..], &limits].concat()).expect_code(0).stderr();
        let told = format!("{engine} wrote to its error output:\n");
        let words =
            "  noise 2\n  noise 3\n  thread main panicked at eval.rs:7:\n  index out of `bounds` <b>\n";
        assert!(
            said.contains(&format!("; see {run}/bad/1.log; again: arbiter reproduce {run} 1\n")),
            "{said}"
        );
        assert!(
            said.contains(&format!("; see {run}/bad/2.log; again: arbiter reproduce {run} 2\n")),
            "{said}"
        );
        assert!(said.contains(&told) && said.contains(words), "{said}");
        // The same words are said once.
        assert_eq!(said.matches(&told).count(), 1, "{said}");
        let markdown = bench.run(&["report", "--markdown", &run]).expect_code(0).stdout();
        let words = words.replace("  ", "      ");
        let listed =
            format!("; see `bad/1.log`; again: `arbiter reproduce {run} 1`\n\n      noise 1\n{words}");
        assert!(markdown.contains(&listed), "{markdown}");
        let page = bench.read(&format!("{run}/report.html"));
        assert!(page.contains("index out of `bounds` &lt;b&gt;</pre>"), "{page}");
    }
}

#[test]
#[cfg(unix)]
fn what_the_runner_was_late_by_costs_nobody_a_game() {
    let bench = Workbench::with_mocks(&["stops-runner", "well"]);
    let args = ["match", "stops-runner", "well", "--openings", "book.epd", "--tc", "3", "--timemargin", "0"];
    let finished =
        bench.run(&[&args[..], &["--maxmoves", "4", "--games", "2", "--out", "run"]].concat()).expect_code(0);
    let said = finished.stderr();
    for words in ["would have been", "but the runner's thread waited", "that is not counted"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let events = events(&bench, "run");
    let is_late = |event: &&Event| {
        matches!(event, Event::EngineWarning { engine: 0, kind: WarningKind::RunnerLate, .. })
    };
    assert_eq!(events.iter().filter(is_late).count(), 1, "{said}");
    assert!(!finished.stdout().contains("time loss"), "{}", finished.stdout());
    let games: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::GameFinished(record) => Some(record),
            _ => None,
        })
        .collect();
    assert_eq!(games.len(), 2);
    for record in games {
        assert_eq!(record.termination, Termination::MaxMoves, "{:?}", record.detail);
    }
}
