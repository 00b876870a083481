//! The order of moves: the likeliest refutations first, with captures by static exchange evaluation (§2.1.3).
//!
//! Static exchange evaluation is the result of all captures on one square: both sides capture in turn with the least
//! valuable piece, pieces behind others join in, and a side that would lose by capturing stops. It ignores pins and the
//! rest of the board, which the document accepts for the speed.

use arrayvec::ArrayVec;
use chess::{Bitboard, Color, Move, MoveList, PieceKind, Position, Rank, Square};

use crate::evaluation::worth;

const MOST_MOVES: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MoveRank {
    /// A capture or promotion that loses this much by exchange.
    LosingCapture(i32),
    /// A quiet move that brings its piece this many steps nearer to the centre.
    Quiet(u8),
    Check,
    /// A capture or promotion that loses nothing, with its gain.
    Capture(i32),
    /// The best move of an earlier search.
    Remembered,
}

/// Sorts the moves: the remembered move, good captures, checks, moves towards the centre, other moves, bad captures.
/// Unless `by_exchange`, all captures are good and equal.
pub fn sort(position: &Position, moves: &mut MoveList, remembered: Option<Move>, by_exchange: bool) {
    let rank = |mv: Move| {
        if Some(mv) == remembered {
            MoveRank::Remembered
        } else if position.is_capture(mv) || mv.promotion().is_some() {
            match if by_exchange { exchange(position, mv) } else { 0 } {
                loss @ ..0 => MoveRank::LosingCapture(loss),
                gain => MoveRank::Capture(gain),
            }
        } else if position.gives_check(mv) {
            MoveRank::Check
        } else {
            MoveRank::Quiet(from_centre(mv.from()).saturating_sub(from_centre(mv.to())))
        }
    };
    let mut ranked: ArrayVec<(MoveRank, Move), MOST_MOVES> = moves.iter().map(|&mv| (rank(mv), mv)).collect();
    ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    for (place, (_, mv)) in moves.iter_mut().zip(ranked) {
        *place = mv;
    }
}

/// Steps along files and ranks to the nearest of the four central squares, 0 to 6.
fn from_centre(square: Square) -> u8 {
    let steps = |index: usize| if index < 4 { 3 - index } else { index - 4 };
    (steps(square.file().index()) + steps(square.rank().index())) as u8
}

/// The most captures on one square: the first, and one by each of fifteen pieces of either side.
const MOST_CAPTURES: usize = 32;

/// The gain of a legal move, in hundredths of a pawn, if both sides keep capturing on its target while it pays.
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
    // Backwards from the last capture: at each step, the side to move captures or stops.
    for index in (1..count).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

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

    /// Removes the least valuable attacker. A king does not capture a defended piece.
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

    /// The piece on the target after a capture: a pawn that captures on the last rank becomes a queen.
    fn becomes(&self, kind: PieceKind, side: Color) -> PieceKind {
        let is_last_rank = self.target.rank() == Rank::Eighth.relative_to(side);
        if kind == PieceKind::Pawn && is_last_rank { PieceKind::Queen } else { kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(fen: &str, remembered: Option<&str>, by_exchange: bool) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let mut moves = position.move_list();
        let remembered = remembered.and_then(|text| position.parse_uci(text));
        sort(&position, &mut moves, remembered, by_exchange);
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_classes_come_in_the_order_of_the_document() {
        let position = "6k1/8/2p5/p2p4/8/4N3/8/R5K1 w - - 0 1";
        let moves = sorted(position, Some("g1g2"), true);
        assert_eq!(moves[0], "g1g2", "the remembered move");
        assert_eq!(moves[1], "a1a5", "the good capture");
        assert_eq!(moves.last().unwrap(), "e3d5", "the bad capture");
        let place = |mv: &str| moves.iter().position(|text| text == mv).unwrap();
        assert!(place("a1d1") < place("a1b1"), "nearer to the centre goes first: {moves:?}");
        assert!(place("a1b1") < place("e3g2"), "a move away from it waits: {moves:?}");
    }

    #[test]
    fn captures_come_before_checks_and_without_exchanges_bad_ones_too() {
        for (fen, by_exchange, first) in [
            ("6k1/8/8/p7/8/8/8/R5K1 w - - 0 1", true, "a1a5"),
            ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", true, "a1a8"),
            ("3k4/3p4/2p5/p7/8/4N3/8/R3K3 w - - 0 1", false, "a1a5"),
            ("6k1/8/2p5/3p4/8/4N3/8/6K1 w - - 0 1", false, "e3d5"),
        ] {
            assert_eq!(sorted(fen, None, by_exchange)[0], first, "{fen}");
        }
    }

    #[test]
    fn the_centre_is_four_squares() {
        let distance = |text: &str| from_centre(text.parse().unwrap());
        assert_eq!(["d4", "e5", "c4", "e2", "a1", "h8"].map(distance), [0, 0, 1, 2, 6, 6]);
    }

    #[test]
    fn an_exchange_is_followed_to_its_end() {
        let promotions = "r7/1nkPPn2/5B2/8/7Q/8/8/3RK3 w - - 0 1";
        for (fen, mv, gain) in [
            // Figure 4 of the document: promotions, and pins, which are not seen.
            (promotions, "d7d8q", 2 * 300 - 2 * 100),
            (promotions, "e7e8q", 900 - 100),
            ("6k1/5rr1/8/8/8/5P2/6P1/6K1 b - - 0 1", "f7f3", 100 - 500),
            // Pieces behind others join in.
            ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100 - 500),
            ("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100),
            // A king does not capture what is defended.
            ("8/4k3/3p4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 100),
            ("8/4k3/3p4/8/8/8/3R4/4K3 w - - 0 1", "d2d6", 100 - 500),
            // En passant and castling.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(exchange(&position, position.parse_uci(mv).unwrap()), gain, "{fen} {mv}");
        }
    }
}
