//! The readers of files whose types are private to a feature, for `fuzz/` and the test that replays its corpora.

use std::path::Path;

use anyhow::Result;

use crate::compare::ci::{Baseline, CiFile, baseline_text};
use crate::run::RunFile;
use stats::SpsaParameter;

/// Reads the text of a `run.toml`, as far as that goes without its engines and its book.
pub fn read_run_file(text: &str) -> Result<()> {
    RunFile::parse(text).map(drop)
}

/// Reads the text of an `arbiter.toml`.
pub fn read_ci_file(text: &str) -> Result<()> {
    let file: CiFile = toml::from_str(text)?;
    if let Some(games) = &file.games {
        games.test()?;
    }
    Ok(())
}

/// Reads the text of a baseline and returns what would be written for it.
pub fn rewrite_baseline(text: &str) -> Result<String> {
    baseline_text(&toml::from_str::<Baseline>(text)?)
}

/// Reads a file of parameters to tune.
pub fn read_parameters(file: &Path) -> Result<Vec<SpsaParameter>> {
    crate::tune::read_parameters(file)
}
