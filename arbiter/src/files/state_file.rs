//! The state of a series, from which the series is resumed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use runner::untrusted_files::read_text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::atomic_file::{forget_drafts, write_whole};
use super::new_file;

/// The state of a series of measurements or runs: one TOML file in the folder of the series, with a `schema`.
pub trait StateFile: Serialize + DeserializeOwned {
    const SCHEMA: u32;

    const FILE: &str;

    fn path(folder: &Path) -> PathBuf {
        folder.join(Self::FILE)
    }

    /// Checks that the folder that the user chose does not exist or is empty. Drafts of a state that a killed process
    /// left are removed first.
    fn check_out(folder: Option<&Path>) -> Result<()> {
        let Some(folder) = folder else { return Ok(()) };
        forget_drafts(&Self::path(folder));
        new_file::check_out(folder)
    }

    /// Writes the first state to the folder that the user chose, or to a new one below `results`. Returns the folder.
    fn create(&self, chosen: Option<&Path>, name: &str) -> Result<PathBuf> {
        let folder = chosen.map_or_else(|| new_file::below_results(name), Path::to_owned);
        new_file::create_folder(&folder).with_context(|| folder.display().to_string())?;
        self.write(&folder)?;
        Ok(folder)
    }

    /// Writes the state in one step: readers, even after a power cut, find either the old state or the new one.
    fn write(&self, folder: &Path) -> Result<()> {
        let path = Self::path(folder);
        let text = toml::to_string(self).with_context(|| path.display().to_string())?;
        write_whole(&path, text).with_context(|| path.display().to_string())
    }

    fn read(folder: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let path = Self::path(folder);
        let name = || path.display().to_string();
        let text = read_text(&path).with_context(name)?;
        let Version { schema: found } = toml::from_str(&text).with_context(name)?;
        if found != Self::SCHEMA {
            let expected = Self::SCHEMA;
            bail!(
                "{}: expected `schema` {expected}, found {found}; another version of arbiter wrote it",
                name()
            );
        }
        toml::from_str(&text).with_context(name)
    }
}
