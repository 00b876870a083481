//! Perft and tactics suites: files the user names, or those that ship.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::shipped;

/// What some editors begin UTF-8 text with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads suites of a kind (`perft`, `speed` or `tactics`): the named ones, or all that ship when none is named. Each is
/// a file, or the file name of one that ships. Returns names and texts.
///
/// # Errors
/// One of them does not exist or cannot be read.
pub fn read(kind: &str, named: &[PathBuf]) -> Result<Vec<(String, String)>> {
    if named.is_empty() {
        let shipped = shipped::suite_names(kind).into_iter();
        return shipped.map(|name| read_one(kind, Path::new(&name))).collect();
    }
    named.iter().map(|path| read_one(kind, path)).collect()
}

fn read_one(kind: &str, path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    if path.is_file() {
        let bytes = fs::read(path).with_context(|| name.clone())?;
        let text = decode(bytes).map_err(|problem| anyhow!("{name}:{problem}"))?;
        return Ok((name, text));
    }
    match path.to_str().and_then(|file| shipped::suite(kind, file)) {
        Some(text) => Ok((name, text.to_owned())),
        None => bail!(
            "--suite {name}: expected a file, or a suite that ships: {}",
            shipped::suite_names(kind).join(", ")
        ),
    }
}

/// The text of a suite, without the mark that some editors put in front of UTF-8; or where it is something else.
fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).map(<[u8]>::to_vec).unwrap_or(bytes);
    String::from_utf8(bytes).map_err(|error| {
        let (bytes, good) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let line = memchr::memchr_iter(b'\n', &bytes[..good]).count() + 1;
        format!(
            "{line}: expected UTF-8, found the byte {:#04x}; is the file in another encoding?",
            bytes[good]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_another_encoding_is_told_with_its_line() {
        let latin_1 = b"# one\n# Stra\xdfe\n".to_vec();
        assert!(decode(latin_1).unwrap_err().starts_with("2: expected UTF-8, found the byte 0xdf"));
        let utf_16 = b"\xff\xfe#\0".to_vec();
        assert!(decode(utf_16).unwrap_err().starts_with("1: expected UTF-8, found the byte 0xff"));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(decode(b"\xef\xbb\xbf# one\n".to_vec()).unwrap(), "# one\n");
        assert_eq!(decode("# Straße\n".into()).unwrap(), "# Straße\n");
    }
}
