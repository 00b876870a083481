//! The file in which a baseline is kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::baseline::Baseline;

/// What the file begins with, for whoever finds it in a diff.
const HEADER: &str = "\
# What this engine does, written by `arbiter ci --update-baseline`; `arbiter ci` holds the next build against it.
";

/// A baseline and its file, which need not be there yet.
#[derive(Clone, Debug)]
pub struct KeptBaseline {
    /// The file.
    pub path: PathBuf,
    /// What it holds; `None` when there is no file.
    pub known: Option<Baseline>,
}

impl KeptBaseline {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or is no baseline: line, column and what was expected.
    pub fn read(path: PathBuf) -> Result<KeptBaseline> {
        let known = match fs::read_to_string(&path) {
            Ok(text) => Some(toml::from_str(&text).with_context(|| path.display().to_string())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(KeptBaseline { path, known })
    }

    /// The usual place for an engine.
    pub fn usual_path(engine: &str) -> PathBuf {
        Path::new("results").join("baseline").join(engine).with_added_extension("toml")
    }

    /// Puts another baseline in the place of the one that is kept. Returns it as it is now.
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

/// The text of a baseline as it is kept.
///
/// # Errors
/// A number is too large for TOML.
pub fn text(baseline: &Baseline) -> Result<String> {
    Ok(format!("{HEADER}{}", toml::to_string_pretty(baseline)?))
}
