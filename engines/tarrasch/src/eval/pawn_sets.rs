//! Pawn fills and spans, for all pawns of a set at once (Chess Programming Wiki, "Pawn Spans"), and the pawn hash table.

use super::PhasedScore;
use super::terms::{king, pawns};
use super::trace::Sum;
use chess::{Bitboard, Color, PieceKind, Position, Rank, Square, ZobristKey};

/// The squares to the left and right of the set.
pub fn beside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

pub fn attacks(pawns: Bitboard, color: Color) -> Bitboard {
    beside(pawns.forward(color))
}

/// The front span: all squares in front of squares of the set.
pub fn in_front(set: Bitboard, color: Color) -> Bitboard {
    let mut filled = set.forward(color).bits();
    for shift in [8, 16, 32] {
        filled |= match color {
            Color::White => filled << shift,
            Color::Black => filled >> shift,
        };
    }
    Bitboard::new(filled)
}

pub fn files(set: Bitboard) -> Bitboard {
    set | in_front(set, Color::White) | in_front(set, Color::Black)
}

/// The squares that pawns of this colour attack or could attack after advancing.
pub fn attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    beside(in_front(pawns, color))
}

/// The passed pawns of this colour, only the foremost of each file.
pub fn passed(position: &Position, us: Color) -> Bitboard {
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    let guarded = in_front(theirs, !us) | attack_span(theirs, !us);
    ours & !guarded & !in_front(ours, !us)
}

/// Sets of squares that depend only on the pawns of both sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnInfo {
    pub attacks: [Bitboard; 2],
    /// The squares that each side's pawns attack or could attack after advancing.
    pub spans: [Bitboard; 2],
    pub passed: [Bitboard; 2],
    /// How closed the position is, from 0 to [`PawnInfo::MAX_CLOSEDNESS`].
    pub closedness: u8,
}

impl PawnInfo {
    /// The largest `closedness`: nearly all pawns are on the board and block each other.
    pub const MAX_CLOSEDNESS: i32 = 8;

    pub fn new(position: &Position) -> PawnInfo {
        let of = |color| position.pieces(color, PieceKind::Pawn);
        PawnInfo {
            attacks: Color::ALL.map(|color| attacks(of(color), color)),
            spans: Color::ALL.map(|color| attack_span(of(color), color)),
            passed: Color::ALL.map(|color| passed(position, color)),
            closedness: closedness(of(Color::White), of(Color::Black)),
        }
    }
}

/// (pawns + 3 × blocked pawns - 4 × open files) / 3, as in Ethereal (Andrew Grant, 2019).
fn closedness(white: Bitboard, black: Bitboard) -> u8 {
    let all = white | black;
    let blocked = (white.forward(Color::White) & black).count() as i32;
    let open_files = 8 - (files(all) & Bitboard::of_rank(Rank::First)).count() as i32;
    let sum = all.count() as i32 + 3 * blocked - 4 * open_files;
    (sum / 3).clamp(0, PawnInfo::MAX_CLOSEDNESS) as u8
}

/// The number of entries, a power of two. Together they take three quarters of a megabyte.
const ENTRIES: usize = 1 << 13;

/// The pawn hash table: entries by the pawn key, kept because most moves leave a pawn structure unchanged.
#[derive(Debug)]
pub struct PawnCache(Box<[Entry]>);

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: ZobristKey,
    info: PawnInfo,
    /// White's score for the pawns minus Black's.
    score: PhasedScore,
    /// The shelter of each king on the square where it was last seen with these pawns.
    shelters: [Shelter; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Shelter {
    king: Option<Square>,
    /// From White's point of view.
    score: PhasedScore,
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
        king::count_shelter(position, us, &mut sum);
        king::count_pawn_distance(position, us, &mut sum);
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
    pub fn probe(&mut self, position: &Position) -> (PawnInfo, PhasedScore) {
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
