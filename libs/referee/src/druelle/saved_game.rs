//! A game saved as JSON.
//!
//! The format is from M. Druelle, P. Boutes and D. Cassan, "Documentation sur le jeu d'échecs et son implémentation"
//! (2014), section 5.1: the number of turns, whether and where a pawn can be captured en passant, and the pieces of
//! both players in French notation. A turn is one player's move, so the number also gives the side to move. Two fields
//! are Arbiter's: `Roques`, the castling rights (letters as in FEN), and `Demi_coups`, the halfmove clock. Without
//! them, a side whose king and rook are on their initial squares may castle, and the clock is 0.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use shakmaty::variant::VariantPosition;
use shakmaty::{Color, EnPassantMode, Position, Role, Square};
use thiserror::Error;

use super::french::{player_text, read_player};
use crate::{FenError, Referee, Variant, fen};

/// A legal position with its clocks, which can be written to and read from the JSON of a saved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    position: VariantPosition,
}

/// The reason that a game could not be restored, with the file and the field.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct SavedGameError(String);

/// The whole file, with the field names of the document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "Partie")]
    game: GameFields,
    #[serde(rename = "Joueurs1")]
    white: PlayerFields,
    #[serde(rename = "Joueurs2")]
    black: PlayerFields,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFields {
    #[serde(rename = "Nombre_de_tours")]
    turns: u64,
    #[serde(rename = "PrisePassant")]
    is_en_passant: bool,
    /// A square such as `E3`; empty if no en-passant capture is possible.
    #[serde(rename = "PositionPrisePassant", default)]
    en_passant: String,
    #[serde(rename = "Roques", default)]
    castling: Option<String>,
    #[serde(rename = "Demi_coups", default)]
    halfmoves: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerFields {
    #[serde(rename = "Hash")]
    pieces: String,
}

impl SavedGame {
    /// The current position of a game of standard chess.
    pub fn of(referee: &Referee) -> SavedGame {
        SavedGame { position: referee.position.clone() }
    }

    /// A legal position of standard chess.
    ///
    /// # Errors
    /// [`FenError`] if the FEN cannot be read or the position is illegal.
    pub fn from_fen(text: &str) -> Result<SavedGame, FenError> {
        Ok(SavedGame { position: fen::parse_position(text, Variant::Standard)? })
    }

    /// The FEN of the position.
    pub fn fen(&self) -> String {
        fen::write(&self.position)
    }

    /// The text of the file.
    ///
    /// # Panics
    /// Never: numbers and texts can always be written as JSON.
    pub fn to_json(&self) -> String {
        let board = self.position.board();
        let player = |color| PlayerFields { pieces: player_text(board, color) };
        let setup = self.position.to_setup(EnPassantMode::Legal);
        let full_moves = u64::from(setup.fullmoves.get()) - 1;
        let en_passant = setup.ep_square.map(|square| square.to_string().to_ascii_uppercase());
        let fen = self.fen();
        let game = GameFields {
            turns: 2 * full_moves + u64::from(setup.turn == Color::Black),
            is_en_passant: en_passant.is_some(),
            en_passant: en_passant.unwrap_or_default(),
            castling: fen.split(' ').nth(2).map(str::to_owned),
            halfmoves: setup.halfmoves,
        };
        let file = File { game, white: player(Color::White), black: player(Color::Black) };
        serde_json::to_string_pretty(&file).expect("numbers and texts are JSON") + "\n"
    }

    /// Reads the text of a file; `name` is for messages.
    ///
    /// # Errors
    /// [`SavedGameError`] with the field that has an error.
    pub fn parse(name: &str, text: &str) -> Result<SavedGame, SavedGameError> {
        let wrong = |problem: String| SavedGameError(format!("{name}: {problem}"));
        let read: File =
            serde_json::from_str(text).map_err(|error| wrong(format!("not a saved game: {error}")))?;
        let pieces = |field, player: &PlayerFields| {
            read_player(&player.pieces).map_err(|problem| wrong(format!("{field}.Hash: {problem}")))
        };
        let (white, black) = (pieces("Joueurs1", &read.white)?, pieces("Joueurs2", &read.black)?);
        let fen = fen_of(&read.game, &white, &black);
        let fen = fen.map_err(|(field, expected, found)| {
            wrong(format!("Partie.{field}: expected {expected}, found {found}"))
        })?;
        SavedGame::from_fen(&fen).map_err(|error| wrong(error.to_string()))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`SavedGameError`] if the file cannot be read or is not a saved game.
    pub fn load(path: &Path) -> Result<SavedGame, SavedGameError> {
        let name = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => SavedGame::parse(&name, &String::from_utf8_lossy(&bytes)),
            Err(error) => Err(SavedGameError(format!("{name}: {error}"))),
        }
    }
}

/// The name of a field, what was expected, and what was found.
type BadField = (&'static str, &'static str, String);

/// The FEN of the fields, whose legality is not checked.
fn fen_of(game: &GameFields, white: &[(Role, Square)], black: &[(Role, Square)]) -> Result<String, BadField> {
    let turn = if game.turns.is_multiple_of(2) { 'w' } else { 'b' };
    let full_moves = u32::try_from(game.turns / 2 + 1).map_err(|_| {
        let expected = "the number of moves that both players have made";
        ("Nombre_de_tours", expected, game.turns.to_string())
    })?;
    let board = board_text(white, black)?;
    let en_passant = en_passant_text(game)?;
    let castling = match &game.castling {
        Some(rights) => rights.clone(),
        None => rights_at_home(white, black),
    };
    Ok(format!("{board} {turn} {castling} {en_passant} {} {full_moves}", game.halfmoves))
}

fn board_text(white: &[(Role, Square)], black: &[(Role, Square)]) -> Result<String, BadField> {
    let mut board = shakmaty::Board::empty();
    let of = |pieces: &[(Role, Square)], color| {
        pieces.iter().map(move |&(role, square)| (square, role.of(color))).collect::<Vec<_>>()
    };
    for (square, piece) in [of(white, Color::White), of(black, Color::Black)].concat() {
        if board.piece_at(square).is_some() {
            let found = format!("pieces of both players on {square}");
            return Err(("Hash", "at most one piece on a square", found));
        }
        board.set_piece_at(square, piece);
    }
    Ok(board.board_fen().to_string())
}

fn en_passant_text(game: &GameFields) -> Result<String, BadField> {
    let square = game.en_passant.to_ascii_lowercase().parse::<Square>().ok();
    match (game.is_en_passant, square) {
        (true, Some(square)) => Ok(square.to_string()),
        (false, None) if game.en_passant.is_empty() => Ok("-".to_owned()),
        (is_en_passant, _) => {
            let expected =
                if is_en_passant { "a square such as E3" } else { "nothing, as PrisePassant is false" };
            Err(("PositionPrisePassant", expected, format!("`{}`", game.en_passant)))
        }
    }
}

fn rights_at_home(white: &[(Role, Square)], black: &[(Role, Square)]) -> String {
    let has = |player: &[(Role, Square)], role, square| player.contains(&(role, square));
    let may = |player, king, rook| has(player, Role::King, king) && has(player, Role::Rook, rook);
    let rights: String = [
        ('K', may(white, Square::E1, Square::H1)),
        ('Q', may(white, Square::E1, Square::A1)),
        ('k', may(black, Square::E8, Square::H8)),
        ('q', may(black, Square::E8, Square::A8)),
    ]
    .into_iter()
    .filter_map(|(letter, may)| may.then_some(letter))
    .collect();
    if rights.is_empty() { "-".to_owned() } else { rights }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{after_from_start, random_game};

    #[test]
    fn the_file_has_the_fields_of_the_document() {
        let json = SavedGame::of(&after_from_start("e2e4 a7a6 e4e5 d7d5")).to_json();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["Partie"]["Nombre_de_tours"], 4);
        assert_eq!(value["Partie"]["PrisePassant"], true);
        assert_eq!(value["Partie"]["PositionPrisePassant"], "D6");
        let white = "RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2:D2:E5:F2:G2:H2";
        let black = "RE8:DD8:FC8:FF8:TA8:TH8:CB8:CG8:A6:B7:C7:D5:E7:F7:G7:H7";
        assert_eq!((&value["Joueurs1"]["Hash"], &value["Joueurs2"]["Hash"]), (&white.into(), &black.into()));
    }

    /// A file as shown in the document, without Arbiter's own fields.
    #[test]
    fn a_file_with_the_fields_of_the_document_alone_is_read() {
        let text = r#"{
            "Partie": { "Nombre_de_tours": 41, "PrisePassant": false, "PositionPrisePassant": "" },
            "Joueurs1": { "Hash": "RE1 TH1 :A2" },
            "Joueurs2": { "Hash": "RE8:TA8:TC8" }
        }"#;
        let game = SavedGame::parse("game.json", text).unwrap();
        assert_eq!(game.fen(), "r1r1k3/8/8/8/8/8/P7/4K2R b Kq - 0 21");
    }

    #[test]
    fn every_field_that_is_edited_badly_is_named() {
        let good = SavedGame::of(&after_from_start("e2e4")).to_json();
        for (from, to, part) in [
            ("RE1", "RE9", "Joueurs1.Hash: `RE9` is not a piece"),
            ("RE8", "E8", "expected a legal position"),
            ("RE8:", "", "expected a legal position"),
            ("DD8", "DE8", "Joueurs2.Hash: two pieces stand on e8"),
            ("DD8", "DD1", "pieces of both players on d1"),
            ("\"PrisePassant\": false", "\"PrisePassant\": true", "PositionPrisePassant: expected a square"),
            ("\"PositionPrisePassant\": \"\"", "\"PositionPrisePassant\": \"E3\"", "expected nothing"),
            ("\"PrisePassant\": false", "\"PrisePassant\": 7", "line 4"),
            ("\"Nombre_de_tours\": 1", "\"Nombre_de_tours\": -1", "line 3"),
            ("\"Nombre_de_tours\": 1", "\"Nombre_de_tours\": 99999999999", "Partie.Nombre_de_tours"),
            ("\"Roques\": \"KQkq\"", "\"Roques\": \"xyz\"", "castling"),
            ("Joueurs2", "Joueur2", "unknown field `Joueur2`"),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good, "{from}");
            let message = SavedGame::parse("game.json", &bad).unwrap_err().to_string();
            assert!(message.starts_with("game.json: ") && message.contains(part), "{to}: {message}");
        }
    }

    proptest! {
        #[test]
        fn restoring_what_was_saved_is_the_identity(choices in prop::collection::vec(0_usize..1000, 0..120)) {
            let (_, referee) = random_game(Variant::Standard, &choices);
            let restored = SavedGame::parse("game.json", &SavedGame::of(&referee).to_json()).unwrap();
            prop_assert_eq!(restored.fen(), referee.fen());
        }
    }
}
