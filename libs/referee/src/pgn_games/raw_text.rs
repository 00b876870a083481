//! The text of PGN before it is read: where a game ends, and moves as pgn-reader knows them.

use memchr::memchr;

pub(super) const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

pub(super) struct Cut {
    pub(super) length: usize,
    /// The end of the tags.
    pub(super) moves_at: usize,
    pub(super) has_moves: bool,
    /// The lines before the first tag or move.
    pub(super) lines_before: usize,
}

impl Cut {
    /// The first game of a text; `None` where more text is needed to see where it ends.
    ///
    /// The next game begins with a tag behind moves, with a tag that was there already, or with `1.` on the line behind a
    /// result.
    pub(super) fn of(text: &[u8], is_whole: bool) -> Option<Cut> {
        let mut names: Vec<&[u8]> = Vec::new();
        let mut moves_at = None;
        // Where tags go on behind a blank line.
        let mut resumed = None;
        let (mut is_behind_blank, mut is_behind_result) = (false, false);
        let (mut lines_before, mut begin) = (0, 0);
        let cut = |length, moves_at: Option<usize>, lines_before| Cut {
            length,
            moves_at: moves_at.unwrap_or(length).min(length),
            has_moves: moves_at.is_some(),
            lines_before,
        };
        while begin < text.len() {
            let end = match memchr(b'\n', &text[begin..]) {
                Some(length) => begin + length + 1,
                None if is_whole => text.len(),
                None => return None,
            };
            let line = text[begin..end].trim_ascii();
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let is_before = names.is_empty() && moves_at.is_none();
            if let Some(name) = tag_name(line, moves_at.is_none() && !names.is_empty()) {
                let is_known = names.contains(&name);
                if is_behind_blank && resumed.is_none() && !names.is_empty() {
                    resumed = Some(begin);
                }
                if moves_at.is_some() || is_known && (resumed.is_some() || names.first() == Some(&name)) {
                    let length = if moves_at.is_some() { begin } else { resumed.unwrap_or(begin) };
                    return Some(cut(length, moves_at, lines_before));
                }
                names.push(name);
                is_behind_blank = false;
            } else if line.is_empty() || line[0] == b'%' || line[0] == b';' {
                is_behind_blank |= line.is_empty();
                lines_before += usize::from(is_before);
            } else {
                if is_behind_result && line.starts_with(b"1.") {
                    return Some(cut(begin, moves_at, lines_before));
                }
                moves_at.get_or_insert(begin);
                is_behind_result = RESULTS.iter().any(|result| line.ends_with(result));
            }
            begin = end;
        }
        is_whole.then(|| cut(text.len(), moves_at, lines_before))
    }
}

/// The name of the tag that a line begins with. Behind another tag it is one even without quotation marks.
pub(super) fn tag_name(line: &[u8], is_behind_tag: bool) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = inside.split_at(length);
    let is_tag = rest.trim_ascii_start().starts_with(b"\"") || is_behind_tag && rest.ends_with(b"]");
    (length > 0 && is_tag).then_some(name)
}

/// Appends the text of moves to `tidied`, with blanks in place of what annotators write behind a move, and promotions and
/// captures as pgn-reader knows them. Comments and line breaks stay.
pub(super) fn tidy(text: &[u8], tidied: &mut Vec<u8>) {
    let at = |index: usize| text.get(index).copied().unwrap_or(b' ');
    let is_file = |byte: u8| matches!(byte, b'a'..=b'h');
    let is_piece = |byte: u8| matches!(byte, b'N' | b'B' | b'R' | b'Q' | b'n' | b'b' | b'r' | b'q');
    let (mut copied, mut index) = (0, 0);
    while let Some(plain) = text[index..].iter().position(|byte| !IS_PLAIN[usize::from(*byte)]) {
        index += plain;
        let (byte, next) = (text[index], at(index + 1));
        let before = if index == 0 { b' ' } else { text[index - 1] };
        let is_behind_rank = matches!(before, b'1'..=b'8');
        let is_behind_pawn = index > 1 && matches!(before, b'1' | b'8') && is_file(text[index - 2]);
        let ends = !next.is_ascii_alphanumeric();
        let mut length = 1;
        let instead: Option<&[u8]> = match byte {
            b'{' | b';' => {
                let end = if byte == b'{' { b'}' } else { b'\n' };
                length = memchr(end, &text[index..]).unwrap_or(text.len() - index);
                None
            }
            b'N' | b'n' if is_behind_pawn && ends => Some(b"=N"),
            b'B' | b'b' if is_behind_pawn && ends => Some(b"=B"),
            b'R' | b'r' if is_behind_pawn && ends => Some(b"=R"),
            b'Q' | b'q' if is_behind_pawn && ends => Some(b"=Q"),
            b'/' if is_behind_pawn && is_piece(next) => Some(b"="),
            b'N' if is_behind_rank && ends => Some(b" "),
            b'a'..=b'z' | b'A'..=b'Z' if matches!(before, b'+' | b'#') => Some(b" "),
            b'P' if is_file(next) => Some(b" "),
            b'e' if is_behind_rank && matches!(next, b'.' | b'p') => Some(b" "),
            b'o' if next == b'-' || before == b'-' => Some(b"O"),
            b':' if is_file(next) && before.is_ascii_alphanumeric() => Some(b"x"),
            b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' | b'n' | b'r' | b'q' => None,
            b'a'..=b'z' | b'A'..=b'Z' if !is_behind_rank => None,
            b'/' if before == b'1' && next == b'2' => None,
            b'=' if is_piece(next) && is_behind_rank => None,
            b'+' | b'#' if before.is_ascii_alphanumeric() => None,
            b'-' if is_behind_rank && is_file(next) => Some(b""),
            b'-' if ![before, next].iter().any(|byte| matches!(byte, b'+' | b'=' | b'/')) => None,
            0xc2 if next == 0xbd => {
                length = 2;
                None
            }
            0xe2 if next == 0x80
                && matches!(at(index + 2), 0x93 | 0x94)
                && matches!(at(index + 3), b'0' | b'1' | b'O' | 0xc2) =>
            {
                length = 3;
                None
            }
            _ => Some(b" "),
        };
        if let Some(instead) = instead {
            tidied.extend_from_slice(&text[copied..index]);
            tidied.extend_from_slice(instead);
            copied = index + length;
        }
        index += length;
    }
    tidied.extend_from_slice(&text[copied..]);
}

/// The bytes that stand for themselves wherever they are: the most of a game.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let plain = b"0123456789acdfghx \t\r\n.}()!?$*%";
    let mut index = 0;
    while index < plain.len() {
        is_plain[plain[index] as usize] = true;
        index += 1;
    }
    is_plain
};
