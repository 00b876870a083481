//! Finding an engine on Windows.

#![cfg(windows)]

use crate::workbench::{TARRASCH, Workbench};

/// The options of a very short match.
const SHORT: [&str; 8] = ["--openings", "book.epd", "--nodes", "20", "--games", "2", "--maxmoves", "4"];

#[test]
fn an_engine_is_found_by_either_slash_with_and_without_its_ending() {
    let bench = Workbench::new();
    for file in ["engine", "bin/eng-1.2", "my engines/the engine", "caf\u{e9} \u{265e}/engine"] {
        bench.place_engine(file);
    }
    let whole = bench.path("my engines").join("the engine.exe").display().to_string();
    assert_eq!(whole.find(':'), Some(1), "it has a drive");
    let path = bench.path("bin").display().to_string();
    for (count, (engine, name)) in [
        ("./engine", "engine"),
        (r".\engine.exe", "engine"),
        (r".\ENGINE.EXE", "ENGINE"),
        (r"my engines\the engine", "the engine"),
        (whole.strip_suffix(".exe").unwrap(), "the engine"),
        (&whole, "the engine"),
        (&whole.replace('\\', "/"), "the engine"),
        ("caf\u{e9} \u{265e}/engine", "engine"),
        ("eng-1.2", "eng-1.2"),
        ("eng-1.2.exe", "eng-1.2.exe"),
    ]
    .into_iter()
    .enumerate()
    {
        let (first, out) = (format!("{engine}:Hash=2"), format!("run{count}"));
        let args = [&["match", &first, TARRASCH, "--out", &out], &SHORT[..]].concat();
        let output = bench.command(&args).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
        let config = bench.read(&format!("{out}/run.toml"));
        assert!(config.contains(&format!("name = \"{name}\"")), "{engine}: {config}");
        assert!(config.contains("options = [\"Hash=2\"]"), "{engine}: {config}");
    }
    // The same through the command line of fastchess.
    for cmd in ["engine", r"my engines\the engine", "eng-1.2", &whole] {
        let cmd = format!("cmd={cmd}");
        let opponent = ["-engine", "cmd=./engine.exe", "name=b", "-each", "proto=uci", "nodes=20", "tc=10"];
        let book = ["-openings", "file=book.epd", "format=epd", "-rounds", "1", "-maxmoves", "4"];
        let args = [&["fastchess", "-engine", "name=a", &cmd], &opponent[..], &book].concat();
        let output = bench.command(&args).env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains("Finished game 2 "),
            "{cmd}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
