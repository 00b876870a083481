//! A move in UCI notation.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// A move in long algebraic notation: origin, destination and promotion piece, as in `e2e4` or `e7e8q`, or a drop, as in
/// `P@e4`.
///
/// Only the form is checked, not the rules: `a1h7` is a valid `UciMove`. The null move `0000` is not; where the
/// protocol allows it, the type is `Option<UciMove>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UciMove {
    bytes: [u8; 5],
    len: u8,
}

impl UciMove {
    /// The text of the move, 4 or 5 ASCII bytes.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl AsRef<str> for UciMove {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl FromStr for UciMove {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UciMove, ParseError> {
        let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
        let source = text.as_bytes();
        let has_form = match source.len() {
            4 => true,
            5 => matches!(source[4].to_ascii_lowercase(), b'n' | b'b' | b'r' | b'q' | b'k'),
            _ => false,
        };
        let is_drop = || matches!(source, [b'P' | b'N' | b'B' | b'R' | b'Q', b'@', _, _]);
        if !has_form || !(is_square(&source[0..2]) || is_drop()) || !is_square(&source[2..4]) {
            return Err(ParseError::invalid("move", "a move such as e2e4 or e7e8q", text));
        }
        let mut bytes = [0; 5];
        bytes[..source.len()].copy_from_slice(source);
        bytes[4] = bytes[4].to_ascii_lowercase();
        Ok(UciMove { bytes, len: source.len() as u8 })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_prints_as_it_was_read_with_a_promotion_in_either_case() {
        for text in ["e2e4", "a7a8q", "h2h1n", "e1g1", "P@e4", "Q@h8"] {
            assert_eq!(text.parse::<UciMove>().unwrap().as_str(), text);
        }
        assert_eq!("e7e8Q".parse::<UciMove>(), "e7e8q".parse());
    }

    #[test]
    fn what_is_not_two_squares_is_no_move() {
        for text in ["", "0000", "(none)", "e2", "e2e9", "i2e4", "Nf3", "e7e8p", "e2e4qq", "é2e4"] {
            assert!(text.parse::<UciMove>().is_err(), "{text}");
        }
    }
}
