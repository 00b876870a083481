//! What the pawns alone say about a position, kept from one visit to the next: most moves are not made by pawns.

use super::sum::Sum;
use super::tally::Tally;
use super::terms::pawns;
use super::{Score, pawn_sets};
use crate::chess::{Bitboard, Color, PieceKind, Position, ZobristKey};

/// The number of entries, a power of two: half a megabyte.
const ENTRIES: usize = 1 << 13;

/// What follows from the pawns of both sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnEntry {
    /// The squares that each side's pawns attack.
    pub attacks: [Bitboard; 2],
    /// The squares that each side's pawns attack or could attack after advancing.
    pub spans: [Bitboard; 2],
    /// The passed pawns of each side.
    pub passed: [Bitboard; 2],
}

impl PawnEntry {
    /// Counts the features of the pawns.
    pub fn new(position: &Position, tally: &mut impl Tally) -> PawnEntry {
        let of = |color| position.pieces(color, PieceKind::Pawn);
        let entry = PawnEntry {
            attacks: Color::ALL.map(|color| pawn_sets::attacks(of(color), color)),
            spans: Color::ALL.map(|color| pawn_sets::attack_span(of(color), color)),
            passed: Color::ALL.map(|color| pawn_sets::passed(position, color)),
        };
        for color in Color::ALL {
            pawns::count(position, color, &entry, tally);
        }
        entry
    }
}

/// A table of entries by the key of the pawns.
#[derive(Debug)]
pub struct PawnCache(Box<[Slot]>);

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: ZobristKey,
    score: Score,
    entry: PawnEntry,
}

impl PawnCache {
    /// A table that knows nothing but the position without pawns, whose key is zero as an empty slot's is.
    pub fn new() -> PawnCache {
        PawnCache(vec![Slot::default(); ENTRIES].into_boxed_slice())
    }

    /// The entry of the position's pawns, and White's score for them less Black's.
    #[inline]
    pub fn probe(&mut self, position: &Position) -> (PawnEntry, Score) {
        let key = position.pawn_key();
        let slot = &mut self.0[key.bits() as usize % ENTRIES];
        if slot.key != key {
            let mut sum = Sum::default();
            let entry = PawnEntry::new(position, &mut sum);
            *slot = Slot { key, score: sum.total(), entry };
        }
        (slot.entry, slot.score)
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
