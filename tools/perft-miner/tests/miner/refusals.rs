//! What the program refuses, and what it leaves alone then.

use std::fs;
use std::process::Command;

fn mine(folder: &tempfile::TempDir, file: &str) -> (Option<i32>, String) {
    let mut miner = Command::new(env!("CARGO_BIN_EXE_perft-miner"));
    let output = miner.args([file, "--games", "3"]).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_suite_that_cannot_be_mined_in_so_few_games_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let (code, message) = mine(&folder, "x.epd");
    assert_eq!(code, Some(2));
    assert!(message.contains("after 3 games") && message.contains("ep"), "{message}");
    assert!(!folder.path().join("x.epd").exists());
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.epd"), "precious").unwrap();
    let (code, message) = mine(&folder, "mine.epd");
    assert_eq!(code, Some(2));
    assert!(message.contains("mine.epd: expected a new file"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("mine.epd")).unwrap(), "precious");
}
