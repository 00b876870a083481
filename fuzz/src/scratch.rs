//! Files for parsers that read no memory.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

/// A file of this name with these bytes, in a folder that goes with the first value.
pub fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name);
    fs::write(&file, bytes).expect("a file in it");
    (folder, file)
}
