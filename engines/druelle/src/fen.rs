//! Positions from and to FEN, as the protocol has them.

use std::fmt::Write as _;

use uci::server::{Color, FenError, FenFields, FenPiece};

use super::game::Game;
use super::movement::{KING_COLUMN, ROOK_COLUMNS};
use super::piece::{Kind, Piece};
use super::side::Side;
use super::square::Square;

/// The letters of the castling rights with their player and wing.
const CASTLINGS: [(char, Side, usize); 4] =
    [('K', Side::White, 0), ('Q', Side::White, 1), ('k', Side::Black, 0), ('q', Side::Black, 1)];

impl Game {
    /// The initial position.
    ///
    /// # Panics
    /// Never: its FEN is legal.
    pub fn start() -> Game {
        Game::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("a legal position")
    }

    /// Any legal position. The clocks may be missing; they are then 0 and 1.
    ///
    /// # Errors
    /// [`FenError`] when a field cannot be read or the position cannot arise in a game.
    pub fn from_fen(text: &str) -> Result<Game, FenError> {
        let fields = FenFields::split(text)?;
        // More moves than any game has; the limit keeps their double within its type.
        let full_moves = read_number(fields.move_number, 1, "6 (move number)")?.clamp(1, 1 << 30);
        let turns = 2 * (full_moves - 1) + u32::from(fields.side == Color::Black);
        let pieces: Vec<Piece> = fields.pieces()?.into_iter().filter_map(piece_of).collect();
        let mut game = Game::with_pieces(&pieces, turns).map_err(FenError::Illegal)?;
        game.quiet_turns = read_number(fields.half_move_clock, 0, "5 (half-move clock)")?;
        game.read_castling(fields.castling)?;
        if game.is_check(game.turn().other()) {
            return Err(FenError::Illegal("the side that is not to move is in check"));
        }
        game.read_en_passant(fields.en_passant)?;
        Ok(game)
    }

    /// Lets kings and rooks castle that stand where castling starts.
    pub fn allow_castling_at_home(&mut self) {
        for (_, side, wing) in CASTLINGS {
            self.player_mut(side).castling[wing] = self.is_at_home(side, wing);
        }
    }

    /// The position as FEN, with the en passant square whenever a pawn has gone two squares.
    pub fn fen(&self) -> String {
        let mut text = String::new();
        for line in (0..8).rev() {
            let mut empty = 0;
            for column in 0..8 {
                let Some(piece) = self.piece_at(Square::new(column, line)) else {
                    empty += 1;
                    continue;
                };
                push_count(&mut text, std::mem::take(&mut empty));
                text.push(letter(piece));
            }
            push_count(&mut text, empty);
            text.push_str(if line > 0 { "/" } else { "" });
        }
        let turn = if self.turn() == Side::White { 'w' } else { 'b' };
        let may = |side, wing: usize| self.player(side).castling[wing];
        let castling: String =
            CASTLINGS.iter().filter(|(_, side, wing)| may(*side, *wing)).map(|(letter, ..)| letter).collect();
        let castling = if castling.is_empty() { "-".to_owned() } else { castling };
        let en_passant = self.player(self.turn().other()).en_passant;
        let en_passant = en_passant.map_or("-".to_owned(), |square| square.to_string());
        format!("{text} {turn} {castling} {en_passant} {} {}", self.quiet_turns, self.turns / 2 + 1)
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        for letter in text.chars().filter(|_| text != "-") {
            let (_, side, wing) = *CASTLINGS
                .iter()
                .find(|(known, ..)| *known == letter)
                .ok_or_else(|| FenError::field("3 (castling)", "letters of KQkq, or `-`", text))?;
            if !self.is_at_home(side, wing) {
                return Err(FenError::Illegal("the king or the rook is not where castling starts"));
            }
            self.player_mut(side).castling[wing] = true;
        }
        Ok(())
    }

    fn is_at_home(&self, side: Side, wing: usize) -> bool {
        let stands = |kind, column| {
            let piece = self.piece_at(Square::new(column, side.line(0)));
            piece.is_some_and(|piece| piece.kind == kind && piece.owner == side)
        };
        stands(Kind::King, KING_COLUMN) && stands(Kind::Rook, ROOK_COLUMNS[wing])
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square = Square::from_text(text);
        let expected = "a square such as e3, or `-`";
        let square = square.ok_or_else(|| FenError::field("4 (en passant)", expected, text))?;
        let side = self.turn().other();
        let pawn = square.offset((0, side.forward())).and_then(|ahead| self.piece_at(ahead));
        let is_pawn = pawn.is_some_and(|piece| piece.kind == Kind::Pawn && piece.owner == side);
        let behind = square.offset((0, -side.forward()));
        let is_free = [Some(square), behind].iter().flatten().all(|&square| self.id_at(square).is_none());
        if square.line != side.line(2) || !is_pawn || !is_free {
            return Err(FenError::Illegal("no pawn has just passed the en passant square"));
        }
        self.player_mut(side).en_passant = Some(square);
        Ok(())
    }
}

/// A number that may be missing.
fn read_number(text: Option<&str>, default: u32, field: &'static str) -> Result<u32, FenError> {
    let Some(text) = text else { return Ok(default) };
    text.parse().map_err(|_| FenError::field(field, "a whole number", text))
}

fn piece_of(found: FenPiece) -> Option<Piece> {
    let kind = Kind::from_letter(found.letter.to_ascii_lowercase())?;
    let owner = if found.letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Some(Piece { kind, square: Square::new(found.file as i8, found.rank as i8), owner })
}

/// The letter of FEN: capitals for White.
pub fn letter(piece: Piece) -> char {
    match piece.owner {
        Side::White => piece.kind.letter().to_ascii_uppercase(),
        Side::Black => piece.kind.letter(),
    }
}

fn push_count(text: &mut String, empty: u8) {
    if empty > 0 {
        // Writing to a text cannot fail.
        let _ = write!(text, "{empty}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_position_is_told_with_its_field() {
        for (fen, part) in [
            ("8/8 w -", "four to six fields, found 3"),
            ("8/8 w - -", "field 1 (board)"),
            ("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq -", "field 1 (board)"),
            ("44444444444444444444444444444444444/8/8/8/8/8/8/8 w - -", "field 1 (board)"),
            ("4k3/8/8/8/8/8/8/4K3 white - -", "field 2 (side to move)"),
            ("4k3/8/8/8/8/8/8/4K3 w X -", "field 3 (castling)"),
            ("4k3/8/8/8/8/8/8/4K3 w K -", "where castling starts"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", "field 4 (en passant)"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn has just passed"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "field 5 (half-move clock)"),
            ("4k3/8/8/8/8/8/8/8 w - -", "one king"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "first or the last rank"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - -", "not to move is in check"),
        ] {
            let message = Game::from_fen(fen).unwrap_err().to_string();
            assert!(message.contains(part), "{fen}: {message}");
        }
    }

    #[test]
    fn writing_what_was_read_is_the_identity() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 13 44",
        ] {
            assert_eq!(Game::from_fen(fen).unwrap().fen(), fen);
        }
    }
}
