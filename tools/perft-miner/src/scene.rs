//! A position with the double step that led to it.

use chess::{Bitboard, FenError, Move, PieceKind, Position, Setup, Square, attacks};
use referee::Variant;

/// A position, and the square that a pawn has just passed over if a pawn attacks it, even where the capture is illegal.
/// Our core forgets the square in that case, and whoever is after illegal captures needs it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The position.
    pub position: Position,
    /// The square passed over.
    pub passed: Option<Square>,
}

impl Scene {
    /// Reads a FEN.
    ///
    /// # Errors
    /// The text is no FEN, or the position is illegal.
    pub fn from_fen(fen: &str) -> Result<Scene, FenError> {
        let setup: Setup = fen.parse()?;
        let position = Position::try_from(&setup)?;
        let passed = setup.ep_square.filter(|&passed| is_attacked_by_pawn(&position, passed));
        Ok(Scene { position, passed })
    }

    /// The scene after a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> Scene {
        let is_pawn = self.position.kind_on(m.from()) == Some(PieceKind::Pawn);
        let is_double = is_pawn && m.from().index().abs_diff(m.to().index()) == 16;
        let passed = Square::from_index(usize::midpoint(m.from().index(), m.to().index()));
        let position = self.position.play(m);
        let passed = Some(passed).filter(|&passed| is_double && is_attacked_by_pawn(&position, passed));
        Scene { position, passed }
    }

    /// The FEN with the square passed over; castling rights by files in Chess960.
    pub fn fen(&self, variant: Variant) -> String {
        let fen = match variant {
            Variant::Standard => self.position.fen(),
            Variant::Chess960 => self.position.shredder_fen(),
        };
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let passed = self.passed.map(|square| square.to_string());
        if let (Some(passed), Some(field)) = (&passed, fields.get_mut(3)) {
            *field = passed;
        }
        fields.join(" ")
    }

    /// The pawns that attack the square passed over.
    pub(super) fn captors(&self) -> Bitboard {
        self.passed.map_or(Bitboard::EMPTY, |passed| pawns_attacking(&self.position, passed))
    }
}

fn is_attacked_by_pawn(position: &Position, passed: Square) -> bool {
    pawns_attacking(position, passed).any()
}

/// The pawns of the side to move that attack a square.
fn pawns_attacking(position: &Position, square: Square) -> Bitboard {
    let us = position.side_to_move();
    attacks::pawn(!us, square) & position.pieces(us, PieceKind::Pawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_square_passed_is_kept_where_a_pin_forbids_the_capture() {
        let fen = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1";
        let scene = Scene::from_fen(fen).unwrap();
        let m = scene.position.parse_uci("d7d5").unwrap();
        let after = scene.play(m);
        assert_eq!(after.position.ep_square(), None);
        let text = after.fen(Variant::Standard);
        assert_eq!(text, "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2");
        assert_eq!(Scene::from_fen(&text).unwrap().passed, after.passed);
    }

    #[test]
    fn a_square_that_no_pawn_attacks_is_not_kept() {
        let start = Scene::from_fen(Position::START_FEN).unwrap();
        let m = start.position.parse_uci("e2e4").unwrap();
        assert_eq!(start.play(m).passed, None);
        assert!(start.play(m).fen(Variant::Chess960).contains(" HAha - "));
    }
}
