//! The squares that a piece attacks, and the lines between squares: looked up in tables that the compiler computes, so
//! that nothing needs initialization.
//!
//! Sliding pieces are looked up by the occupied squares on their lines. Where the processor has PEXT (`target_feature =
//! "bmi2"`), these bits are gathered into an index by that one instruction; elsewhere a multiplication by a magic
//! number does it. The tests compare both with a walk along the rays.

mod leaper;
#[cfg(any(test, not(target_feature = "bmi2")))]
mod magic;
#[cfg(target_feature = "bmi2")]
mod pext;
pub(super) mod ray;
mod slider;

use super::{Bitboard, Color, PieceKind, Square};

#[cfg(not(target_feature = "bmi2"))]
pub use magic::{bishop, rook};
#[cfg(target_feature = "bmi2")]
pub use pext::{bishop, rook};

/// The squares a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    leaper::KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    leaper::KING[square.index()]
}

/// The squares a pawn of this colour attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    leaper::PAWN[color.index()][square.index()]
}

/// The squares a queen attacks on a board with these squares occupied.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares that a piece other than a pawn attacks on a board with these squares occupied; for a pawn, whose
/// attacks depend on its colour, none.
#[inline]
pub fn of_kind(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}

/// The squares a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    ray::BISHOP_RAYS[square.index()]
}

/// The squares a rook attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ray::ROOK_RAYS[square.index()]
}

/// The squares strictly between two squares of a common rank, file or diagonal; none if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    ray::BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge, both included; none if they share no line or
/// are the same.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    ray::LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_and_line_agree_with_slider_attacks() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let ends = a.bitboard() | b.bitboard();
                let mut expected = (Bitboard::EMPTY, Bitboard::EMPTY);
                for (rays, attacks) in
                    [(rook_rays(a), rook as fn(Square, Bitboard) -> Bitboard), (bishop_rays(a), bishop)]
                {
                    if rays.has(b) {
                        let across = attacks(a, Bitboard::EMPTY) & attacks(b, Bitboard::EMPTY);
                        expected = (attacks(a, ends) & attacks(b, ends), across | ends);
                    }
                }
                assert_eq!((between(a, b), line(a, b)), expected, "{a} {b}");
            }
        }
    }

    #[test]
    fn leapers_reach_their_squares_and_attack_mutually() {
        for a in Square::all() {
            for b in Square::all() {
                let files = a.file().index().abs_diff(b.file().index());
                let ranks = a.rank().index().abs_diff(b.rank().index());
                assert_eq!(knight(a).has(b), files * ranks == 2, "{a} {b}");
                assert_eq!(king(a).has(b), a.distance(b) == 1, "{a} {b}");
                let up = b.rank().index() == a.rank().index() + 1;
                assert_eq!(pawn(Color::White, a).has(b), files == 1 && up, "{a} {b}");
                assert_eq!(pawn(Color::White, a).has(b), pawn(Color::Black, b).has(a), "{a} {b}");
            }
        }
    }
}
