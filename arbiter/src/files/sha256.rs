//! Fingerprints of engines, books and suites.

use std::fmt::Write;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The SHA-256 of a file in hexadecimal.
pub fn of_file(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut file = BufReader::new(File::open(path).with_context(|| path.display().to_string())?);
    loop {
        let block = file.fill_buf().with_context(|| path.display().to_string())?;
        if block.is_empty() {
            return Ok(hexadecimal(&hasher.finalize()));
        }
        hasher.update(block);
        let read = block.len();
        file.consume(read);
    }
}

/// The SHA-256 of some bytes in hexadecimal.
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_of_abc_is_the_published_one() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_bytes(b"abc"), expected);
    }
}
