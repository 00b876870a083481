//! Where cargo puts the engines that are there for the tests alone.

use std::path::{Path, PathBuf};

/// The mock engine.
pub fn mock_engine() -> PathBuf {
    example("mock_engine")
}

/// A program that cargo builds with the tests, found beside the test that asks.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let program = profile.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: `cargo test` builds it", program.display());
    program
}
