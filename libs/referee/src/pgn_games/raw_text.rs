//! Raw PGN text: where a game ends, and the values of tags.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::{memchr, memchr_iter, memrchr};

pub(super) const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

pub(super) struct Cut {
    pub(super) length: usize,
    pub(super) has_moves: bool,
    /// The number of lines before the first tag or move.
    pub(super) lines_before: usize,
}

impl Cut {
    /// Cuts the first game off a text; `None` if more text is needed to see where it ends.
    ///
    /// The next game begins with a tag after moves, with a tag that the game already has, or with `1.` in the line after
    /// a result.
    pub(super) fn of(text: &[u8], is_whole: bool) -> Option<Cut> {
        let (mut names, mut first_name) = (HashSet::new(), None);
        let mut has_moves = false;
        // Where tags continue after a blank line.
        let mut resumed = None;
        let (mut is_behind_blank, mut is_behind_result) = (false, false);
        let (mut lines_before, mut begin) = (0, 0);
        while begin < text.len() {
            let end = match memchr(b'\n', &text[begin..]) {
                Some(length) => begin + length + 1,
                None if is_whole => text.len(),
                None => return None,
            };
            let line = text[begin..end].trim_ascii();
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let is_before = names.is_empty() && !has_moves;
            if let Some(name) = tag_name(line, !has_moves && !names.is_empty()) {
                let is_known = !names.insert(name);
                let first = *first_name.get_or_insert(name);
                if is_behind_blank && resumed.is_none() && names.len() > 1 {
                    resumed = Some(begin);
                }
                if has_moves || is_known && (resumed.is_some() || first == name) {
                    let length = if has_moves { begin } else { resumed.unwrap_or(begin) };
                    return Some(Cut { length, has_moves, lines_before });
                }
                is_behind_blank = false;
            } else if line.is_empty() || line[0] == b'%' || line[0] == b';' {
                is_behind_blank |= line.is_empty();
                lines_before += usize::from(is_before);
            } else {
                if is_behind_result && line.starts_with(b"1.") {
                    return Some(Cut { length: begin, has_moves, lines_before });
                }
                has_moves = true;
                is_behind_result = RESULTS.iter().any(|result| line.ends_with(result));
            }
            begin = end;
        }
        is_whole.then_some(Cut { length: text.len(), has_moves, lines_before })
    }
}

/// The name of the tag that a line begins with. After another tag, the value may lack quotation marks.
pub(super) fn tag_name(line: &[u8], is_behind_tag: bool) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = inside.split_at(length);
    let is_tag = rest.trim_ascii_start().starts_with(b"\"") || is_behind_tag && rest.ends_with(b"]");
    (length > 0 && is_tag).then_some(name)
}

/// Where the value of a tag ends, in the text after its first quotation mark.
///
/// fastchess, cutechess-cli and c-chess-cli do not escape names, so a value may contain a bare quotation mark or end in a
/// backslash. The quotation mark that ends the value is before the bracket.
pub(super) fn value_end(line: &[u8]) -> Option<usize> {
    let ends = |mark: &usize| matches!(line[mark + 1..].trim_ascii_start().first(), None | Some(b']'));
    let is_escaped =
        |mark: usize| line[..mark].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    let mut ending = memchr_iter(b'"', line).filter(ends);
    let first = ending.next();
    let plain = first.into_iter().chain(ending).find(|mark| !is_escaped(*mark));
    plain.or(first).or_else(|| memrchr(b'"', line))
}

/// The text of a tag's value. If not all quotation marks and backslashes are escaped, it is taken as it is.
pub(super) fn text_of(value: &[u8]) -> Cow<'_, str> {
    if memchr(b'\\', value).is_none() {
        return str::from_utf8(value).map_or_else(|_| String::from_utf8_lossy(value), Cow::Borrowed);
    }
    let mut bytes = value.iter();
    let mut plain = Vec::with_capacity(value.len());
    while let Some(&byte) = bytes.next() {
        match (byte, bytes.clone().next()) {
            (b'\\', Some(&escaped @ (b'\\' | b'"'))) => {
                plain.push(escaped);
                bytes.next();
            }
            (b'\\' | b'"', _) => return String::from_utf8_lossy(value),
            _ => plain.push(byte),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&plain).into_owned())
}
