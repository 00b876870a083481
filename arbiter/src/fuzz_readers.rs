//! The readers of files whose types are private to a feature, for `fuzz/` and the test that replays its corpora.

use std::path::Path;

use anyhow::Result;

use crate::compare::ci::baseline_text;
use crate::files::StateFile;
use crate::measure::{Baseline, CiFile};
use crate::run::ladder::LadderRun;
use crate::run::{RunFile, remote};
use stats::SpsaParameter;

/// Parses the text of a `run.toml` without looking for its engines or its book.
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

/// Reads the text of a baseline and returns it as it would be written.
pub fn rewrite_baseline(text: &str) -> Result<String> {
    baseline_text(&toml::from_str::<Baseline>(text)?)
}

/// Reads the `ladder.toml` of a folder and returns its summary.
pub fn read_ladder(folder: &Path) -> Result<String> {
    let _ = LadderRun::of_folder(folder);
    Ok(LadderRun::read(folder)?.document().terminal(false))
}

pub fn read_machines(folder: &Path) -> Result<()> {
    remote::check_plan(folder)
}

pub fn read_parameters(file: &Path) -> Result<Vec<SpsaParameter>> {
    crate::tune::read_parameters(file).map(|spec| spec.parameters)
}
