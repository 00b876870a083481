//! Feeds the corpora of `fuzz/` to the functions that the fuzz targets call. They hold all that a fuzzer has found.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use targets::{TARGETS, Target};

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz");

#[test]
fn no_file_of_a_corpus_breaks_its_target() {
    let broken: Vec<String> = TARGETS.iter().flat_map(|(name, target)| replay(name, *target)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn no_beginning_of_a_file_breaks_its_target() {
    // The others start threads or processes, or wait.
    let is_quick =
        |name: &str| !["engine_session", "http", "uci_session", "journal", "network"].contains(&name);
    for (name, target) in TARGETS.iter().filter(|(name, _)| is_quick(name)) {
        for file in corpus(name) {
            let bytes = fs::read(&file).unwrap();
            let step = bytes.len() / 50 + 1;
            for length in (0..bytes.len()).step_by(step) {
                target(&bytes[..length]);
            }
        }
    }
}

#[test]
fn every_target_has_a_corpus_and_nothing_else_is_there() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let corpora = fs::read_dir(Path::new(FUZZ).join("corpus")).unwrap();
    let listed: BTreeSet<String> =
        corpora.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(listed, names);
    for name in &names {
        assert!(!corpus(name).is_empty(), "{name}");
    }
}

/// The files for which the target fails.
fn replay(name: &str, target: Target) -> Vec<String> {
    let breaks = |file: &PathBuf| {
        let bytes = fs::read(file).unwrap();
        catch_unwind(|| target(&bytes)).is_err()
    };
    corpus(name).into_iter().filter(breaks).map(|file| file.display().to_string()).collect()
}

fn corpus(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(FUZZ).join("corpus").join(name);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_unstable();
    files
}
