//! The bytes of a suite as text: UTF-8, of which ASCII is a part, and nothing else.

use anyhow::{Result, bail};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the bytes of a suite, without the mark that some editors put in front of UTF-8; `name` is for messages.
///
/// # Errors
/// They are no UTF-8: which line and column, and what encoding it seems to be.
pub fn decode(name: &str, mut bytes: Vec<u8>) -> Result<String> {
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
    if let Some(at) = text.find('\0') {
        let place = place(&text[..at]);
        bail!("{name}:{place}: expected UTF-8 text, found a zero byte, as in UTF-16; save it as UTF-8");
    }
    Ok(text)
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
        assert_eq!(decode("x", "Réti\n".into()).unwrap(), "Réti\n");
        assert_eq!(decode("x", "\u{feff}a".into()).unwrap(), "a");
        assert_eq!(decode("x", Vec::new()).unwrap(), "");
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
