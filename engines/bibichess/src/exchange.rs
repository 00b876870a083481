//! Static exchange evaluation: what the captures on one square come to (§2.1.3).
//!
//! Both sides capture in turn with the piece of least worth, pieces behind others join in, and whoever would lose by
//! capturing stops. Pins are not seen, and neither is what happens elsewhere: the document says so and takes the speed.

use chess::{Bitboard, Color, Move, PieceKind, Position, Rank, Square};

use crate::evaluation::worth;

/// The most captures on one square: fifteen pieces of each side and the first.
const MOST_CAPTURES: usize = 32;

/// What a legal move wins, in hundredths of a pawn, when both sides go on capturing where it ends as long as it pays.
pub fn exchange(position: &Position, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let mut on_target = position.kind_on(mv.from()).map_or(0, worth);
    let mut gains = [0; MOST_CAPTURES];
    gains[0] = position.captured(mv).map_or(0, worth);
    if let Some(kind) = mv.promotion() {
        gains[0] += worth(kind) - worth(PieceKind::Pawn);
        on_target = worth(kind);
    }
    let mut count = 1;
    let mut side = !position.side_to_move();
    let mut square = Contested::after(position, mv);
    while count < MOST_CAPTURES
        && let Some(kind) = square.next_capture(side)
    {
        let arrives = square.becomes(kind, side);
        gains[count] = on_target + worth(arrives) - worth(kind) - gains[count - 1];
        on_target = worth(arrives);
        count += 1;
        side = !side;
    }
    // Unstacked from the last: at each step the side to move captures or leaves it.
    for index in (1..count).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

/// The target square, and who still attacks it.
struct Contested<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
}

impl<'a> Contested<'a> {
    fn after(position: &'a Position, mv: Move) -> Contested<'a> {
        let target = mv.to();
        let mut occupied = position.occupied() & !mv.from().bitboard();
        if mv.is_en_passant() {
            occupied &= !Square::new(target.file(), mv.from().rank()).bitboard();
        }
        Contested { position, target, occupied }
    }

    /// Takes the attacker of least worth off the board. A king does not capture what is defended.
    fn next_capture(&mut self, side: Color) -> Option<PieceKind> {
        let attackers = self.position.attackers_to(self.target, self.occupied) & self.occupied;
        let ours = attackers & self.position.colored(side);
        let kind = PieceKind::ALL.into_iter().find(|&kind| (ours & self.position.of_kind(kind)).any())?;
        let from = (ours & self.position.of_kind(kind)).first()?;
        if kind == PieceKind::King && self.is_defended(!side, from) {
            return None;
        }
        self.occupied &= !from.bitboard();
        Some(kind)
    }

    /// Whether a side attacks the target once the piece on `gone` has left.
    fn is_defended(&self, side: Color, gone: Square) -> bool {
        let occupied = self.occupied & !gone.bitboard();
        (self.position.attackers_to(self.target, occupied) & occupied & self.position.colored(side)).any()
    }

    /// What a piece is once it stands on the target: a pawn that captures on the last rank becomes a queen.
    fn becomes(&self, kind: PieceKind, side: Color) -> PieceKind {
        let is_last_rank = self.target.rank() == Rank::Eighth.relative_to(side);
        if kind == PieceKind::Pawn && is_last_rank { PieceKind::Queen } else { kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange_of(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        exchange(&position, position.parse_uci(mv).unwrap())
    }

    #[test]
    fn pieces_behind_others_join_in() {
        let doubled = "3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1";
        assert_eq!(exchange_of(doubled, "d2d5"), 100 - 500);
        let tripled = "3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1";
        assert_eq!(exchange_of(tripled, "d2d5"), 100);
    }

    #[test]
    fn a_king_does_not_capture_what_is_defended() {
        assert_eq!(exchange_of("8/4k3/3p4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6"), 100);
        assert_eq!(exchange_of("8/4k3/3p4/8/8/8/3R4/4K3 w - - 0 1", "d2d6"), 100 - 500);
    }

    #[test]
    fn en_passant_and_castling_count_too() {
        assert_eq!(exchange_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
        assert_eq!(exchange_of("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 0);
        assert_eq!(exchange_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), 0);
    }
}
