//! The movetext of a PGN game, filled into lines.

use std::borrow::Cow;
use std::fmt;

/// The longest line of the export format, in columns without the line feed: under 80 characters are asked for.
const COLUMNS: usize = 79;

/// Words separated by blanks, with the line breaks where the columns end.
#[derive(Debug)]
pub(super) struct MoveText {
    text: String,
    /// Characters in the last line.
    column: usize,
}

impl MoveText {
    pub(super) const fn new() -> Self {
        Self { text: String::new(), column: 0 }
    }

    /// Appends a word, on a new line if it does not fit into this one.
    pub(super) fn push(&mut self, word: &str) {
        self.push_enclosed("", word, "");
    }

    /// Appends a word with something before and behind it.
    fn push_enclosed(&mut self, before: &str, word: &str, behind: &str) {
        let parts = [before, word, behind];
        let width: usize = parts.iter().map(|part| part.chars().count()).sum();
        if self.column > 0 {
            // A line that starts with a percent sign is not read at all.
            let must_stay = before.is_empty() && word.starts_with('%');
            let fits = self.column + 1 + width <= COLUMNS;
            self.text.push(if fits || must_stay { ' ' } else { '\n' });
            self.column = if fits || must_stay { self.column + 1 } else { 0 };
        }
        self.text.extend(parts);
        self.column += width;
    }

    /// Appends a comment in braces, and returns whether it had any text.
    ///
    /// Braces in it become parentheses, as PGN has no escape for them; line breaks become blanks.
    pub(super) fn push_comment(&mut self, comment: &str) -> bool {
        let is_special = |letter: char| matches!(letter, '{' | '}') || letter.is_control();
        let plain =
            if comment.contains(is_special) { Cow::Owned(without_braces(comment)) } else { comment.into() };
        let mut words = plain.split_whitespace().peekable();
        let mut before = "{";
        let mut has_words = false;
        while let Some(word) = words.next() {
            self.push_enclosed(before, word, if words.peek().is_none() { "}" } else { "" });
            before = "";
            has_words = true;
        }
        has_words
    }
}

fn without_braces(comment: &str) -> String {
    let plain = |letter: char| match letter {
        '{' => '(',
        '}' => ')',
        letter if letter.is_control() => ' ',
        letter => letter,
    };
    comment.chars().map(plain).collect()
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
