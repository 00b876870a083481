//! Small files that say how far something came, written in one step.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::new_folder;
use super::whole_file::{forget_drafts, write_whole};
use runner::foreign_folder::read_text;

/// Checks that the folder that the user chose for a state can be made: it does not exist, or has nothing in it but
/// drafts of a state, left by a process that was killed, which are removed.
pub fn check_out(folder: Option<&Path>, state: &str) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    forget_drafts(&folder.join(state));
    new_folder::check_out(folder)
}

/// Writes a state, so that whoever reads the file, and a power cut, finds either the old state or the new one.
pub fn write(path: &Path, state: &impl Serialize) -> Result<()> {
    let text = toml::to_string(state).with_context(|| path.display().to_string())?;
    write_whole(path, text).with_context(|| path.display().to_string())
}

/// Reads a state whose `schema` is the one that is known.
pub fn read<T: DeserializeOwned>(path: &Path, schema: u32) -> Result<T> {
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    let text = read_text(path).with_context(|| path.display().to_string())?;
    let Version { schema: found } = toml::from_str(&text).with_context(|| path.display().to_string())?;
    if found != schema {
        bail!(
            "{}: expected `schema` {schema}, found {found}; another version of arbiter wrote it",
            path.display()
        );
    }
    toml::from_str(&text).with_context(|| path.display().to_string())
}
