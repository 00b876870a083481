//! The file of a baseline.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::baseline::Baseline;

/// The first lines of the file, for readers of a diff.
const HEADER: &str = "\
# Baseline of this engine, written by `arbiter ci --update-baseline`; `arbiter ci` compares the next build with it.
";

/// A baseline and its file, which may not exist yet.
#[derive(Clone, Debug)]
pub struct BaselineFile {
    /// The file.
    pub path: PathBuf,
    /// The baseline; `None` if the file does not exist.
    pub known: Option<Baseline>,
}

impl BaselineFile {
    /// Reads the file, if it exists.
    ///
    /// # Errors
    /// It cannot be read, or it is invalid: line, column and what was expected.
    pub fn read(path: PathBuf) -> Result<BaselineFile> {
        let known = match fs::read_to_string(&path) {
            Ok(text) => Some(toml::from_str(&text).with_context(|| path.display().to_string())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(BaselineFile { path, known })
    }

    /// The default path for an engine.
    pub fn default_path(engine: &str) -> PathBuf {
        Path::new("engines").join(engine).join("baseline.toml")
    }

    /// Updates the file with new measurements. Returns the new baseline.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn update(&self, measured: &Baseline) -> Result<Baseline> {
        let updated = self.known.as_ref().map_or_else(|| measured.clone(), |known| known.updated(measured));
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&self.path, text(&updated)?)?;
            anyhow::Ok(())
        };
        write().with_context(|| self.path.display().to_string())?;
        Ok(updated)
    }
}

/// The text of the file.
///
/// # Errors
/// A number is too large for TOML.
pub fn text(baseline: &Baseline) -> Result<String> {
    Ok(format!("{HEADER}{}", toml::to_string_pretty(baseline)?))
}
