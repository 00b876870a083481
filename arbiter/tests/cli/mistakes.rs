//! What a daily user mistypes, and what the answer says.

use crate::workbench::Workbench;

/// A folder with the program `pico`, one that may not be executed, one called alike in two folders, and a lost manifest.
fn bench() -> Workbench {
    let bench = Workbench::with_mocks(&["well"]);
    for program in ["pico", "new/pico", "old/pico"] {
        bench.place_engine(program);
    }
    bench.write("plain", "#!/bin/sh\n");
    bench.write("engine.toml", "name = 'pico'\ncommand = 'pico'\n");
    bench.write("engines/bare/engine.toml", "name = 'bare'\ncommand = 'pico'\n");
    bench
}

#[test]
fn a_mistake_is_answered_with_what_to_write_instead() {
    let bench = bench();
    let init = std::process::Command::new("git").args(["init", "-q"]).arg(bench.path(".")).status();
    assert!(init.is_ok_and(|status| status.success()));
    bench.write(".gitignore", "engines/\n");
    let check = bench.run(&["engines", "check", "well"]).expect_code(0);
    assert!(check.stdout().contains("git ignores engines/well/engine.toml"), "{}", check.stdout());
    for (line, answer) in [
        ("match well well --tc -1+0.1", "time control `-1+0.1`"),
        ("match well well --tc 1,5+0,1", "decimals have a point"),
        #[cfg(unix)]
        ("match ./plain well", "chmod +x ./plain"),
        ("match ./new well", "expected a program, found a folder"),
        ("match ./engine.toml well", "expected a program, found a manifest"),
        ("match pico well", "for the file in this folder write ./pico"),
        ("match well:Hash well", "option `Hash` needs a value, as in `Hash=VALUE`"),
        ("match pico well", "the place of engine.toml is engines/pico/engine.toml"),
        ("match nano well", "the place of engine.toml is engines/nano/engine.toml"),
        ("match bare well", "for the file in this folder write command = \"./pico\" in its manifest"),
        ("match ./pico\u{a0}-x well", "--engine \"cmd=./pico args='-x'\""),
        ("match --engine cmd=./pico\u{a0}colour=red well", "option.NAME=, found `colour=red`"),
        ("match well well --rounds 5", "fastchess's `-rounds` is `--games 2N` here"),
        ("match -engine cmd=./pico", "fastchess's `-engine` is the engine, as a path, or `--engine \"cmd=X"),
        ("report run --html", "without a format the report is a page: arbiter report DIR --out FILE"),
        ("watch run --no-open", "what can be asked for is `--open`"),
        ("check well --sprt 0,5", "`--sprt` is an option of: match"),
        ("match well well --out plain/run", "--out"),
        ("engines check pico", "for the file in this folder write ./pico"),
        ("ci", "`arbiter init` writes it"),
        (
            "match well well --resign movecount=3,score=600",
            "`movecount=` is `--resign count=3,score=600,twosided=true`",
        ),
        ("match well well --draw movenumber=40,movecount=8,score=10", "`movenumber=` is `--draw move=40,"),
        ("status", "found no run below results/"),
        ("resume", "found no run below results/"),
        ("", "arbiter help"),
    ] {
        // A blank that stays within its word is written as a hard one.
        let words: Vec<String> =
            line.split_ascii_whitespace().map(|word| word.replace('\u{a0}', " ")).collect();
        let run = bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).expect_code(2);
        let said = run.stdout() + &run.stderr();
        assert!(said.contains(answer) && !said.contains("as a value, use"), "{line}:\n{said}");
    }
}

#[test]
fn programs_of_one_name_play_and_the_newest_run_is_meant() {
    let bench = bench();
    let games = ["--games", "2", "--nodes", "1", "--openings", "book.epd"];
    let run = |engines: [&str; 2]| bench.run(&[&["match"], &engines[..], &games[..]].concat()).expect_code(0);
    let alike = run(["./new/pico", "./old/pico"]);
    assert!(alike.stdout().contains("new/pico vs old/pico"), "{}", alike.stdout());
    let worded = run(["cmd=./new/pico args='well' option.Hash=2", "./old/pico:name=base"]);
    assert!(worded.stdout().contains("pico vs base"), "{}", worded.stdout());
    let named = run(["./new/pico:name=dev", "./old/pico:name=base"]);
    assert!(named.stdout().contains("dev vs base"), "{}", named.stdout());
    let each =
        ["--engine", "cmd=./new/pico name=dev", "--engine", "cmd=./old/pico name=base", "--each", "Hash=8"];
    let run = bench.run(&[&["match"], &each[..], &games[..], &["--out", "each"]].concat()).expect_code(0);
    assert!(run.stdout().contains("dev vs base"), "{}", run.stdout());
    let recorded = bench.read("each/run.toml");
    assert_eq!(recorded.matches("options = [\"Hash=8\"]").count(), 2, "{recorded}");
    bench.run(&["status"]).expect_code(0).shows(&["\n  dev "]);
    bench.run(&["engines", "check", "./pico"]).expect_code(0);
}

#[test]
fn a_shell_completes_names_and_each_command_has_a_manual_page() {
    let bench = bench();
    let offered = |words: &[&str]| {
        let mut line = vec!["--", "arbiter"];
        line.extend(words);
        let index = words.len().to_string();
        let mut command = bench.command(&line[..]);
        command.envs([("ARBITER_COMPLETE", "bash"), ("_CLAP_IFS", "\n"), ("_CLAP_COMPLETE_INDEX", &index)]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    for (words, name) in [
        (&["match", "wel"][..], "well"),
        (&["match", "--openings", "arbiter-b"], "arbiter-balanced.epd"),
        (&["tactics", "--suite", "cl"], "classics.epd"),
        (&["perft", "--suite", "sm"], "smirf.epd"),
    ] {
        let text = offered(words);
        assert!(text.lines().any(|line| line.split('\t').next() == Some(name)), "{words:?}: {text}");
    }
    bench.run(&["man", "match"]).expect_code(0).shows(&[".TH arbiter-match 1", "SPRT"]);
    bench.run(&["man", "nonsense"]).expect_code(2).tells(&["no command `nonsense`"]);
}
