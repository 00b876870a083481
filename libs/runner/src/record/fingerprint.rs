//! SHA-256 checksums of files, in hexadecimal.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The file extensions of Syzygy tablebases.
const TABLES: [&str; 2] = ["rtbw", "rtbz"];

/// The SHA-256 of a file.
///
/// # Errors
/// The file cannot be read.
pub fn sha256(path: &Path) -> io::Result<String> {
    sha256_of(File::open(path)?)
}

/// The SHA-256 of the rest of a stream.
pub(crate) fn sha256_of(source: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut source = BufReader::new(source);
    loop {
        let block = source.fill_buf()?;
        if block.is_empty() {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(block);
        let read = block.len();
        source.consume(read);
    }
}

/// The SHA-256 of some bytes.
pub fn sha256_of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of a file, or of the names and lengths of the tablebases in a folder.
///
/// # Errors
/// The file cannot be read, or it is a folder without tablebases.
pub fn sha256_of_file_or_tables(path: &Path) -> io::Result<String> {
    if !path.is_dir() {
        return sha256(path);
    }
    let mut tables = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if Path::new(&name).extension().is_some_and(|ending| TABLES.iter().any(|table| ending == *table)) {
            tables.push(format!("{} {}\n", name.display(), entry.metadata()?.len()));
        }
    }
    if tables.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no tablebases"));
    }
    tables.sort_unstable();
    Ok(sha256_of_bytes(tables.concat().as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
