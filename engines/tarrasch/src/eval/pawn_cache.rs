//! The pawn hash table: the score and the sets of a pawn structure, kept because most moves leave it unchanged.

use super::Score;
use super::pawn_info::PawnInfo;
use super::sum::Sum;
use super::terms::{pawns, shelter};
use chess::{Color, Position, Square, ZobristKey};

/// The number of entries, a power of two. Together they take three quarters of a megabyte.
const ENTRIES: usize = 1 << 13;

/// Entries by the pawn key.
#[derive(Debug)]
pub struct PawnCache(Box<[Entry]>);

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: ZobristKey,
    info: PawnInfo,
    /// White's score for the pawns minus Black's.
    score: Score,
    /// The shelter of each king on the square where it was last seen with these pawns.
    shelters: [Shelter; 2],
}

/// A king's shelter.
#[derive(Clone, Copy, Debug, Default)]
struct Shelter {
    king: Option<Square>,
    /// From White's point of view.
    score: Score,
}

impl Entry {
    fn new(position: &Position) -> Entry {
        let info = PawnInfo::new(position);
        let mut sum = Sum::default();
        for color in Color::ALL {
            pawns::count(position, color, &info, &mut sum);
        }
        Entry { key: position.pawn_key(), info, score: sum.total(), shelters: Default::default() }
    }
}

impl Shelter {
    fn new(position: &Position, us: Color) -> Shelter {
        let mut sum = Sum::default();
        shelter::count(position, us, &mut sum);
        shelter::count_pawn_distance(position, us, &mut sum);
        Shelter { king: Some(position.king(us)), score: sum.total() }
    }
}

impl PawnCache {
    /// An empty cache. The key of an empty entry is zero, which is also the key of a position without pawns: there its
    /// zeros are right.
    pub fn new() -> PawnCache {
        PawnCache(vec![Entry::default(); ENTRIES].into_boxed_slice())
    }

    /// The sets of the position's pawns, and White's score for pawns and king shelter minus Black's.
    #[inline]
    pub fn probe(&mut self, position: &Position) -> (PawnInfo, Score) {
        let key = position.pawn_key();
        let entry = &mut self.0[key.bits() as usize % ENTRIES];
        if entry.key != key {
            *entry = Entry::new(position);
        }
        let mut score = entry.score;
        for us in Color::ALL {
            let shelter = &mut entry.shelters[us.index()];
            if shelter.king != Some(position.king(us)) {
                *shelter = Shelter::new(position, us);
            }
            score += shelter.score;
        }
        (entry.info, score)
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
