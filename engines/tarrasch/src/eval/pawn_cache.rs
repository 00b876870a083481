//! What the pawns alone say about a position, kept from one visit to the next: most moves are not made by pawns.

use super::sum::Sum;
use super::terms::{pawns, shelter};
use super::trace::Trace;
use super::{Score, pawn_sets};
use chess::{Bitboard, Color, PieceKind, Position, Rank, Square, ZobristKey};

/// The number of entries, a power of two: three quarters of a megabyte.
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
    /// How closed the position is, from 0 to [`PawnEntry::MOST_CLOSED`].
    pub closedness: u8,
}

impl PawnEntry {
    /// Nearly all pawns are there and block each other.
    pub const MOST_CLOSED: i32 = 8;

    /// Counts the features of the pawns.
    pub fn new(position: &Position, trace: &mut impl Trace) -> PawnEntry {
        let of = |color| position.pieces(color, PieceKind::Pawn);
        let entry = PawnEntry {
            attacks: Color::ALL.map(|color| pawn_sets::attacks(of(color), color)),
            spans: Color::ALL.map(|color| pawn_sets::attack_span(of(color), color)),
            passed: Color::ALL.map(|color| pawn_sets::passed(position, color)),
            closedness: closedness(of(Color::White), of(Color::Black)),
        };
        for color in Color::ALL {
            pawns::count(position, color, &entry, trace);
        }
        entry
    }
}

/// More pawns and more that block each other close a position, files without pawns open it, with the factors of
/// Ethereal (Andrew Grant, 2019).
fn closedness(white: Bitboard, black: Bitboard) -> u8 {
    let all = white | black;
    let blocked = (white.forward(Color::White) & black).count() as i32;
    let open_files = 8 - (pawn_sets::files(all) & Bitboard::of_rank(Rank::First)).count() as i32;
    let sum = all.count() as i32 + 3 * blocked - 4 * open_files;
    (sum / 3).clamp(0, PawnEntry::MOST_CLOSED) as u8
}

/// A table of entries by the key of the pawns.
#[derive(Debug)]
pub struct PawnCache(Box<[Slot]>);

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: ZobristKey,
    /// White's score for the pawns less Black's.
    score: Score,
    entry: PawnEntry,
    shelters: [Shelter; 2],
}

/// The shelter of the king that was last seen behind these pawns, as it counts for White.
#[derive(Clone, Copy, Debug, Default)]
struct Shelter {
    king: Option<Square>,
    score: Score,
}

impl Shelter {
    fn new(position: &Position, us: Color) -> Shelter {
        let mut sum = Sum::default();
        shelter::count(position, us, &mut sum);
        shelter::count_steps(position, us, &mut sum);
        Shelter { king: Some(position.king(us)), score: sum.total() }
    }
}

impl PawnCache {
    /// A table that knows nothing but the position without pawns, whose key is zero as an empty slot's is.
    pub fn new() -> PawnCache {
        PawnCache(vec![Slot::default(); ENTRIES].into_boxed_slice())
    }

    /// The entry of the position's pawns, and White's score for them and the shelter of its king less Black's.
    #[inline]
    pub fn probe(&mut self, position: &Position) -> (PawnEntry, Score) {
        let key = position.pawn_key();
        let slot = &mut self.0[key.bits() as usize % ENTRIES];
        if slot.key != key {
            let mut sum = Sum::default();
            let entry = PawnEntry::new(position, &mut sum);
            *slot = Slot { key, score: sum.total(), entry, shelters: Default::default() };
        }
        let mut score = slot.score;
        for us in Color::ALL {
            let shelter = &mut slot.shelters[us.index()];
            if shelter.king != Some(position.king(us)) {
                *shelter = Shelter::new(position, us);
            }
            score += shelter.score;
        }
        (slot.entry, score)
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
