//! A game to be written as PGN, its movetext filled into lines.

use std::borrow::Cow;
use std::fmt;

use super::{GameResult, Referee, Variant};

/// The tags that every game has, in the order of the standard.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The longest tag value; the rest of the line is for the name.
const TAG_BYTES: usize = 200;

const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game to be written as PGN in export format.
///
/// `Display` gives the tags, a blank line, the moves with their numbers and comments in lines of at most 80 columns,
/// the result, and a blank line; games written one after the other form a valid file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Name and value, the roster first, then in the order of setting.
    tags: Vec<(&'static str, String)>,
    /// Whether White makes the first move.
    white_first: bool,
    first_number: u32,
    moves: Vec<PgnMove>,
    /// `None` as long as it is not known.
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

    /// A game without moves that starts where the referee's game starts.
    ///
    /// Another start than the usual one is written into the tags `SetUp` and `FEN`; a game of Chess960 gets them
    /// always, and the tag `Variant`. Unknown tags of the roster are `?`.
    pub fn starting_like(referee: &Referee) -> Self {
        let fen = referee.start_fen();
        let tags = ROSTER.map(|name| (name, if name == "Date" { "????.??.??" } else { "?" }.to_owned()));
        let mut game = Self { tags: tags.into(), ..Self::from_fen(&fen) };
        game.set_result(None);
        if referee.variant() == Variant::Chess960 {
            game.set_tag("Variant", "Chess960");
        }
        if referee.variant() == Variant::Chess960 || fen != START_FEN {
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", &fen);
        }
        game
    }

    /// Sets a tag, which replaces an earlier value. The result is set with [`Self::set_result`].
    pub fn set_tag(&mut self, name: &'static str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name, value.to_owned())),
        }
    }

    /// Sorts the tags behind the roster by their names.
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

    /// Appends a move in algebraic notation, with a comment behind it; without a move, the comment alone.
    pub fn push(&mut self, san: &str, comment: Option<&str>) {
        self.moves.push(PgnMove { san: san.to_owned(), comment: comment.map(str::to_owned) });
    }

    /// Sets the result, in the tag and behind the moves; `None` is that of a game without one, `*`.
    pub fn set_result(&mut self, result: Option<GameResult>) {
        self.result = result;
        self.set_tag("Result", result_marker(result));
    }

    /// The text as fastchess and cutechess-cli lay it out (`pgn_builder.cpp`, `pgngame.cpp`): no tag is shortened, and no
    /// line, of at most 80 bytes where that is possible, ends between a move, its number and its comment.
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
                // A comment alone.
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

/// The text behind the moves.
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
                // A comment alone.
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

/// A tag value with its backslashes and quotes marked, and without anything that would break the line. Lines of the
/// standard have at most 255 characters, on which readers rely: longer values end in an ellipsis.
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

/// The longest line of the export format, in columns without the line feed: under 80 characters are asked for.
const COLUMNS: usize = 79;

#[derive(Debug)]
pub(super) struct WrappedText {
    text: String,
    /// Characters in the last line.
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

impl fmt::Display for WrappedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
