//! The parts of a PGN text that matter for openings, each with its line: tags, moves and results.
//!
//! Comments, variations, annotation glyphs and move numbers are skipped. Unlike a reader made for collections of
//! games, this one skips nothing that it does not know: in a book an unknown word is a mistake, and a game that
//! silently lacks a move starts from the wrong position.

use super::PgnProblem;

/// One part of a PGN text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PgnToken<'a> {
    /// `[Name "value"]`, the value with its escapes resolved.
    Tag { name: &'a str, value: String },
    /// A move of the main line, as it is written.
    Move(&'a str),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
}

/// A text and how far it has been read.
#[derive(Debug)]
pub(super) struct PgnTokens<'a> {
    rest: &'a str,
    /// The line of the next character, counted from 1.
    line: usize,
    at_line_start: bool,
    /// How many variations are open.
    depth: usize,
}

impl<'a> PgnTokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), line: 1, at_line_start: true, depth: 0 }
    }

    /// The line of the token that was returned last, or of the fault.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// Takes `bytes` from the text, which have to end between two characters, and counts the lines in them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        self.at_line_start = taken.ends_with('\n');
        taken
    }

    fn take_line(&mut self) -> &'a str {
        // The line feed stays, so that the line of the token is still the present one.
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    fn tag(&mut self) -> Result<PgnToken<'a>, PgnProblem> {
        const EXPECTED: PgnProblem = PgnProblem::Text("a tag such as [White \"name\"]");
        let line = self.take_line().trim_end();
        let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).ok_or(EXPECTED)?;
        let (name, value) = inside.trim().split_once(char::is_whitespace).ok_or(EXPECTED)?;
        let quoted = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let mut letters = quoted.ok_or(EXPECTED)?.chars();
        let mut value = String::new();
        while let Some(letter) = letters.next() {
            value.push(if letter == '\\' { letters.next().ok_or(EXPECTED)? } else { letter });
        }
        Ok(PgnToken::Tag { name, value })
    }

    fn skip_comment(&mut self) -> Result<(), PgnProblem> {
        let end = self.rest.find('}').ok_or(PgnProblem::Text("a '}' that closes the comment"))?;
        self.take(end + 1);
        Ok(())
    }

    /// A move or a result; `None` for what stands between them.
    fn word(&mut self) -> Option<PgnToken<'a>> {
        let is_end = |c: char| c.is_whitespace() || "{}();[]$".contains(c);
        let length = match self.rest.find(is_end) {
            None => self.rest.len(),
            // A bracket that closes nothing is a word of its own, and no legal move.
            Some(0) => 1,
            Some(end) => end,
        };
        let word = &self.rest[..length];
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.take(length);
            return Some(PgnToken::Result);
        }
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = word.len() - word[digits..].trim_start_matches('.').len();
        if number > digits || digits == word.len() {
            // `1.`, `1...`, `1.e4` and a bare `1`, but not `0-0`.
            self.take(number);
            return None;
        }
        let is_annotation = word == "e.p." || word.chars().all(|c| "!?.".contains(c));
        let word = self.take(length);
        (!is_annotation).then_some(PgnToken::Move(word))
    }
}

impl<'a> Iterator for PgnTokens<'a> {
    type Item = Result<PgnToken<'a>, PgnProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(letter) = self.rest.chars().next() else {
                let is_open = std::mem::take(&mut self.depth) > 0;
                return is_open.then_some(Err(PgnProblem::Text("a ')' that closes the variation")));
            };
            let in_variation = self.depth > 0;
            match letter {
                '%' if self.at_line_start => drop(self.take_line()),
                ';' => drop(self.take_line()),
                letter if letter.is_whitespace() => drop(self.take(letter.len_utf8())),
                '{' => match self.skip_comment() {
                    Ok(()) => (),
                    Err(problem) => return Some(Err(problem)),
                },
                '(' => {
                    self.take(1);
                    self.depth += 1;
                }
                ')' if in_variation => {
                    self.take(1);
                    self.depth -= 1;
                }
                '$' => {
                    self.take(1);
                    let digits = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
                    self.take(self.rest.len() - digits.len());
                }
                '[' if !in_variation => return Some(self.tag()),
                _ => match self.word() {
                    Some(token) if !in_variation => return Some(Ok(token)),
                    _ => (),
                },
            }
        }
    }
}
