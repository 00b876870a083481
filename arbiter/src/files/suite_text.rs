//! The bytes of a suite as text: UTF-8, of which ASCII is a part, and nothing else.

use anyhow::{Result, bail};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a suite, and what was left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteText {
    /// The text.
    pub text: String,
    /// How many lines ended with zero bytes, as some programs write them. They are left out.
    pub lines_with_zeros: usize,
}

/// Reads the bytes of a suite, without the mark that some editors put in front of UTF-8; `name` is for messages.
///
/// # Errors
/// They are no UTF-8: which line and column, and what encoding it seems to be.
pub fn decode(name: &str, mut bytes: Vec<u8>) -> Result<SuiteText> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    if let [first @ (0xff | 0xfe), second @ (0xff | 0xfe), ..] = bytes[..]
        && first != second
    {
        bail!(
            "{name}:1: expected UTF-8 text, found UTF-16 (byte order mark {first:02X} {second:02X}); save it as UTF-8"
        );
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
            let (place, byte) = (place(&String::from_utf8_lossy(&bytes[..at])), bytes[at]);
            bail!(
                "{name}:{place}: expected UTF-8 text, found the byte {byte:02X}, as in Latin-1; save it as UTF-8"
            );
        }
    };
    let (text, lines_with_zeros) = without_zeros_at_line_ends(text);
    if let Some(at) = text.find('\0') {
        let place = place(&text[..at]);
        // Text of two bytes a letter has a zero in nearly every letter.
        let kind =
            if 3 * text.matches('\0').count() > text.len() { ", as in UTF-16; save it as UTF-8" } else { "" };
        bail!("{name}:{place}: expected UTF-8 text, found a zero byte{kind}");
    }
    Ok(SuiteText { text, lines_with_zeros })
}

/// The text without zero bytes at the ends of its lines, and how many lines had some.
fn without_zeros_at_line_ends(text: String) -> (String, usize) {
    if !text.contains('\0') {
        return (text, 0);
    }
    let mut count = 0;
    let lines = text.split('\n').map(|line| {
        let trimmed = line.trim_end_matches(['\0', '\r', ' ', '\t']);
        let has_letters = !trimmed.contains('\0');
        if has_letters && line[trimmed.len()..].contains('\0') {
            count += 1;
            trimmed
        } else {
            line
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    (text, count)
}

/// Where the text behind this one stands: `LINE: column COLUMN`, counted from 1.
fn place(before: &str) -> String {
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{line}: column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        decode("x.epd", bytes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn utf_8_is_read_with_and_without_a_mark() {
        let text = |bytes: &str| decode("x", bytes.into()).unwrap().text;
        assert_eq!(text("Réti\n"), "Réti\n");
        assert_eq!(text("\u{feff}a"), "a");
        assert_eq!(text(""), "");
    }

    #[test]
    fn zero_bytes_at_line_ends_are_left_out_and_counted() {
        let read = decode("x", b"one\0\r\ntwo\nthree \0\0\n\0\n".to_vec()).unwrap();
        assert_eq!(read, SuiteText { text: "one\ntwo\nthree\n\n".to_owned(), lines_with_zeros: 3 });
        let text = message(b"# one\ntw\0o\n");
        assert_eq!(text, "x.epd:2: column 3: expected UTF-8 text, found a zero byte");
    }

    #[test]
    fn another_encoding_is_named_with_its_line_and_column() {
        let wide: Vec<u8> = "# a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [&[0xff, 0xfe][..], &wide].concat();
        assert!(
            message(&marked)
                .starts_with("x.epd:1: expected UTF-8 text, found UTF-16 (byte order mark FF FE)")
        );
        assert!(message(&[0xfe, 0xff, 0, b'#']).contains("byte order mark FE FF"));
        assert!(message(&wide).starts_with("x.epd:1: column 2: expected UTF-8 text, found a zero byte"));
        let text = message(b"# a\n# \xc3\xa9 R\xe9ti\n");
        assert!(text.starts_with("x.epd:2: column 6: expected UTF-8 text, found the byte E9"), "{text}");
    }
}
