//! The checksums of a journal: each line ends with the CRC-32 of the whole file up to that point.
//!
//! So a changed bit is noticed, and so is a line that was lost, repeated or moved. The checksum is the last field of the
//! object: `…,"crc":"5f3a01c2"}`.

use crc32fast::Hasher;

const FIELD: &[u8] = br#","crc":""#;
const DIGITS: usize = 8;
const END: &[u8] = b"\"}\n";

/// The checksum of all bytes so far, if `before` is the checksum of the bytes before these; 0 if there are none.
pub(super) fn of_more(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

/// Ends a JSON object with its checksum and a line break; `line` is where the object begins in the text. Returns the
/// checksum of all bytes up to the next line.
pub(super) fn close(before: u32, text: &mut Vec<u8>, line: usize) -> u32 {
    text.pop_if(|last| *last == b'}');
    let checksum = of_more(before, &text[line..]);
    let end = text.len();
    text.extend_from_slice(FIELD);
    text.extend_from_slice(format!("{checksum:08x}").as_bytes());
    text.extend_from_slice(END);
    of_more(checksum, &text[end..])
}

/// Whether the checksum of a line is right, if `before` is the checksum of the bytes before it; `None` if it has none.
pub(super) fn is_right(before: u32, line: &[u8]) -> Option<bool> {
    let (rest, digits) = line.strip_suffix(END)?.split_last_chunk::<DIGITS>()?;
    let content = rest.strip_suffix(FIELD)?;
    Some(*digits == *format!("{:08x}", of_more(before, content)).as_bytes())
}
