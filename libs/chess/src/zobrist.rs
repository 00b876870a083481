//! Zobrist keys: hash keys of positions, updated incrementally; and the pseudorandom generator that keys and magics
//! come from.

use std::ops::BitXorAssign;

use super::{Bitboard, Color, File, Piece, PieceKind, Square};

/// The hash key of a position. Two positions that differ in pieces, side to move, castling rights or a legal en-passant
/// capture have different keys, except with a probability of about 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ZobristKey(u64);

impl ZobristKey {
    pub(super) const ZERO: Self = Self(0);

    /// The key as a number.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) fn of_piece(piece: Piece, square: Square) -> Self {
        Self(PIECES[piece.color.index()][piece.kind.index()][square.index()])
    }

    #[inline]
    pub(super) const fn of_black_to_move() -> Self {
        Self(BLACK_TO_MOVE)
    }

    #[inline]
    pub(super) fn of_en_passant(file: File) -> Self {
        Self(EN_PASSANT[file.index()])
    }

    #[inline]
    pub(super) fn of_castling(rooks: Bitboard) -> Self {
        let mut key = Self::ZERO;
        for rook in rooks {
            key ^= Self(CASTLING[rook.index() / 32][rook.file().index()]);
        }
        key
    }
}

impl BitXorAssign for ZobristKey {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

const SQUARES: usize = 64;
const KINDS: usize = PieceKind::ALL.len();
const COLORS: usize = Color::ALL.len();

static PIECES: [[[u64; SQUARES]; KINDS]; COLORS] = {
    let mut numbers = SplitMix::new(1);
    let mut keys = [[[0; SQUARES]; KINDS]; COLORS];
    let mut index = 0;
    while index < COLORS * KINDS * SQUARES {
        keys[index / (KINDS * SQUARES)][index / SQUARES % KINDS][index % SQUARES] = numbers.next();
        index += 1;
    }
    keys
};

static CASTLING: [[u64; 8]; COLORS] = [eight_keys(2), eight_keys(3)];

static EN_PASSANT: [u64; 8] = eight_keys(4);

const BLACK_TO_MOVE: u64 = SplitMix::new(5).next();

const fn eight_keys(seed: u64) -> [u64; 8] {
    let mut numbers = SplitMix::new(seed);
    let mut keys = [0; 8];
    let mut index = 0;
    while index < 8 {
        keys[index] = numbers.next();
        index += 1;
    }
    keys
}

/// `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter that steps
/// by the golden ratio, and a mixing function. The constants are those of Vigna's public-domain version.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of the sequence.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_seed_1234567_is_the_published_one() {
        // From the reference outputs at <https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>.
        let mut numbers = SplitMix::new(1234567);
        assert_eq!(numbers.next(), 6457827717110365317);
        assert_eq!(numbers.next(), 3203168211198807973);
        assert_eq!(numbers.next(), 9817491932198370423);
    }
}
