//! Reading a line word by word, and its errors.

use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// The rest of a line, read word by word.
#[derive(Clone, Debug)]
pub(super) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        Words(line)
    }

    /// The next word, without consuming it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The value of `field`: the next word, parsed. A word that cannot be parsed is not consumed.
    pub(super) fn value<T: FromStr>(
        &mut self,
        field: &'static str,
        expected: &'static str,
    ) -> Result<T, ParseError> {
        let word = self.peek().ok_or(ParseError::Missing(field))?;
        let value = word.parse().map_err(|_| ParseError::invalid(field, expected, word))?;
        self.next();
        Ok(value)
    }

    /// The value of `field` in whole milliseconds. A negative time, which some GUIs send, counts as 0.
    pub(super) fn millis(&mut self, field: &'static str) -> Result<Duration, ParseError> {
        let millis: i64 = self.value(field, "milliseconds")?;
        Ok(Duration::from_millis(millis.max(0) as u64))
    }

    pub(super) fn values<T: FromStr>(&mut self) -> Vec<T> {
        let mut values = Vec::new();
        while let Some(value) = self.peek().and_then(|word| word.parse().ok()) {
            self.next();
            values.push(value);
        }
        values
    }

    /// The words before the first that `stops` accepts, joined by single blanks.
    pub(super) fn text_until(&mut self, stops: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        while let Some(word) = self.peek().filter(|word| !stops(word)) {
            self.next();
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// The rest of the line, without the blanks at its ends.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.0).trim_ascii().to_owned()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_ascii_start();
        let end = text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// A line that is not a valid command or message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum ParseError {
    /// The line is empty or all blanks.
    #[error("the line is empty")]
    Empty,
    /// The first word is unknown on this side of the protocol.
    #[error("unknown word `{0}`")]
    Unknown(String),
    /// A word that needs a value ends the line.
    #[error("`{0}` needs a value")]
    Missing(&'static str),
    /// A value cannot be read.
    #[error("`{field}` expects {expected}, found `{found}`")]
    Invalid { field: &'static str, expected: &'static str, found: String },
}

impl ParseError {
    pub(super) fn invalid(field: &'static str, expected: &'static str, found: &str) -> ParseError {
        ParseError::Invalid { field, expected, found: found.to_owned() }
    }
}
