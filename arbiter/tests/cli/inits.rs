//! `arbiter init` in repositories of engines that it has never seen.

use std::process::Command;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// A repository whose makefile builds a script that starts `line`.
fn repository(line: &str, gitignore: &str) -> Workbench {
    let bench = Workbench::new();
    bench.write("src/start", &format!("#!/bin/sh\nexec {line}\n"));
    bench.write("src/makefile", "EXE = pico\n$(EXE): start\n\tcp start $(EXE) && chmod +x $(EXE)\n");
    bench.write(".gitignore", gitignore);
    for args in
        [&["init", "--quiet"][..], &["add", "src", ".gitignore"], &["commit", "--quiet", "-m", "Start"]]
    {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org"]).args(args);
        let git = git.current_dir(bench.path("")).env("HOME", bench.path("")).status();
        assert!(git.unwrap().success());
    }
    bench
}

#[test]
fn an_engine_gets_a_manifest_its_steps_and_the_workflows_that_were_asked_for() {
    let bench = repository(&format!("'{TARRASCH}' \"$@\""), "pico\nresults/\n");
    let run = bench.run(&["init", "--yes", "--no-baseline", "--github", "--hook"]).expect_code(0);
    let manifest = bench.read("engines/pico/engine.toml");
    for line in ["command = \"src/pico\"", "build   = \"make -C src\"", "repo    = \".\"", "Hash = 16"] {
        assert!(manifest.contains(line), "{line} in:\n{manifest}");
    }
    assert!(manifest.contains("# A guess: src/makefile sets EXE = pico."), "{manifest}");
    let steps = bench.read("arbiter.toml");
    for step in ["protocol", "perft", "bench", "tactics", "speed", "match"] {
        assert!(steps.contains(&format!("\n[{step}]\n")), "[{step}] in:\n{steps}");
    }
    assert!(bench.read("engines/.gitignore").contains("!/pico/"));
    assert!(bench.read(".github/workflows/arbiter.yml").contains("on: [push, pull_request]"));
    assert!(bench.read(".github/workflows/arbiter-match.yml").contains("with: {engine: 'pico', new: "));
    assert!(bench.read(".git/hooks/pre-push").contains("--only perft bench"));
    assert!(
        run.stdout()
            .ends_with("Now:\n  arbiter match pico tarrasch --games 20\n  arbiter ci --update-baseline\n"),
        "{}",
        run.stdout()
    );

    let before = bench.listing();
    bench.run(&["init", "--yes", "--no-baseline", "--github"]).expect_code(0).shows(&[
        "arbiter.toml is here already, for pico; it stays as it is",
        ".github/workflows/arbiter.yml is here already, as it would be written",
    ]);
    assert_eq!(bench.listing(), before);
    assert_eq!(bench.read("arbiter.toml"), steps);
    bench.run(&["engines", "check", "pico"]).expect_code(0);
}

#[test]
fn an_engine_that_can_little_gets_few_steps_and_a_baseline_of_them() {
    let bench = repository(&format!("'{MOCK_ENGINE}' well"), "results/\n");
    bench.write(".gitlab-ci.yml", "stages: [test]\n");
    let run = bench.run(&["init", "--yes", "--gitlab"]);
    let steps = bench.read("arbiter.toml");
    for step in ["perft", "bench"] {
        assert!(steps.contains(&format!("# No [{step}]: ")), "{steps}");
        assert!(run.stdout().contains(&format!("left out: [{step}]: ")), "{}", run.stdout());
    }
    let run = run.expect_code(0).shows(&["include: .gitlab/arbiter.yml"]);
    assert!(bench.read("engines/pico/baseline.toml").contains("revision = "), "{}", run.stderr());
    assert_eq!(bench.read(".gitlab-ci.yml"), "stages: [test]\n");
    assert!(bench.read(".gitlab/arbiter.yml").contains("arbiter ci"));
}

#[test]
fn what_cannot_be_built_is_said_and_nothing_is_written() {
    let bench = repository("nothing", "");
    bench.write("src/makefile", "EXE = pico\nall:\n\t@echo no semicolon >&2; exit 1\n");
    let before = bench.listing();
    let run = bench.run(&["init", "--yes"]).expect_code(2);
    assert!(run.stderr().contains("src/makefile sets EXE = pico: make -C src"), "{}", run.stderr());
    assert!(run.stderr().contains("no semicolon"), "{}", run.stderr());
    assert!(run.stderr().contains("no build made a program that answers `uci`"), "{}", run.stderr());
    let engines = bench.listing().difference(&before).filter(|path| path.ends_with("engine.toml")).count();
    assert_eq!(engines, 0);

    let empty = Workbench::new();
    empty.run(&["init"]).expect_code(2).tells(&["a file of a build (Cargo.toml, makefile"]);
}

#[test]
fn a_program_a_file_of_its_build_and_a_folder_below_the_root_are_taken() {
    for (named, command) in [
        ("src/makefile", "command = \"src/pico\""),
        ("src", "command = \"src/pico\""),
        ("src/start", "command = \"src/start\""),
    ] {
        let bench = repository(&format!("'{MOCK_ENGINE}' well"), "results/\n");
        bench.write("makefile", "EXE = wrong\nall:\n\texit 1\n");
        #[cfg(unix)]
        bench.write_program("src/start", &bench.read("src/start"));
        let run = bench.run(&["init", "--yes", "--no-baseline", named]).expect_code(0);
        let name = command.trim_end_matches('"').rsplit('/').next().unwrap();
        let manifest = bench.read(&format!("engines/{name}/engine.toml"));
        assert!(manifest.contains(command), "{named}: {manifest}");
        assert!(!run.stderr().contains("wrong"), "{}", run.stderr());
        bench.run(&["engines", "check", name]).expect_code(0);
    }

    // Without a repository it is the current folder; a script need not speak UCI in the file that is named.
    let bench = Workbench::new();
    bench.write("tools/mini.py", &format!("import os\nos.execv({MOCK_ENGINE:?}, ['mock', 'well'])\n"));
    bench.write("notes.txt", "nothing");
    bench.run(&["init", "--yes", "--no-baseline", "./tools/mini.py"]).expect_code(0);
    assert!(bench.read("engines/mini/engine.toml").contains("tools/mini.py"));
    std::fs::remove_file(bench.path("arbiter.toml")).unwrap();
    let refused = bench.run(&["init", "notes.txt"]).expect_code(2).stderr();
    assert!(refused.contains("notes.txt: expected a program or a file of a build"), "{refused}");
    bench.run(&["init", "nowhere"]).expect_code(2).tells(&["nowhere: "]);
    let refused = bench.run(&["init", TARRASCH, "--yes"]);
    assert_eq!(refused.code(), Some(2), "{}", refused.stderr());
}
