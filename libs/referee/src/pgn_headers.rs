//! Players and results of PGN collections of any size.
//!
//! Moves are not parsed: the text between the tags of two games is skipped from brace to brace and from bracket to
//! bracket. So a million games take a fraction of a second.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr3, memrchr};
use thiserror::Error;

use super::GameResult;

/// What the tags of one game say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnHeader<'a> {
    /// The player with the white pieces; `None` without the tag, and for `?`.
    pub white: Option<Cow<'a, str>>,
    /// The player with the black pieces.
    pub black: Option<Cow<'a, str>>,
    /// The score; `None` for `*` and anything else. It is that of the tag; without a tag, the one after the moves.
    pub result: Option<GameResult>,
    /// The round, or the round and the game in it, as it is written; `None` without the tag, and for `?` and `-`.
    pub round: Option<&'a [u8]>,
    /// Where the game started, as FEN and as it is written; `None` without the tag.
    pub fen: Option<&'a [u8]>,
}

/// A text that is cut off or no PGN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected {expected}")]
pub struct PgnHeadersError {
    /// The line, counted from 1.
    pub line: usize,
    /// What should stand there.
    pub expected: &'static str,
}

/// Reads the games of a text, one after the other. After an error nothing more is read.
#[derive(Clone, Debug)]
pub struct PgnHeaders<'a> {
    text: &'a [u8],
    /// Where the next character is.
    at: usize,
    /// Whether the text may have lines that begin with a percent sign, which PGN ignores.
    has_escapes: bool,
}

/// The tags that matter, as far as they were read.
#[derive(Debug, Default)]
struct Tags<'a> {
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    result: Option<&'a [u8]>,
    round: Option<&'a [u8]>,
    fen: Option<&'a [u8]>,
    are_any: bool,
}

impl<'a> PgnHeaders<'a> {
    /// The games of a text. Old collections spell names in other encodings than UTF-8; what is none is replaced.
    pub fn new(text: &'a [u8]) -> PgnHeaders<'a> {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let has_escapes = text.starts_with(b"%") || memchr::memmem::find(text, b"\n%").is_some();
        PgnHeaders { text, at, has_escapes }
    }

    fn fault<T>(&self, at: usize, expected: &'static str) -> Result<T, PgnHeadersError> {
        let before = &self.text[..at.min(self.text.len())];
        Err(PgnHeadersError { line: 1 + memchr_iter(b'\n', before).count(), expected })
    }

    /// Skips blanks, and returns whether they had a blank line.
    fn skip_blanks(&mut self) -> bool {
        let mut line_breaks = 0;
        while let Some(byte) = self.text.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            line_breaks += u32::from(*byte == b'\n');
            self.at += 1;
        }
        line_breaks > 1
    }

    fn skip_line(&mut self) {
        self.at = memchr(b'\n', &self.text[self.at..]).map_or(self.text.len(), |end| self.at + end);
    }

    fn game(&mut self) -> Result<PgnHeader<'a>, PgnHeadersError> {
        let start = self.at;
        let tags = self.tags()?;
        let is_cut = self.at == self.text.len() && tags.result.is_none();
        if is_cut {
            return self.fault(start, "a game with its result, found the end of the file");
        }
        let has_moves = self.text.get(self.at).is_some_and(|&byte| byte != b'[');
        let ending = if has_moves { self.skip_moves()? } else { None };
        if has_moves && ending.is_none() && self.at == self.text.len() {
            return self.fault(self.at, "1-0, 0-1, 1/2-1/2 or * behind the moves, found the end of the file");
        }
        let result = tags.result.or(ending);
        let name = |name: &Cow<'_, str>| !name.is_empty() && name != "?";
        Ok(PgnHeader {
            white: tags.white.filter(name),
            black: tags.black.filter(name),
            result: result.and_then(GameResult::from_pgn),
            round: tags.round.filter(|round| !matches!(*round, b"" | b"?" | b"-")),
            fen: tags.fen,
        })
    }

    /// Reads tags up to the moves, to a blank line that other tags follow, or to a tag that was there already.
    fn tags(&mut self) -> Result<Tags<'a>, PgnHeadersError> {
        let mut tags = Tags::default();
        loop {
            let is_apart = self.skip_blanks();
            match self.text.get(self.at) {
                Some(b'[') if is_apart && tags.are_any => return Ok(tags),
                Some(b'[') => {}
                Some(b'%') if self.text[..self.at].last().is_none_or(|&before| before == b'\n') => {
                    self.skip_line();
                    continue;
                }
                _ => return Ok(tags),
            }
            let start = self.at;
            let (name, value) = self.tag()?;
            let is_known = match name {
                b"White" => tags.white.is_some(),
                b"Black" => tags.black.is_some(),
                b"Result" => tags.result.is_some(),
                _ => false,
            };
            if is_known {
                self.at = start;
                return Ok(tags);
            }
            match name {
                b"White" => tags.white = Some(text_of(value)),
                b"Black" => tags.black = Some(text_of(value)),
                b"Result" => tags.result = Some(value),
                b"Round" => tags.round = Some(value),
                b"FEN" => tags.fen = Some(value),
                _ => {}
            }
            tags.are_any = true;
        }
    }

    /// Reads `[Name "value"]`; the value is as it is written.
    fn tag(&mut self) -> Result<(&'a [u8], &'a [u8]), PgnHeadersError> {
        const EXPECTED: &str = "a tag such as [White \"name\"]";
        let start = self.at + 1;
        let rest = &self.text[start..];
        // Names and values are too short for the search of long stretches to pay.
        let quote = match rest.iter().position(|byte| matches!(byte, b'"' | b'\n')) {
            Some(quote) if rest[quote] == b'"' => quote,
            _ => return self.fault(start, EXPECTED),
        };
        let mut end = quote + 1;
        loop {
            let length = rest[end..].iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n'));
            match length.map(|length| end + length) {
                Some(found) if rest[found] == b'"' => {
                    end = found;
                    break;
                }
                Some(found) if rest[found] == b'\\' => end = (found + 2).min(rest.len()),
                _ => return self.fault(start, EXPECTED),
            }
        }
        let value = &rest[quote + 1..end];
        let blanks = rest[end + 1..].iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let close = end + 1 + blanks;
        if rest.get(close) != Some(&b']') {
            return self.fault(start, EXPECTED);
        }
        self.at = start + close + 1;
        Ok((rest[..quote].trim_ascii(), value))
    }

    /// Goes to the tags of the next game, and returns the last word of this one if it is a result.
    fn skip_moves(&mut self) -> Result<Option<&'a [u8]>, PgnHeadersError> {
        // The last text outside of comments, which may be followed by one.
        let mut last_words: &[u8] = b"";
        let mut words_from = self.at;
        loop {
            let stop = memchr3(b'{', b'[', b';', &self.text[self.at..]);
            let stop = stop.map_or(self.text.len(), |length| self.at + length);
            let words = self.text[words_from..stop].trim_ascii_end();
            if !words.is_empty() {
                last_words = words;
            }
            let line = self.line_start(stop);
            let is_escape = self.has_escapes && self.text[line..].starts_with(b"%");
            self.at = stop;
            match self.text.get(stop) {
                None => break,
                Some(_) if is_escape => self.skip_line(),
                Some(b'{') => self.skip_comment()?,
                Some(b';') => self.skip_line(),
                _ if self.text[line..stop].trim_ascii().is_empty() => break,
                _ => self.at += 1,
            }
            words_from = self.at;
        }
        let last_word = last_words.rsplit(u8::is_ascii_whitespace).next().unwrap_or(b"");
        let is_result = matches!(last_word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*");
        Ok(is_result.then_some(last_word))
    }

    fn line_start(&self, at: usize) -> usize {
        memrchr(b'\n', &self.text[..at]).map_or(0, |before| before + 1)
    }

    /// Skips the comment with its closing brace. A line in it that begins like a tag, with a bracket and a letter,
    /// means that the brace is missing; otherwise a truncated game would hide the next ones.
    fn skip_comment(&mut self) -> Result<(), PgnHeadersError> {
        const EXPECTED: &str = "a comment that is closed by a }";
        let start = self.at;
        loop {
            self.at += 1;
            let Some(length) = memchr2(b'}', b'[', &self.text[self.at..]) else {
                return self.fault(start, EXPECTED);
            };
            self.at += length;
            if self.text[self.at] == b'}' {
                self.at += 1;
                return Ok(());
            }
            let is_first = self.text[..self.at].last() == Some(&b'\n');
            if is_first && self.text[self.at + 1..].first().is_some_and(u8::is_ascii_uppercase) {
                return self.fault(start, EXPECTED);
            }
        }
    }
}

impl<'a> Iterator for PgnHeaders<'a> {
    type Item = Result<PgnHeader<'a>, PgnHeadersError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        if self.at >= self.text.len() {
            return None;
        }
        let game = self.game();
        if game.is_err() {
            self.at = self.text.len();
        }
        Some(game)
    }
}

/// The text of a tag's value, its escapes resolved.
fn text_of(value: &[u8]) -> Cow<'_, str> {
    if memchr(b'\\', value).is_none() {
        return String::from_utf8_lossy(value);
    }
    let mut bytes = value.iter();
    let mut plain = Vec::with_capacity(value.len());
    while let Some(&byte) = bytes.next() {
        plain.push(if byte == b'\\' { bytes.next().copied().unwrap_or(byte) } else { byte });
    }
    Cow::Owned(String::from_utf8_lossy(&plain).into_owned())
}

#[cfg(test)]
mod tests;
