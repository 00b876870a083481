//! A file of games that grows while they are played, with its checksum.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;

use anyhow::{Context, Result};
use flate2::Crc;

use super::tournament::FileOut;

/// A file that texts are added to, one by one, each written before the next thing happens.
#[derive(Debug)]
pub(super) struct GamesFile {
    /// The option that asks for it.
    option: &'static str,
    out: FileOut,
    file: File,
    /// The checksum of the whole file, where it is wanted.
    crc: Option<Crc>,
}

impl GamesFile {
    /// Opens the file that an option asks for. With a checksum, what it has already counts.
    ///
    /// # Errors
    /// The file cannot be written, or not be read for its checksum.
    pub(super) fn open(option: &'static str, out: &FileOut, with_crc: bool) -> Result<GamesFile> {
        let file = out.open(option)?;
        let mut crc = with_crc.then(Crc::new);
        if let Some(crc) = &mut crc {
            crc.update(&fs::read(&out.file).with_context(|| out.trouble(option))?);
        }
        Ok(GamesFile { option, out: out.clone(), file, crc })
    }

    /// Adds a text. Returns the line about the checksum, where it is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, text: &str) -> Result<Option<String>> {
        self.file.write_all(text.as_bytes()).with_context(|| self.out.trouble(self.option))?;
        Ok(self.crc.as_mut().map(|crc| {
            crc.update(text.as_bytes());
            format!("File {} has CRC32: {:#x}", self.out.file.display(), crc.sum())
        }))
    }
}

impl FileOut {
    /// Opens the file for what an option writes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(&self, option: &str) -> Result<File> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(self.append).truncate(!self.append);
        options.open(&self.file).with_context(|| self.trouble(option))
    }

    fn trouble(&self, option: &str) -> String {
        format!("{option}: expected a file that can be written, found {}", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_whole_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let out = FileOut { file: folder.path().join("a.pgn"), append: true };
        fs::write(&out.file, "1234").unwrap();
        let line = GamesFile::open("-pgnout", &out, true).unwrap().add("56789").unwrap().unwrap();
        // The check value of CRC-32.
        assert!(line.ends_with("a.pgn has CRC32: 0xcbf43926"), "{line}");
        assert_eq!(GamesFile::open("-pgnout", &out, false).unwrap().add("0").unwrap(), None);
        assert_eq!(fs::read_to_string(&out.file).unwrap(), "1234567890");
    }
}
