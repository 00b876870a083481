//! A file that is written whole or not at all, and never over one that exists.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};

/// A file that does not exist yet. What stands in for it has the ending `.partial`, and goes with this value unless the
/// file is finished.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    output: BufWriter<File>,
}

impl NewFile {
    /// Begins the file.
    ///
    /// # Errors
    /// There is a file of that name, or the folder does not take one.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        let name = path.display();
        ensure!(!path.exists(), "--out {name}: expected a new file, found one that exists");
        let mut partial = OsString::from(path);
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(|error| anyhow!("--out {name}: {error}"))?;
        Ok(NewFile { path: path.to_owned(), partial, output: BufWriter::new(file) })
    }

    /// What writes into the file.
    pub fn writer(&mut self) -> &mut impl Write {
        &mut self.output
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn finish(mut self) -> io::Result<()> {
        self.output.flush()?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It is gone when the file was finished.
        let _ = fs::remove_file(&self.partial);
    }
}
