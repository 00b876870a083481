//! Cuts the text of games into tokens: tags, moves, comments, numbers, results, and other words.

use memchr::memchr;
use shakmaty::san::San;
use shakmaty::{Rank, Role};

use super::raw_text::{tag_name, value_end};
use crate::GameResult;
use crate::written_move::{ENGLISH, dash, foreign_length, is_sign, move_at};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// The name and value of a tag.
    Tag(&'a [u8], &'a [u8]),
    Move(San),
    /// A move if its piece letter is read in another language, and its English reading, if any.
    Foreign(Option<San>),
    /// A move number, and whether it is Black's, with dots after it.
    Number(u32, bool),
    Result(Option<GameResult>),
    Comment(&'a [u8]),
    /// A word that is nothing else.
    Word,
    /// A tag, comment or variation without an end; the value is what is missing.
    Unclosed(&'static str),
}

/// What a tag that is cut off lacks.
pub(super) const OPEN_TAG: &str = "a tag such as [White \"name\"]";

pub(super) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    is_behind_tag: bool,
}

impl<'a> Tokens<'a> {
    pub(super) const fn of(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0, is_behind_tag: false }
    }

    /// The next token, and where it begins. Annotation glyphs, NAGs and variations are skipped.
    pub(super) fn next(&mut self) -> Option<(usize, Token<'a>)> {
        let text = self.text;
        loop {
            let begin = self.at;
            let rest = text.get(begin..).filter(|rest| !rest.is_empty())?;
            let line = || &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
            let token = match rest[0] {
                b' ' | b'\t' | b'\r' | b'\n' | b'.' | b'!' | b'?' | b')' | b'}' => {
                    self.at += 1;
                    continue;
                }
                b'{' => match memchr(b'}', rest) {
                    Some(length) => {
                        self.at += length + 1;
                        Token::Comment(&rest[1..length])
                    }
                    None => self.unclosed("a '}' that closes the comment"),
                },
                b'(' => match variation(rest) {
                    Ok(length) => {
                        self.at += length;
                        continue;
                    }
                    Err(closing) => self.unclosed(closing),
                },
                b'$' => {
                    self.at += 1 + digits(&rest[1..]);
                    continue;
                }
                b'*' => {
                    self.at += 1;
                    Token::Result(None)
                }
                b'[' if (self.is_behind_tag || begins_line(&text[..begin]))
                    && tag_name(line().trim_ascii(), self.is_behind_tag).is_some() =>
                {
                    return Some((begin, self.tag(line())));
                }
                byte if byte == b';'
                    || byte == b'%' && text[..begin].last().is_none_or(|byte| *byte == b'\n') =>
                {
                    self.at += line().len();
                    continue;
                }
                _ => match self.word(rest) {
                    Some(token) => token,
                    None => continue,
                },
            };
            self.is_behind_tag = false;
            return Some((begin, token));
        }
    }

    fn unclosed(&mut self, closing: &'static str) -> Token<'a> {
        self.at = self.text.len();
        Token::Unclosed(closing)
    }

    fn tag(&mut self, line: &'a [u8]) -> Token<'a> {
        let name = tag_name(line.trim_ascii(), true).unwrap_or_default();
        let name_end = name.as_ptr().addr() - line.as_ptr().addr() + name.len();
        let is_last = self.at + line.len() == self.text.len();
        self.is_behind_tag = true;
        let value = line[name_end..].trim_ascii();
        // If a quotation mark is missing, the value is the rest of the line.
        let plain = |value: &'a [u8]| value.strip_suffix(b"]").unwrap_or(value).trim_ascii();
        let Some(value) = value.strip_prefix(b"\"") else {
            self.at += line.len();
            return Token::Tag(name, plain(value));
        };
        match value_end(value) {
            Some(length) => {
                let behind = &value[length + 1..];
                let closing = memchr(b']', behind).map_or(0, |closing| behind.len() - closing - 1);
                self.at += line.trim_ascii_end().len() - closing;
                Token::Tag(name, &value[..length])
            }
            None if is_last => self.unclosed(OPEN_TAG),
            None => {
                self.at += line.len();
                Token::Tag(name, plain(value))
            }
        }
    }

    /// The token of the word that a text begins with; `None` for annotation glyphs.
    fn word(&mut self, rest: &'a [u8]) -> Option<Token<'a>> {
        if let Some((result, length)) = result(rest) {
            self.at += length;
            return Some(Token::Result(Some(result)));
        }
        let found = move_at(rest, &ENGLISH);
        let number = digits(rest);
        if number > 0 && !matches!(found, Some((San::Castle(_) | San::Null, _))) {
            let behind = &rest[number..];
            let dots = behind
                .iter()
                .take_while(|byte| matches!(byte, b'.' | b' '))
                .filter(|byte| **byte == b'.')
                .count();
            let is_black = dots > 1 || behind.starts_with("…".as_bytes());
            if word_length(behind) == 0
                || is_black
                || move_at(behind, &ENGLISH).is_some()
                || foreign_length(behind).is_some()
            {
                self.at += number;
                let value = rest[..number].iter().fold(0_u32, |value, digit| {
                    value.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
                });
                return Some(Token::Number(value, is_black));
            }
        } else if let Some((san, length)) = found {
            let behind = &rest[length..length + word_length(&rest[length..])];
            self.at += length;
            let promotes = is_foreign_promotion(san, behind);
            if promotes || is_sign(behind) {
                self.at += behind.len();
                let is_foreign = promotes || rest[0] == b'P';
                let english = (!promotes).then_some(san);
                return Some(if is_foreign { Token::Foreign(english) } else { Token::Move(san) });
            }
            if !behind.iter().any(u8::is_ascii_digit) {
                return Some(Token::Move(san));
            }
            self.at -= length;
        }
        let first = first_char(rest);
        if !first.is_some_and(char::is_alphanumeric) {
            self.at += first.map_or(1, char::len_utf8);
            return None;
        }
        let length = word_length(rest);
        self.at += length;
        match foreign_length(rest) {
            Some(end) if end <= length && is_sign(&rest[end..length]) => Some(Token::Foreign(None)),
            _ => (!is_sign(&rest[..length])).then_some(Token::Word),
        }
    }
}

/// The length of a word, which ends at a blank, a dot, a bracket, or a sign that moves never have.
pub(super) fn word_length(text: &[u8]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b".!?{}();$*".contains(byte);
    text.iter().position(is_end).unwrap_or(text.len())
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn first_char(text: &[u8]) -> Option<char> {
    text[..text.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}

/// Whether the line before this point has only blanks or a UTF-8 byte order mark.
fn begins_line(before: &[u8]) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | 0xef | 0xbb | 0xbf);
    before.iter().rev().find(|byte| !is_blank(byte)).is_none_or(|byte| *byte == b'\n')
}

/// Whether a pawn on its last rank is followed by a piece letter that English does not have.
fn is_foreign_promotion(san: San, behind: &[u8]) -> bool {
    let San::Normal { role: Role::Pawn, to, promotion: None, .. } = san else { return false };
    matches!(to.rank(), Rank::First | Rank::Eighth)
        && matches!(
            behind.strip_prefix(b"=").unwrap_or(behind),
            [b'A'..=b'Z'] | [b'A'..=b'Z', b'+' | b'#', ..]
        )
}

/// The result that a text begins with, and its length.
fn result(text: &[u8]) -> Option<(GameResult, usize)> {
    let ends = |length: usize| !text.get(length).is_some_and(u8::is_ascii_alphanumeric);
    let scored = |before: &[u8], behind: &[u8]| {
        let rest = text.strip_prefix(before)?;
        let link = dash(rest);
        let length = before.len() + link + behind.len();
        (link > 0 && rest[link..].starts_with(behind) && ends(length)).then_some(length)
    };
    let half = "½".as_bytes();
    let draw = || scored(b"1/2", b"1/2").or_else(|| scored(half, half));
    // Some programs write a draw this way.
    let short = || (text.starts_with(b"1/2") && ends(3)).then_some(3);
    match text.first()? {
        b'1' => scored(b"1", b"0").map(|length| (GameResult::WhiteWins, length)),
        b'0' => scored(b"0", b"1").map(|length| (GameResult::BlackWins, length)),
        _ => None,
    }
    .or_else(|| Some((GameResult::Draw, draw().or_else(short)?)))
}

/// The length of a variation, including nested ones, or what it lacks.
fn variation(text: &[u8]) -> Result<usize, &'static str> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match text[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return Ok(at + 1),
            b')' => depth -= 1,
            b'{' => at += memchr(b'}', &text[at..]).ok_or("a '}' that closes the comment")?,
            b';' => at += memchr(b'\n', &text[at..]).unwrap_or(text.len() - at),
            _ => (),
        }
        at += 1;
    }
    Err("a ')' that closes the variation")
}
