//! The base of openings: replies to known positions, found by their canonical text (sections 3 and 3.1).
//!
//! The base is a text file, so that it can be read and added to; `engines/druelle/openings.base` ships and says what
//! the lines are. Every line is checked when the base is read: its texts are canonical, its position is legal, and its
//! reply is legal there, by the rules of the referee.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use referee::{Referee, Variant, french};
use thiserror::Error;

use super::canonical_text::{canonical_text, read_pieces};
use super::game::Game;
use super::movement::Move;
use super::piece::Piece;
use super::side::Side;

/// The name of the base that ships, for messages.
pub const SHIPPED_NAME: &str = "engines/druelle/openings.base";
const SHIPPED: &str = include_str!("../openings.base");

/// A reply and the opening that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// The name of the opening.
    pub opening: String,
}

/// Replies by the key of the position.
#[derive(Clone, Debug, Default)]
pub struct OpeningBase {
    replies: HashMap<String, Vec<Reply>>,
    known: HashSet<u64>,
}

/// Why a base cannot be used.
#[derive(Debug, Error)]
pub enum OpeningBaseError {
    /// The file system refused.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line is wrong.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// Which field, and what was expected.
        reason: String,
    },
}

impl OpeningBase {
    /// The base that ships with the engine.
    ///
    /// # Errors
    /// [`OpeningBaseError`] never, as a test proves.
    pub fn shipped() -> Result<OpeningBase, OpeningBaseError> {
        OpeningBase::parse(SHIPPED_NAME, SHIPPED)
    }

    /// Reads a base from a file.
    ///
    /// # Errors
    /// [`OpeningBaseError`] when the file cannot be read or at its first wrong line.
    pub fn load(path: &Path) -> Result<OpeningBase, OpeningBaseError> {
        let file = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => OpeningBase::parse(&file, &text),
            Err(source) => Err(OpeningBaseError::Io { file, source }),
        }
    }

    /// Reads a base from a text; `file` is for messages.
    ///
    /// # Errors
    /// [`OpeningBaseError::Line`] at the first wrong line.
    pub fn parse(file: &str, text: &str) -> Result<OpeningBase, OpeningBaseError> {
        let mut base = OpeningBase::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            base.add(line).map_err(|reason| OpeningBaseError::Line {
                file: file.to_owned(),
                line: index + 1,
                reason,
            })?;
        }
        Ok(base)
    }

    /// The replies to a position, the preferred one first.
    pub fn replies(&self, game: &Game) -> &[Reply] {
        self.replies.get(&game.opening_key()).map_or(&[], Vec::as_slice)
    }

    /// The keys of the positions after the replies.
    pub fn known(&self) -> &HashSet<u64> {
        &self.known
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[opening, white, black, turn, reply] = fields.as_slice() else {
            return Err(format!(
                "expected five fields between bars (opening | white | black | turn | reply), found {}",
                fields.len()
            ));
        };
        let mut pieces = player(white, Side::White)?;
        pieces.extend(player(black, Side::Black)?);
        let turns = match turn {
            "blancs" => 0,
            "noirs" => 1,
            other => return Err(format!("field 4 (turn): expected `blancs` or `noirs`, found `{other}`")),
        };
        let mut game = Game::with_pieces(&pieces, turns).map_err(str::to_owned)?;
        game.allow_castling_at_home();
        let referee = Referee::from_fen(&game.fen(), Variant::Standard).map_err(|error| error.to_string())?;
        let uci =
            french::french_to_uci(&referee, reply).map_err(|error| format!("field 5 (reply): {error}"))?;
        let mv = game.find(&uci).ok_or_else(|| format!("field 5 (reply): `{reply}` is not legal"))?;
        let replies = self.replies.entry(game.opening_key()).or_default();
        replies.push(Reply { mv, opening: opening.to_owned() });
        game.play(mv);
        self.known.insert(game.key());
        Ok(())
    }
}

/// The pieces of a text that must be canonical, or looking it up would miss it.
fn player(text: &str, side: Side) -> Result<Vec<Piece>, String> {
    let field = if side == Side::White { "field 2 (white)" } else { "field 3 (black)" };
    let pieces = read_pieces(text, side).map_err(|entry| {
        format!(
            "{field}: `{entry}` is not a piece and its square (expected something like RE1, or E2 for a pawn)"
        )
    })?;
    let canonical = canonical_text(pieces.iter().copied());
    if canonical == text {
        Ok(pieces)
    } else {
        Err(format!("{field}: expected the canonical order {canonical}"))
    }
}

#[cfg(test)]
mod tests;
