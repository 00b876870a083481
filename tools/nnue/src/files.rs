//! Files that are either whole or not there.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};

/// Writes a file, which replaces the one before.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let partial = path.with_added_extension("partial");
    fs::write(&partial, contents)
        .and_then(|()| fs::rename(&partial, path))
        .with_context(|| path.display().to_string())
}

/// A file that never replaces another. Until it is finished its name ends in `.partial`; dropping the value removes it.
/// (The program `arbiter`, which no tool of the engine depends on, has its own.)
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    pub output: BufWriter<File>,
}

impl NewFile {
    /// Creates the partial file. It is an error if the file exists.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        let name = path.display();
        ensure!(!path.exists(), "--out {name}: expected a new file, found one that exists");
        let partial = path.with_added_extension("partial");
        let file = File::create(&partial).map_err(|error| anyhow!("--out {name}: {error}"))?;
        Ok(NewFile { path: path.to_owned(), partial, output: BufWriter::new(file) })
    }

    pub fn finish(mut self) -> Result<()> {
        let finished = self.output.flush().and_then(|()| fs::rename(&self.partial, &self.path));
        finished.with_context(|| self.path.display().to_string())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // A finished file has no partial one.
        let _ = fs::remove_file(&self.partial);
    }
}
