//! A file that is written completely or not at all, and never replaces another.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};

/// A new file. Until it is finished its name ends in `.partial`; dropping the value removes it.
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
    /// The file exists, or the folder is not writable.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        let name = path.display();
        ensure!(!path.exists(), "--out {name}: expected a new file, found one that exists");
        let mut partial = OsString::from(path);
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(|error| anyhow!("--out {name}: {error}"))?;
        Ok(NewFile { path: path.to_owned(), partial, output: BufWriter::new(file) })
    }

    /// The writer.
    pub fn writer(&mut self) -> &mut impl Write {
        &mut self.output
    }

    /// Finishes the file and gives it its name.
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
