//! The opening base: replies to known positions, found by their canonical text (sections 3 and 3.1).
//!
//! The base is a text file, so that it can be read and extended; the shipped `engines/druelle/openings.base` explains its
//! lines. Every line is checked when the base is read: its texts are canonical, its position is legal, and its reply is
//! legal there by the referee's rules.

use std::collections::{HashMap, HashSet};
use std::fs;

use chess::{Color, PieceKind};
use referee::druelle::french;
use referee::{Referee, Variant};

use super::board::{Piece, Square, initial, place};
use super::game::Game;
use super::movement::Move;

pub const SHIPPED_NAME: &str = "engines/druelle/openings.base";
const SHIPPED: &str = include_str!("../openings.base");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub mv: Move,
    pub opening: String,
}

#[derive(Clone, Debug, Default)]
pub struct OpeningBase {
    replies: HashMap<String, Vec<Reply>>,
    /// The keys of the positions after the replies.
    pub known: HashSet<u64>,
}

impl OpeningBase {
    pub fn shipped() -> OpeningBase {
        OpeningBase::parse(SHIPPED_NAME, SHIPPED).expect("the base that ships is sound, as a test shows")
    }

    /// Reads a base from a file; an error names the line and the field.
    pub fn load(file: &str) -> Result<OpeningBase, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        OpeningBase::parse(file, &text)
    }

    pub fn parse(file: &str, text: &str) -> Result<OpeningBase, String> {
        let mut base = OpeningBase::default();
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                base.add(line).map_err(|reason| format!("{file}:{}: {reason}", index + 1))?;
            }
        }
        Ok(base)
    }

    /// The replies to a position, the preferred one first.
    pub fn replies(&self, game: &Game) -> &[Reply] {
        self.replies.get(&game.opening_key()).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[opening, white, black, turn, reply] = fields.as_slice() else {
            return Err(format!(
                "expected five fields between bars (opening | white | black | turn | reply), found {}",
                fields.len()
            ));
        };
        let mut pieces = player(white, Color::White)?;
        pieces.extend(player(black, Color::Black)?);
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

/// Parses pieces from a text that must be canonical, because lookups would miss any other.
fn player(text: &str, side: Color) -> Result<Vec<Piece>, String> {
    let field = if side == Color::White { "field 2 (white)" } else { "field 3 (black)" };
    let expected = "expected something like RE1, or E2 for a pawn";
    let refusal = |entry: &str| format!("{field}: `{entry}` is not a piece and its square ({expected})");
    let read = |entry: &str| read_entry(entry, side).ok_or_else(|| refusal(entry));
    let pieces = text.split(':').map(read).collect::<Result<Vec<Piece>, String>>()?;
    let canonical = canonical_text(pieces.iter().copied());
    if canonical == text {
        Ok(pieces)
    } else {
        Err(format!("{field}: expected the canonical order {canonical}"))
    }
}

/// The canonical text of some pieces, whatever their order.
pub fn canonical_text(pieces: impl IntoIterator<Item = Piece>) -> String {
    let mut pieces: Vec<Piece> = pieces.into_iter().collect();
    pieces.sort_by_key(|piece| (place(piece.kind), piece.square));
    let entry =
        |piece: &Piece| format!("{}{}", initial(piece.kind), piece.square.to_string().to_ascii_uppercase());
    pieces.iter().map(entry).collect::<Vec<_>>().join(":")
}

fn read_entry(entry: &str, owner: Color) -> Option<Piece> {
    let is_officer = entry.len() == 3;
    let kind =
        PieceKind::ALL.into_iter().rev().find(|kind| !is_officer || entry.starts_with(initial(*kind)))?;
    let kind = if is_officer { kind } else { PieceKind::Pawn };
    let square = Square::from_text(entry.strip_prefix(initial(kind))?)?;
    Some(Piece { kind, square, owner })
}

impl Game {
    pub fn player_text(&self, side: Color) -> String {
        canonical_text(self.pieces_of(side))
    }

    pub fn opening_key(&self) -> String {
        let turn = if self.turn() == Color::White { "blancs" } else { "noirs" };
        format!("{} {} {turn}", self.player_text(Color::White), self.player_text(Color::Black))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's four openings, move by move in its notation, and the player who plays them.
    const OPENINGS: [(&str, Color, &[&str]); 4] = [
        ("Défense indienne", Color::Black, &["d4", "Cf6", "c4", "e6", "Cf3", "b6"]),
        ("Défense Benoni", Color::Black, &["d4", "Cf6", "c4", "c5"]),
        ("Mat du berger", Color::White, &["e4", "e5", "Dh5", "Cc6", "Fc4", "Cf6", "Df7"]),
        ("Croisade du cavalier", Color::Black, &["d4", "Cf6", "Cd2", "e5", "de5", "Cg4", "h3", "Ce3"]),
    ];

    #[test]
    fn the_base_answers_its_four_openings() {
        let base = OpeningBase::shipped();
        for (name, side, line) in OPENINGS {
            assert!(base.replies.values().flatten().any(|reply| reply.opening == name), "{name}");
            let mut game = Game::start();
            for text in line {
                let referee = Referee::from_fen(&game.fen(), Variant::Standard).unwrap();
                let mv = game.find(&french::french_to_uci(&referee, text).unwrap()).unwrap();
                if game.turn() == side {
                    assert!(base.replies(&game).iter().any(|reply| reply.mv == mv), "{name}: {text}");
                }
                game.play(mv);
                if game.turn() != side {
                    assert!(base.known.contains(&game.key()), "{name}: the position after {text}");
                }
            }
        }
    }

    #[test]
    fn a_bad_line_is_told_with_file_line_and_field() {
        for (line, part) in [
            ("a | RE1 | RE8 | blancs", "expected five fields"),
            ("a | RE1:XA1 | RE8 | blancs | Re2", "field 2 (white): `XA1` is not a piece"),
            ("a | RE1:D | RE8 | blancs | Re2", "field 2 (white): `D` is not a piece"),
            ("a | RE1 | A7:RE8 | blancs | Re2", "field 3 (black): expected the canonical order RE8:A7"),
            ("a | RE1 | RE8 | gris | Re2", "field 4 (turn)"),
            ("a | RE1 | RE8 | blancs | Re3", "field 5 (reply)"),
            ("a | RE1 | RE8 | blancs | Ke2", "French notation"),
            ("a | RE1 | RE2 | blancs | Re2", "expected a legal position"),
            ("a | RE1:DE8 | RE8 | blancs | Re2", "two pieces"),
            ("a | DE1 | RE8 | blancs | Re2", "one king"),
        ] {
            let text = format!("# a comment\n\n{line}\n");
            let message = OpeningBase::parse("my.base", &text).unwrap_err();
            assert!(message.starts_with("my.base:3: ") && message.contains(part), "{line}: {message}");
        }
    }
}
