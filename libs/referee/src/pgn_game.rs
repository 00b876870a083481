//! Writing a game as PGN, with wrapped movetext.

use std::borrow::Cow;
use std::fmt;

use super::{GameResult, Referee};

/// The Seven Tag Roster of the standard, in order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The maximum length of a tag value in bytes, which leaves room for the name in the line.
const TAG_BYTES: usize = 200;

/// A game for writing as PGN in export format.
///
/// `Display` writes the tags, a blank line, the numbered moves and the comments in lines of at most 80 columns, the
/// result, and a blank line. Several games in a row form a valid file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values: first the roster, then in the order in which they were set.
    tags: Vec<(&'static str, String)>,
    /// Whether White moves first.
    white_first: bool,
    first_number: u32,
    moves: Vec<PgnMove>,
    /// The result; `None` while it is unknown.
    result: Option<GameResult>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PgnMove {
    san: String,
    comment: Option<String>,
}

impl PgnGame {
    /// A game without tags and moves that starts from a position.
    pub fn from_fen(fen: &str) -> Self {
        let white_first = fen.split(' ').nth(1) != Some("b");
        let first_number = fen.rsplit(' ').next().and_then(|field| field.parse().ok()).unwrap_or(1);
        Self { tags: Vec::new(), white_first, first_number, moves: Vec::new(), result: None }
    }

    /// A game without moves that starts where the referee's game started.
    ///
    /// A start position other than the standard one is written into the tags `SetUp` and `FEN`. A Chess960 game always
    /// has these; games of all variants have the tag `Variant`. Unknown tags of the roster are `?`.
    pub fn starting_like(referee: &Referee) -> Self {
        let fen = referee.start_fen();
        let tags = ROSTER.map(|name| (name, if name == "Date" { "????.??.??" } else { "?" }.to_owned()));
        let mut game = Self { tags: tags.into(), ..Self::from_fen(&fen) };
        game.set_result(None);
        if let Some(name) = referee.variant().in_pgn() {
            game.set_tag("Variant", name);
        }
        if !referee.variant().starts_without_tag(&fen) {
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", &fen);
        }
        game
    }

    /// Sets a tag, replacing its earlier value. Use [`Self::set_result`] for the result.
    pub fn set_tag(&mut self, name: &'static str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name, value.to_owned())),
        }
    }

    /// Sorts the tags after the roster by name.
    pub fn sort_tags(&mut self) {
        let roster = ROSTER.len().min(self.tags.len());
        self.tags[roster..].sort();
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn written_tags(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.tags.iter().map(|(name, value)| (*name, escape(value)))
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = &str> {
        self.moves.iter().map(|played| played.san.as_str())
    }

    /// Appends a move in algebraic notation, with a comment after it. An empty move adds only the comment.
    pub fn push(&mut self, san: &str, comment: Option<&str>) {
        self.moves.push(PgnMove { san: san.to_owned(), comment: comment.map(str::to_owned) });
    }

    /// Sets the result, in the tag and after the moves; `None` writes `*`, for an unfinished game.
    pub fn set_result(&mut self, result: Option<GameResult>) {
        self.result = result;
        self.set_tag("Result", result_marker(result));
    }

    /// The text in the layout of fastchess and cutechess-cli (`pgn_builder.cpp`, `pgngame.cpp`): tags are not shortened,
    /// and lines, of at most 80 bytes if possible, do not break between a move, its number and its comment.
    pub fn with_whole_moves(&self) -> String {
        let tag = |(name, value): &(&str, String)| {
            format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        let mut text = self.tags.iter().map(tag).collect::<String>() + "\n";
        let mut column = 0;
        let mut push = |chunk: &str| {
            let fits = column + 1 + chunk.len() <= 80;
            if column > 0 {
                text.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            text.push_str(chunk);
            column += chunk.len();
        };
        for (ply, PgnMove { san, comment }) in self.moves.iter().enumerate() {
            let number = self.first_number as usize + usize::midpoint(ply, usize::from(!self.white_first));
            let head = match (self.white_first == ply.is_multiple_of(2), ply) {
                // A comment without a move.
                _ if san.is_empty() => String::new(),
                (true, _) => format!("{number}. {san} "),
                (false, 0) => format!("{number}... {san} "),
                (false, _) => format!("{san} "),
            };
            let comment = comment.as_ref().map(|comment| format!("{{{}}}", comment.replace('}', ")")));
            push((head + &comment.unwrap_or_default()).trim_end());
        }
        push(result_marker(self.result));
        text + "\n\n"
    }
}

/// The result as it is written after the moves.
fn result_marker(result: Option<GameResult>) -> &'static str {
    result.map_or("*", GameResult::as_str)
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.written_tags() {
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut text = WrappedText::new();
        let mut white = self.white_first;
        let mut number = self.first_number;
        let mut needs_number = true;
        for PgnMove { san, comment } in &self.moves {
            if san.is_empty() {
                // A comment without a move.
                if let Some(comment) = &comment {
                    let _ = text.push_comment(comment);
                }
                continue;
            }
            if white {
                text.push(&format!("{number}."));
            } else if needs_number {
                text.push(&format!("{number}..."));
            }
            text.push(san);
            needs_number = comment.as_deref().is_some_and(|comment| text.push_comment(comment));
            number = number.saturating_add(u32::from(!white));
            white = !white;
        }
        text.push(result_marker(self.result));
        writeln!(f, "\n{text}\n")
    }
}

/// A tag value with backslashes and quotation marks escaped and control characters replaced. The standard limits lines to
/// 255 characters, and readers rely on this, so longer values end in an ellipsis.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for letter in value.chars() {
        if escaped.len() >= TAG_BYTES {
            escaped.push('…');
            break;
        }
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The maximum length of a line in export format, without the line feed: the standard asks for less than 80 characters.
const COLUMNS: usize = 79;

#[derive(Debug)]
pub(super) struct WrappedText {
    text: String,
    /// The length of the last line, in characters.
    column: usize,
}

impl WrappedText {
    pub(super) const fn new() -> Self {
        Self { text: String::new(), column: 0 }
    }

    pub(super) fn push(&mut self, word: &str) {
        self.push_enclosed("", word, "");
    }

    fn push_enclosed(&mut self, before: &str, word: &str, behind: &str) {
        let parts = [before, word, behind];
        let width: usize = parts.iter().map(|part| part.chars().count()).sum();
        if self.column > 0 {
            // A line that starts with a percent sign is ignored by readers.
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
    /// Braces in it become parentheses, since PGN cannot escape them; line breaks become blanks.
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

impl fmt::Display for WrappedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
