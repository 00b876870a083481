//! The canonical text of a player's pieces, which the document calls a hash (section 3.1).
//!
//! `RE1:DD1:FC1…`: king, queen, bishops, rooks, knights, pawns, each kind by letter and number of its squares, so that
//! equal positions have equal texts. The document's own example writes a bishop on b2 as `F2`, where this reading has a
//! pawn on f2: initial and square, and for a pawn the square alone.

use super::game::Game;
use super::piece::{Kind, Piece};
use super::side::Side;
use super::square::Square;

/// The text of some pieces, whatever their order.
pub fn canonical_text(pieces: impl IntoIterator<Item = Piece>) -> String {
    let mut pieces: Vec<Piece> = pieces.into_iter().collect();
    pieces.sort_by_key(|piece| (piece.kind, piece.square));
    let entry =
        |piece: &Piece| format!("{}{}", piece.kind.initial(), piece.square.to_string().to_ascii_uppercase());
    pieces.iter().map(entry).collect::<Vec<_>>().join(":")
}

/// The pieces of a text, all of them `owner`'s; the entry that cannot be read where there is one.
pub fn read_pieces(text: &str, owner: Side) -> Result<Vec<Piece>, String> {
    text.split(':').map(|entry| read_entry(entry, owner).ok_or_else(|| entry.to_owned())).collect()
}

fn read_entry(entry: &str, owner: Side) -> Option<Piece> {
    let is_officer = entry.len() == 3;
    let kind = Kind::ALL.into_iter().find(|kind| !is_officer || entry.starts_with(kind.initial()))?;
    let kind = if is_officer { kind } else { Kind::Pawn };
    let square = Square::from_text(entry.strip_prefix(kind.initial())?)?;
    Some(Piece { kind, square, owner })
}

impl Game {
    /// The canonical text of a player.
    pub fn player_text(&self, side: Side) -> String {
        canonical_text(self.pieces_of(side))
    }

    /// The key of the opening base: both players and whose turn it is.
    pub fn opening_key(&self) -> String {
        let turn = if self.turn() == Side::White { "blancs" } else { "noirs" };
        format!("{} {} {turn}", self.player_text(Side::White), self.player_text(Side::Black))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_does_not_depend_on_the_order_of_the_pieces() {
        let text = "RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2:D2:E2:F2:G2:H2";
        let mut pieces = read_pieces(text, Side::White).unwrap();
        assert_eq!(Game::start().player_text(Side::White), text);
        pieces.reverse();
        assert_eq!(canonical_text(pieces), text);
    }

    #[test]
    fn two_ways_to_a_position_give_one_key() {
        let after = |moves: &[&str]| {
            let mut game = Game::start();
            for text in moves {
                let mv = game.find(text).unwrap();
                game.play(mv);
            }
            game.opening_key()
        };
        assert_eq!(after(&["d2d4", "g8f6", "c2c4"]), after(&["c2c4", "g8f6", "d2d4"]));
        assert_ne!(after(&["d2d4", "g8f6"]), after(&["d2d4"]));
    }

    #[test]
    fn an_entry_that_is_no_piece_is_named() {
        assert_eq!(read_pieces("RE1:XD1", Side::White), Err("XD1".to_owned()));
        assert_eq!(read_pieces("RE1:D", Side::White), Err("D".to_owned()));
    }
}
