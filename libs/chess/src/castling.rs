//! Castling rights, and the squares that must be empty or safe for castling.

use super::attacks::ray;
use super::{Bitboard, Color, File, Rank, Square};

/// The side to which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Towards the h-file: the king ends on the g-file.
    King,
    /// Towards the a-file: the king ends on the c-file.
    Queen,
}

impl CastlingSide {
    /// King side, then queen side.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of the king on which a rook stands.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if king.index() < rook.index() { Self::King } else { Self::Queen }
    }

    /// The file where the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file where the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// The rooks that may still castle, at most one on each side of each king. A player with such a rook has not moved the
/// king, so this set and the king's square suffice, in Chess960 too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    pub(super) const fn from_rooks(rooks: Bitboard) -> Self {
        Self(rooks)
    }

    /// The squares of the rooks that may castle, of both colours.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of one colour that may castle.
    #[inline]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.0 & Bitboard::back_rank(color)
    }

    /// The rook with which the king of this colour, on the square `king`, may castle to this side.
    pub fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// The rights left after a piece has left, or been captured on, any of these squares.
    #[inline]
    #[must_use]
    pub(super) fn without(self, squares: Bitboard) -> Self {
        Self(self.0 & !squares)
    }
}

#[derive(Clone, Copy)]
struct Path {
    empty: Bitboard,
    safe: Bitboard,
}

impl Path {
    const fn new(king: Square, rook: Square) -> Self {
        let side = CastlingSide::of(king, rook);
        let king_to = Square::new(side.king_file(), Rank::First);
        let rook_to = Square::new(side.rook_file(), Rank::First);
        let safe = ray::between(king, king_to).bits() | king_to.bitboard().bits();
        let rook_path = ray::between(rook, rook_to).bits() | rook_to.bitboard().bits();
        let movers = king.bitboard().bits() | rook.bitboard().bits();
        Self { empty: Bitboard::new((safe | rook_path) & !movers), safe: Bitboard::new(safe) }
    }
}

static PATHS: [[Path; 8]; 8] = {
    let mut paths = [[Path { empty: Bitboard::EMPTY, safe: Bitboard::EMPTY }; 8]; 8];
    let mut index = 0;
    while index < 64 {
        let (king, rook) = (Square::from_index(index / 8), Square::from_index(index % 8));
        if index / 8 != index % 8 {
            paths[index / 8][index % 8] = Path::new(king, rook);
        }
        index += 1;
    }
    paths
};

/// The squares that must be empty for this king to castle with this rook: every square that king or rook crosses or
/// ends on, except for their own two squares.
#[inline]
pub(super) fn must_be_empty(king: Square, rook: Square) -> Bitboard {
    let path = PATHS[king.file().index()][rook.file().index()].empty;
    Bitboard::new(path.bits() << (king.rank().index() * 8))
}

/// The squares that the king crosses or ends on, without its own: no enemy may attack them.
#[inline]
pub(super) fn must_be_safe(king: Square, rook: Square) -> Bitboard {
    let path = PATHS[king.file().index()][rook.file().index()].safe;
    Bitboard::new(path.bits() << (king.rank().index() * 8))
}
