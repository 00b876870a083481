//! The file of the baseline: the measurements of a build, to compare the next build with.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};

use crate::files::write_whole;
use crate::measure::Baseline;

const HEADER: &str = "\
# Baseline of this engine, written by `arbiter ci --update-baseline`; `arbiter ci` compares the next build with it.
";

#[derive(Clone, Debug)]
pub struct BaselineFile {
    pub path: PathBuf,
    pub known: Option<Baseline>,
}

impl BaselineFile {
    pub fn read(path: PathBuf) -> Result<BaselineFile> {
        let known = match fs::read_to_string(&path) {
            Ok(text) => Some(toml::from_str(&text).with_context(|| path.display().to_string())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(BaselineFile { path, known })
    }

    pub fn default_path(engine: &str) -> PathBuf {
        Path::new("engines").join(engine).join("baseline.toml")
    }

    pub fn update(&self, measured: &Baseline) -> Result<()> {
        let updated = self.known.clone().unwrap_or_default().updated(measured);
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            write_whole(&self.path, text(&updated)?)?;
            anyhow::Ok(())
        };
        write().with_context(|| self.path.display().to_string())
    }
}

pub fn text(baseline: &Baseline) -> Result<String> {
    let text = toml::to_string_pretty(baseline)?;
    // Whole suites would hide the small tables.
    let (lists, mut parts): (Vec<_>, Vec<_>) =
        text.trim_end().split("\n\n").partition(|part| part.starts_with("[["));
    parts.extend(lists);
    Ok(format!("{HEADER}{}\n", parts.join("\n\n")))
}
