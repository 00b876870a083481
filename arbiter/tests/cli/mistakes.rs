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
    for (line, answer) in [
        ("match well well --tc -1+0.1", "time control `-1+0.1`"),
        ("match well well --tc 1,5+0,1", "decimals have a point"),
        #[cfg(unix)]
        ("match ./plain well", "chmod +x ./plain"),
        ("match ./new well", "expected a program, found a folder"),
        ("match ./engine.toml well", "expected a program, found a manifest"),
        ("match pico well", "for the file in this folder write ./pico"),
        ("match nano well", "the place of engine.toml is engines/nano/engine.toml"),
        ("match bare well", "for the file in this folder write command = \"./pico\" in its manifest"),
        ("match well well --rounds 5", "fastchess's `-rounds` is `--games 2N` here"),
        ("match -engine cmd=./pico", "fastchess's `-engine` is the engine, as a path"),
        ("match well well --draw movenumber=40,movecount=8,score=10", "`movenumber=` is `--draw move=40,"),
        ("status", "found no run below results/"),
        ("resume", "found no run below results/"),
        ("", "arbiter help"),
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let run = bench.run(&words).expect_code(2);
        assert!(run.stderr().contains(answer), "{line}:\n{}", run.stderr());
    }
}

#[test]
fn programs_of_one_name_play_and_the_newest_run_is_meant() {
    let bench = bench();
    let games = ["--games", "2", "--nodes", "1", "--openings", "book.epd"];
    let run = |engines: [&str; 2]| bench.run(&[&["match"], &engines[..], &games[..]].concat()).expect_code(0);
    let alike = run(["./new/pico", "./old/pico"]);
    assert!(alike.stdout().contains("new/pico vs old/pico"), "{}", alike.stdout());
    let named = run(["./new/pico:name=dev", "./old/pico:name=base"]);
    assert!(named.stdout().contains("dev vs base"), "{}", named.stdout());
    let status = bench.run(&["status"]).expect_code(0);
    assert!(status.stdout().contains("\n  dev "), "{}", status.stdout());
    bench.run(&["engines", "check", "./pico"]).expect_code(0);
}
