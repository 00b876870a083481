//! Where cargo puts the mock engine.

use std::path::{Path, PathBuf};

/// The program that cargo builds with the tests, found beside the test that asks.
pub fn mock_engine() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let program =
        profile.join("examples").join("mock_engine").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: `cargo test` builds it", program.display());
    program
}
