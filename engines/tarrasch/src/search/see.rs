//! Static exchange evaluation (SEE): what a series of captures on one square wins or loses (Chess Programming Wiki, "SEE
//! - The Swap Algorithm").
//!
//! Each side captures with its least valuable piece and may stop at any time. X-ray attackers join in; pins are ignored.
//! A pawn that captures on the last rank becomes a queen.

use chess::{Bitboard, Color, Move, PieceKind, Position, Rank, Square, attacks};

/// The piece values of SEE in centipawns, by [`PieceKind::index`]. Knight and bishop are equal; the king is worth more
/// than all other pieces together.
const VALUES: [i32; 6] = [100, 325, 325, 500, 1000, 20_000];
/// The maximum number of captures on one square.
const MAX_CAPTURES: usize = 32;

pub fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// The SEE of the legal move `mv` in centipawns.
fn see(position: &Position, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let us = position.side_to_move();
    let mut gain = position.captured(mv).map_or(0, value);
    let mut on_target = position.kind_on(mv.from()).map_or(0, value);
    if let Some(kind) = mv.promotion() {
        gain += value(kind) - value(PieceKind::Pawn);
        on_target = value(kind);
    }
    let mut exchange = Exchange::after(position, mv);
    let mut gains = [0; MAX_CAPTURES];
    gains[0] = gain;
    let (mut captures, mut side) = (1, !us);
    while captures < MAX_CAPTURES
        && let Some(capture) = exchange.capture_with_least(side)
    {
        gains[captures] = on_target + capture.promotion - gains[captures - 1];
        on_target = capture.on_target;
        captures += 1;
        side = !side;
    }
    // Backwards from the last capture: a side that would lose by capturing does not.
    for index in (1..captures).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

/// Whether the SEE of the legal move `mv` is at least `threshold`. Often decided before the last capture.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() || matches!(mv.to().rank(), Rank::First | Rank::Eighth) {
        // With promotions the early exit below would be wrong.
        return see(position, mv) >= threshold;
    }
    // For the side that moved last: its gain minus its threshold, once its moved piece is lost, too.
    let mut balance = position.captured(mv).map_or(0, value) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= position.kind_on(mv.from()).map_or(0, value);
    if balance >= 0 {
        return true;
    }
    let us = position.side_to_move();
    let mut exchange = Exchange::after(position, mv);
    let mut side = !us;
    while balance < 0
        && let Some(capture) = exchange.capture_with_least(side)
    {
        // From the other side's view, which must gain at least one centipawn.
        balance = -balance - 1 - capture.on_target;
        side = !side;
    }
    side != us
}

/// The board during an exchange on one square.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    attackers: Bitboard,
}

/// One recapture.
struct Capture {
    /// The value of the piece that now stands on the target square.
    on_target: i32,
    /// The gain by promotion.
    promotion: i32,
}

impl<'a> Exchange<'a> {
    fn after(position: &'a Position, mv: Move) -> Exchange<'a> {
        let target = mv.to();
        let mut occupied = position.occupied() & !mv.from().bitboard();
        if mv.is_en_passant() {
            occupied &= !Square::new(target.file(), mv.from().rank()).bitboard();
        }
        let attackers = position.attackers_to(target, occupied) & occupied;
        Exchange { position, target, occupied, attackers }
    }

    /// Captures with the least valuable attacker of `side`. A king captures only an undefended piece.
    fn capture_with_least(&mut self, side: Color) -> Option<Capture> {
        let ours = self.attackers & self.position.colored(side);
        let kind = PieceKind::ALL.into_iter().find(|&kind| (ours & self.position.of_kind(kind)).any())?;
        if kind == PieceKind::King && (self.attackers & self.position.colored(!side)).any() {
            return None;
        }
        let from = (ours & self.position.of_kind(kind)).first()?;
        self.occupied &= !from.bitboard();
        self.uncover(kind);
        self.attackers &= self.occupied;
        let promotes = kind == PieceKind::Pawn && self.target.rank() == Rank::Eighth.relative_to(side);
        let on_target = if promotes { value(PieceKind::Queen) } else { value(kind) };
        Some(Capture { on_target, promotion: on_target - value(kind) })
    }

    /// Adds the x-ray attackers behind a piece of this kind.
    fn uncover(&mut self, kind: PieceKind) {
        let of_kind = |kind| self.position.of_kind(kind);
        let queens = of_kind(PieceKind::Queen);
        if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
            let seen = attacks::bishop(self.target, self.occupied);
            self.attackers |= seen & (of_kind(PieceKind::Bishop) | queens);
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            let seen = attacks::rook(self.target, self.occupied);
            self.attackers |= seen & (of_kind(PieceKind::Rook) | queens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: i32 = VALUES[0];
    const N: i32 = VALUES[1];
    const R: i32 = VALUES[3];
    const Q: i32 = VALUES[4];

    #[test]
    fn exchanges_are_worth_what_the_literature_says() {
        let promotions = "r7/1nkPPn2/5B2/8/7Q/8/8/3RK3 w - -";
        for (fen, mv, value) in [
            // The figures 4 of the `BibiChess` document: promotions, and pins that do not count.
            (promotions, "d7d8q", 2 * N - 2 * P),
            (promotions, "e7e8q", Q - P),
            ("6k1/5rr1/8/8/8/5P2/6P1/6K1 b - -", "f7f3", P - R),
            // Pieces behind others join in.
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "d3e5", P - N),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "e1e5", P),
            // A king does not capture what is defended.
            ("8/4k3/3p4/8/8/8/3R4/3RK3 w - -", "d2d6", P),
            ("8/4k3/3p4/8/8/8/3R4/4K3 w - -", "d2d6", P - R),
            // En passant, and quiet moves.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", P),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 0),
            ("4k3/2p5/8/8/8/8/8/3QK3 w - -", "d1d6", -Q),
            ("4k3/8/8/8/8/8/8/4K2R w K -", "e1g1", 0),
        ] {
            let position = Position::from_fen(&format!("{fen} 0 1")).unwrap();
            assert_eq!(see(&position, position.parse_uci(mv).unwrap()), value, "{fen} {mv}");
        }
    }

    #[test]
    fn the_short_answer_is_the_long_one() {
        for fen in uci::server::bench_positions() {
            let position = Position::from_fen(fen).unwrap();
            for &mv in &position.move_list() {
                let exact = see(&position, mv);
                for threshold in (-1100..1100).step_by(25).chain([exact, exact + 1]) {
                    assert_eq!(see_at_least(&position, mv, threshold), exact >= threshold, "{mv} {position}");
                }
            }
        }
    }
}
