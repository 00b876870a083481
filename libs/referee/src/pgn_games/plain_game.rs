//! A fast reader of games as chess programs write them: one tag per line, a blank line, moves and comments, the result,
//! and a blank line. Any other text is left to the full reader.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};
use shakmaty::{Role, san::San};

use super::raw_text::{RESULTS, tag_name};
use super::{FIRST_MOVES, MOST_PLIES, ReadGame, TAG_LINE_BYTES};
use crate::GameResult;

/// A hash of a sequence of moves, which tells games apart, and the number of moves. The hash of no moves is 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovesHash(pub(super) u64, pub(super) u32);

impl MovesHash {
    /// Adds the next move: its SAN without suffixes, padded with zeros.
    fn push(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        self.1 += 1;
    }

    pub(super) fn of(moves: &[San]) -> MovesHash {
        let mut hash = MovesHash::default();
        for &san in moves {
            hash.add(san);
        }
        hash
    }

    pub(super) fn add(&mut self, san: San) {
        self.push(word_of(san));
    }

    /// The upper half of the hash, made nonzero.
    pub(super) const fn short(self) -> u32 {
        (self.0 >> 32) as u32 | 1
    }
}

/// A move as text of at most eight characters, such as `Qa7xb8=Q`, packed into a number.
fn word_of(san: San) -> u64 {
    let mut text = Vec::with_capacity(8);
    san.append_ascii_to(&mut text);
    text.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Whether a comment marks its move as a book move, like `book`, `Book, mb=+0` and `(book)`.
pub fn is_book_comment(comment: &[u8]) -> bool {
    let text = comment.trim_ascii_start();
    let text = text.strip_prefix(b"(").unwrap_or(text);
    let (word, behind) = text.split_at(text.len().min(4));
    word.eq_ignore_ascii_case(b"book") && !behind.first().is_some_and(u8::is_ascii_alphanumeric)
}

#[derive(Debug)]
pub(super) struct PlainGames {
    /// A cache of words that are moves in shakmaty's spelling, each at the index of its hash.
    words: Vec<u64>,
}

impl PlainGames {
    pub(super) fn new() -> PlainGames {
        PlainGames { words: vec![0; 1 << 14] }
    }

    /// Reads the game that a text begins with, and returns its length including the blank lines after it; `None` if it
    /// is not plain, or if more text is needed to decide.
    pub(super) fn game(&mut self, text: &[u8], is_whole: bool, place: &mut ReadGame) -> Option<usize> {
        let tags = &mut place.tags;
        tags.clear();
        let mut at = 0;
        while text.get(at) == Some(&b'[') {
            let length = memchr(b'\n', &text[at..])?;
            let line = &text[at..at + length];
            let line = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"\"]")?;
            let name = tag_name(line, false)?;
            let value = 3 + name.len();
            let is_first = |[first, _]: &[Range<usize>; 2]| {
                name.first() == text.get(first.start) && &text[first.clone()] == name
            };
            let is_plain = line.len() >= value
                && line.len() < TAG_LINE_BYTES
                && line[1..].starts_with(name)
                && line[value - 2..].starts_with(b" \"")
                && memchr2(b'"', b'\\', &line[value..]).is_none()
                && !tags.first().is_some_and(is_first);
            if !is_plain {
                return None;
            }
            tags.push([at + 1..at + 1 + name.len(), at + value..at + line.len()]);
            at += length + 1;
        }
        let header = at;
        let begin = header + text[header..].iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
        if tags.is_empty() || begin == header {
            return None;
        }
        let (moves, ending, at) = self.moves(text, begin, place)?;
        let length = end_of_game(text, at, is_whole)?;
        place.text.clear();
        place.text.extend_from_slice(&text[..header]);
        place.moves.clear();
        (place.moves_hash, place.ending) = (Some(moves), ending);
        (place.broken, place.words, place.first_word, place.language) = (None, 0, None, None);
        Some(length)
    }

    /// Reads moves from an offset. Returns their hash, the result after them, and the offset of its end.
    fn moves(
        &mut self,
        text: &[u8],
        mut at: usize,
        place: &mut ReadGame,
    ) -> Option<(MovesHash, Option<GameResult>, usize)> {
        let mut moves = MovesHash::default();
        place.book = moves;
        place.first.clear();
        loop {
            match *text.get(at)? {
                b' ' => at += 1,
                // A blank line among the moves means that this may be more than one game.
                b'\n' if matches!(text.get(at + 1)?, b'!'..=b'~') => at += 1,
                b'\r' if text.get(at + 1)? == &b'\n' => at += 1,
                b'0'..=b'9' | b'*' => {
                    let rest = &text[at..];
                    if !rest.get(1)?.is_ascii_digit()
                        && rest[1] != b'.'
                        && let Some(result) = RESULTS.iter().find(|result| rest.starts_with(result))
                    {
                        return Some((moves, GameResult::from_pgn(result), at + result.len()));
                    }
                    at += rest.iter().position(|byte| !byte.is_ascii_digit())?;
                    if text[at] != b'.' {
                        return None;
                    }
                    at += text[at..].iter().position(|byte| *byte != b'.')?;
                }
                b'{' => {
                    let length = memchr(b'}', &text[at..])?;
                    let comment = &text[at..at + length];
                    if !memchr_iter(b'\n', comment)
                        .all(|end| is_inside(&text[..at + end], text[at + end + 1]))
                    {
                        return None;
                    }
                    if place.book.1 + 1 == moves.1 && is_book_comment(&comment[1..]) {
                        place.book = moves;
                    }
                    at += length + 1;
                }
                b'$' => {
                    at += 1;
                    at += text[at..].iter().position(|byte| !byte.is_ascii_digit())?;
                    if !matches!(text[at], b' ' | b'\r' | b'\n') {
                        return None;
                    }
                }
                _ => {
                    let (word, length) = word_at(text, at)?;
                    self.check(word)?;
                    if moves.1 as usize == MOST_PLIES {
                        return None;
                    }
                    moves.push(word);
                    if place.first.len() < FIRST_MOVES {
                        place.first.push(moves.short());
                    }
                    at += length;
                }
            }
        }
    }

    /// Checks that a word is a move in shakmaty's spelling.
    fn check(&mut self, word: u64) -> Option<()> {
        let place = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize;
        if self.words[place] != word {
            let length = 8 - word.leading_zeros() as usize / 8;
            let san = San::from_ascii(&word.to_le_bytes()[..length]).ok()?;
            // `bd4` may be a capture by a pawn or a bishop move.
            let is_move = match san {
                San::Normal { role: Role::Pawn, file: Some(_), rank: None, capture: false, .. } => false,
                San::Normal { .. } | San::Castle(_) => true,
                _ => false,
            };
            if !is_move || word_of(san) != word {
                return None;
            }
            self.words[place] = word;
        }
        Some(())
    }
}

/// The word at an offset without the signs after the move, and its length including them.
fn word_at(text: &[u8], at: usize) -> Option<(u64, usize)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(*text[at..].first_chunk()?);
    // The high bit of the first byte below '!'.
    let blanks = word.wrapping_sub(ONES * 0x21) & !word & (ONES * 0x80);
    let length = blanks.trailing_zeros() as usize / 8;
    if blanks == 0 || length == 0 {
        return None;
    }
    let mut kept = length;
    while kept > 1 && matches!((word >> (8 * (kept - 1))) as u8, b'!' | b'?') {
        kept -= 1;
    }
    if matches!((word >> (8 * (kept - 1))) as u8, b'+' | b'#') {
        kept -= 1;
    }
    (kept > 0).then(|| (word & ((1 << (8 * kept)) - 1), length))
}

/// Whether a comment continues after a line break, so that no game can begin there.
fn is_inside(before: &[u8], next: u8) -> bool {
    match next {
        b'[' | b'%' | b';' => false,
        b'1' => !RESULTS.iter().any(|result| before.trim_ascii_end().ends_with(result)),
        _ => next.is_ascii_graphic(),
    }
}

/// Where the next game begins, if only blank lines come before it.
fn end_of_game(text: &[u8], at: usize, is_whole: bool) -> Option<usize> {
    let blanks = text[at..].iter().position(|byte| !matches!(byte, b' ' | b'\r' | b'\n'));
    let Some(next) = blanks.map(|blanks| at + blanks) else {
        return is_whole.then_some(text.len());
    };
    let length = memchr(b'\n', &text[next..])?;
    let is_next =
        text[next - 1] == b'\n' && tag_name(text[next..next + length].trim_ascii(), false).is_some();
    is_next.then_some(next)
}
