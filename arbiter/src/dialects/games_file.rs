//! A file of games that grows while they are played, with its checksum.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::Crc;

use super::tournament::FileOut;

/// A file that texts are added to, one by one, each written before the next thing happens.
#[derive(Debug)]
pub(super) struct GamesFile {
    path: PathBuf,
    file: File,
    /// The checksum of the whole file, where it is wanted.
    crc: Option<Crc>,
}

impl GamesFile {
    /// Opens the file. With a checksum, what it has already counts.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(out: &FileOut, with_crc: bool) -> io::Result<GamesFile> {
        let mut options = OpenOptions::new();
        options.create(true);
        if out.append {
            options.append(true)
        } else {
            options.write(true).truncate(true)
        };
        let file = options.open(&out.file)?;
        let crc = if with_crc { Some(crc_of(&out.file)?) } else { None };
        Ok(GamesFile { path: out.file.clone(), file, crc })
    }

    /// Adds a text. Returns the line about the checksum, where it is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, text: &str) -> io::Result<Option<String>> {
        self.file.write_all(text.as_bytes())?;
        Ok(self.crc.as_mut().map(|crc| {
            crc.update(text.as_bytes());
            format!("File {} has CRC32: {:#x}", self.path.display(), crc.sum())
        }))
    }
}

fn crc_of(file: &Path) -> io::Result<Crc> {
    let mut crc = Crc::new();
    crc.update(&std::fs::read(file)?);
    Ok(crc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_whole_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let out = FileOut { file: folder.path().join("a.pgn"), append: true };
        std::fs::write(&out.file, "1234").unwrap();
        let line = GamesFile::open(&out, true).unwrap().add("56789").unwrap().unwrap();
        // The check value of CRC-32.
        assert!(line.ends_with("a.pgn has CRC32: 0xcbf43926"), "{line}");
        assert_eq!(GamesFile::open(&out, false).unwrap().add("0").unwrap(), None);
        assert_eq!(std::fs::read_to_string(&out.file).unwrap(), "1234567890");
    }
}
