//! Moves in two bytes, and their UCI notation.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{CastlingSide, PieceKind, Position, Square};

/// The moves of one position. A position that [`Position::from_fen`](super::Position::from_fen) accepts has at most
/// 218, because the material is checked.
pub type MoveList = ArrayVec<Move, 256>;

/// A move: six bits for the origin, six for the target, four for flags. Castling is stored as the king taking its own
/// rook, in standard chess too.
///
/// All bits zero would be a1 to a1, which is never a move, so `Option<Move>` also has two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const FLAG_SHIFT: u32 = 12;
const CASTLING: u16 = 1;
const EN_PASSANT: u16 = 2;
const PROMOTION: u16 = 4;

const PROMOTION_KINDS: [PieceKind; 4] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

impl Move {
    #[inline]
    const fn with_flag(from: Square, to: Square, flag: u16) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | flag << FLAG_SHIFT;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move leaves its square"),
        }
    }

    /// A move without promotion, castling or en passant.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::with_flag(from, to, 0)
    }

    /// A promotion.
    ///
    /// # Panics
    /// If the kind is a pawn or a king.
    #[inline]
    pub const fn promoting(from: Square, to: Square, kind: PieceKind) -> Self {
        assert!(!matches!(kind, PieceKind::Pawn | PieceKind::King), "no pawn becomes a pawn or a king");
        Self::with_flag(from, to, PROMOTION + kind as u16 - PieceKind::Knight as u16)
    }

    /// Castling, from the square of the king to the square of the rook.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::with_flag(king, rook, CASTLING)
    }

    /// An en-passant capture.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::with_flag(from, to, EN_PASSANT)
    }

    /// The move with these bits, whether or not any position allows it; `None` for zero.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The two bytes, for a hash table. Never zero.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.bits() as usize)
    }

    /// The square that the piece goes to; when castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.bits() >> 6) as usize)
    }

    #[inline]
    const fn flag(self) -> u16 {
        self.bits() >> FLAG_SHIFT
    }

    /// Whether the four flag bits have a valid value.
    #[inline]
    pub(super) const fn has_known_flag(self) -> bool {
        self.flag() < PROMOTION + 4 && self.flag() != 3
    }

    /// Whether the move is no promotion, castling or en-passant capture.
    #[inline]
    pub const fn is_normal(self) -> bool {
        self.flag() == 0
    }

    /// The kind of piece to which a pawn promotes, if the move is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.flag() & PROMOTION == 0 { None } else { Some(PROMOTION_KINDS[(self.flag() & 3) as usize]) }
    }

    /// Whether the king castles.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.flag() == CASTLING
    }

    /// Whether this is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.flag() == EN_PASSANT
    }
}

/// Origin, target and promotion letter, with castling as the king taking its rook: UCI's Chess960 notation.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Move {
    /// The move in UCI notation. Castling is the king taking its rook in Chess960 (`e1h1`), and otherwise the king's
    /// step (`e1g1`).
    pub fn to_uci(self, chess960: bool) -> String {
        if self.is_castling() && !chess960 {
            let side = CastlingSide::of(self.from(), self.to());
            return Move::normal(self.from(), Square::new(side.king_file(), self.from().rank())).to_string();
        }
        self.to_string()
    }
}

impl Position {
    /// The legal move that a UCI text stands for here, if any.
    ///
    /// Castling is accepted both as the king taking its rook and as the king moving two or more squares to the c- or
    /// g-file, in any variant. If the king can also step there, as from f1 to g1 in Chess960, the text means the step.
    pub fn parse_uci(&self, text: &str) -> Option<Move> {
        let (from, to): (Square, Square) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
        let promotion = match text.get(4..)? {
            "" => None,
            letter => Some(PieceKind::ALL.into_iter().find(|kind| letter == kind.letter().to_string())?),
        };
        let moves = self.move_list();
        let named = |m: &&Move| m.from() == from && m.to() == to && m.promotion() == promotion;
        let castles = |m: &&Move| {
            let side = CastlingSide::of(m.from(), m.to());
            m.is_castling() && m.from() == from && to == Square::new(side.king_file(), from.rank())
        };
        let found = moves.iter().find(named);
        if promotion.is_some() {
            found.copied()
        } else {
            found.or_else(|| moves.iter().find(castles)).copied()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_two_bytes_and_tells_what_it_was_made_of() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                for m in [Move::normal(from, to), Move::castling(from, to), Move::en_passant(from, to)] {
                    assert_eq!((m.from(), m.to(), m.promotion()), (from, to, None));
                    assert_eq!(Move::from_bits(m.bits()), Some(m));
                }
                for kind in PROMOTION_KINDS {
                    let m = Move::promoting(from, to, kind);
                    assert_eq!((m.from(), m.to(), m.promotion()), (from, to, Some(kind)));
                    assert!(m.has_known_flag() && !m.is_castling() && !m.is_en_passant() && !m.is_normal());
                }
            }
        }
    }
}
