//! The file that is written in the end: whole or not at all, and never over one that exists.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};

/// A file that does not exist yet. What stands in for it has the ending `.partial`, and goes with this value unless the
/// file is finished.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
}

impl NewFile {
    /// Makes sure that the file can be written, before the work that it is for.
    ///
    /// # Errors
    /// There is a file of that name, or the folder does not take one.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        let name = path.display();
        ensure!(!path.exists(), "--out {name}: expected a new file, found one that exists");
        let mut partial = OsString::from(path);
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        File::create(&partial).map_err(|error| anyhow!("--out {name}: {error}"))?;
        Ok(NewFile { path: path.to_owned(), partial })
    }

    /// Writes the whole file.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn finish(self, text: &str) -> io::Result<()> {
        fs::write(&self.partial, text)?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It is gone when the file was finished.
        let _ = fs::remove_file(&self.partial);
    }
}
