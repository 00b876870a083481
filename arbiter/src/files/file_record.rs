//! The path and the SHA-256 that a run records of a file.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use runner::fingerprint;
pub use runner::fingerprint::sha256_of_bytes;

/// The path that `run.toml` records for an existing file: relative if the file is below the current folder, so that a run
/// can be repeated in another clone, and otherwise absolute.
pub fn path(file: &Path) -> Result<PathBuf> {
    let whole = file.canonicalize().with_context(|| file.display().to_string())?;
    let here = env::current_dir()?.canonicalize()?;
    // With a leading `./`, a program is not looked up on the search path.
    Ok(whole.strip_prefix(here).map_or_else(|_| whole.clone(), |below| Path::new(".").join(below)))
}

/// The path that `run.toml` records for a program and starts it by: the path as given. Links are not followed, since a
/// program may depend on its name or its folder, as Python does in a virtual environment.
pub fn program_path(program: &Path) -> PathBuf {
    let is_bare = program.components().count() == 1;
    if is_bare { Path::new(".").join(program) } else { program.to_owned() }
}

pub fn sha256(path: &Path) -> Result<String> {
    fingerprint::sha256(path).with_context(|| path.display().to_string())
}
