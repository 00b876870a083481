//! Paths as a run records them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The path that `run.toml` records for a file that exists: relative where the file is below the current folder, so
/// that a run can be repeated in another clone, and absolute elsewhere.
///
/// # Errors
/// The file does not exist.
pub fn of(file: &Path) -> Result<PathBuf> {
    let whole = file.canonicalize().with_context(|| file.display().to_string())?;
    let here = env::current_dir()?.canonicalize()?;
    // With a folder in front, a program is not looked up on the search path.
    Ok(whole.strip_prefix(here).map_or_else(|_| whole.clone(), |below| Path::new(".").join(below)))
}
