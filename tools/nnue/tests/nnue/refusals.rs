//! What is refused, and how it is said.

use std::fs;
use std::path::Path;
use std::process::Command;

use nnue::datagen::{DataFile, EngineStamp, Header, Settings};

fn nnue(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_nnue"));
    let output = program.args(arguments).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn header(settings: Settings, bench: u64) -> Header {
    let engine = EngineStamp { name: "Tarrasch".to_owned(), version: "0".to_owned(), bench };
    Header::new(engine, settings)
}

#[test]
fn a_file_that_is_none_of_games_is_one_line_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("text", "Not a game of chess, but a few words that go on and on.");
    write("short", "no");
    for (file, expected) in [
        ("text", "error: text: byte 0: expected a game in viriformat, found "),
        ("short", "error: short: expected games in viriformat, found 2 bytes that are none"),
        ("missing", "error: missing: "),
    ] {
        let export = ["export", file, "--to", "text", "--out", "out"];
        for arguments in [&["info", file][..], &export] {
            let (code, message) = nnue(folder.path(), arguments);
            assert_eq!(code, Some(2), "{message}");
            assert!(message.starts_with(expected) && message.lines().count() == 1, "{message}");
            assert!(message.matches("os error").count() < 2, "{message}");
        }
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn an_export_does_not_replace_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine"), "precious").unwrap();
    let (code, message) = nnue(folder.path(), &["export", "x.vf", "--to", "text", "--out", "mine"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("--out mine: expected a new file"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("mine")).unwrap(), "precious");
}

#[test]
fn an_input_that_is_not_there_is_one_line_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/singular-extensions");
    for (arguments, expected) in [
        (&["import", ".", "--out", "x.vf"][..], "error: .: "),
        (&["train", "x.vf", "--from", "no.checkpoint", "--out", "x.nnue"], "error: --from no.checkpoint: "),
        (
            &["import", run, "--players", "toga", "--out", "x.vf"],
            "expected games of players whose names begin with \"toga\", found none",
        ),
    ] {
        let (code, message) = nnue(folder.path(), arguments);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
        assert!(message.matches("os error").count() < 2, "{message}");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    }
}

#[test]
fn a_file_goes_on_only_as_it_was_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vf");
    let message = |header: &Header| format!("{:#}", DataFile::open(&path, header).unwrap_err());
    let usual = header(Settings::DEFAULT, 7);
    let file = DataFile::open(&path, &usual).unwrap();
    assert!(message(&usual).ends_with("x.vf: another process is writing to it"));
    drop(file);

    let other = message(&header(Settings { nodes: 5000, ..Settings::DEFAULT }, 7));
    assert!(other.ends_with("settings.nodes: the file was made with 1500, and now it is 5000"), "{other}");
    let other = message(&header(Settings::DEFAULT, 8));
    assert!(other.ends_with("engine.bench: the file was made with 7, and now it is 8"), "{other}");

    fs::write(&path, "Not a game of chess, but a few words that go on and on.").unwrap();
    assert!(message(&usual).contains("x.vf: byte 0: expected a game in viriformat"));
    fs::remove_file(Header::path(&path)).unwrap();
    assert!(message(&usual).contains("x.vf.toml beside it"));
    assert!(fs::read_to_string(&path).unwrap().starts_with("Not a game"));
}
