//! Text that is safe to show: a terminal or a Markdown reader obeys nothing in it.
//!
//! Names of engines, players and folders, and the engines' output, come from others. In a terminal, their control
//! characters could move the cursor, clear the screen or change its title, and bidirectional marks would reverse the rest
//! of a line. Only colours pass, whether ours or not, as they do no harm.

use std::borrow::Cow;
use std::io::{self, Write};

/// Replaces each character that a terminal would obey by U+FFFD, except line breaks, tabs and colours (SGR of ECMA-48:
/// `ESC [ 1 ; 31 m`).
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if !is_obeyed(letter) {
            shown.push(letter);
        } else if let Some(colour) = colour(letter, letters.as_str()) {
            shown.extend([letter].into_iter().chain(colour.chars()));
            letters = letters.as_str()[colour.len()..].chars();
        } else {
            shown.push(char::REPLACEMENT_CHARACTER);
        }
    }
    Cow::Owned(shown)
}

/// Whether a character does more than show itself in a terminal or page. Bidirectional marks are those of UAX #9.
pub fn is_obeyed(letter: char) -> bool {
    let is_direction = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() && !matches!(letter, '\n' | '\t') || is_direction
}

/// The rest of an escape sequence that sets colours; `None` for other sequences.
fn colour(escape: char, rest: &str) -> Option<&str> {
    let parameters = rest.strip_prefix('[').filter(|_| escape == '\u{1b}')?;
    let length = parameters.find(|letter: char| !is_parameter(letter))?;
    parameters[length..].starts_with('m').then(|| &rest[..length + 2])
}

fn is_parameter(letter: char) -> bool {
    letter.is_ascii_digit() || letter == ';'
}

/// Escapes Markdown, HTML, GitHub's mentions and issue numbers, and the end of a table cell.
pub fn markdown_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '@' => escaped.push_str("&#64;"),
            '#' => escaped.push_str("&#35;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Makes text [`printable`] if it goes to a terminal; files and pipes get all bytes unchanged.
#[derive(Debug)]
pub struct Printable<W: Write> {
    inner: W,
    is_terminal: bool,
    /// The start of a colour sequence or a character whose end has not arrived.
    begun: Vec<u8>,
}

impl<W: Write> Printable<W> {
    pub const fn new(inner: W, is_terminal: bool) -> Printable<W> {
        Printable { inner, is_terminal, begun: Vec::new() }
    }
}

/// How many bytes can be shown before more arrive.
fn complete(bytes: &[u8]) -> usize {
    let escape = bytes.iter().rposition(|&byte| byte == 0x1b).filter(|&escape| {
        let mut rest = bytes[escape + 1..].iter();
        rest.next().is_none_or(|&byte| byte == b'[') && rest.all(|&byte| is_parameter(byte.into()))
    });
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => escape.unwrap_or(bytes.len()),
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.inner.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        let rest = self.begun.split_off(complete(&self.begun));
        let whole = std::mem::replace(&mut self.begun, rest);
        self.inner.write_all(printable(&String::from_utf8_lossy(&whole)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.inner.write_all(printable(&String::from_utf8_lossy(&begun)).as_bytes())?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Printable<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EVIL: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}a\rb\u{9b}1m\u{202e}c\u{1b}";

    fn written(pieces: &[&[u8]], is_terminal: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let mut printable = Printable::new(&mut out, is_terminal);
        for piece in pieces {
            printable.write_all(piece).unwrap();
        }
        drop(printable);
        out
    }

    #[test]
    fn a_terminal_gets_colours_and_nothing_else_and_files_what_was_written() {
        assert_eq!(printable(EVIL), "�[2J�]0;owned�a�b�1m�c�");
        for kept in ["ü\t1\n", "\u{1b}[1;31mred\u{1b}[0m", "\u{1b}[m"] {
            assert_eq!(printable(kept), kept);
        }
        assert_eq!(printable("\u{1b}[1;\u{1b}[1m"), "�[1;\u{1b}[1m");
        assert_eq!(written(&[EVIL.as_bytes(), b"\xff"], false), [EVIL.as_bytes(), b"\xff"].concat());
    }

    proptest! {
        #[test]
        fn what_is_shown_does_not_depend_on_the_pieces(
            text in "[\u{1b}\\[;1m\u{7}aü\u{202e}\n]{0,20}",
            cuts in prop::collection::vec(0usize..40, 0..5),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let ends = cuts.iter().copied().chain([text.len()]);
            let starts = [0].into_iter().chain(cuts.iter().copied());
            let pieces: Vec<&[u8]> = starts.zip(ends).map(|(from, to)| &text.as_bytes()[from..to]).collect();
            let found = String::from_utf8(written(&pieces, true)).unwrap();
            prop_assert_eq!(found, printable(&text));
        }
    }
}
