//! Random numbers that tell positions apart in the hash table (section 2.3), after Albert Zobrist, "A New Hashing Method
//! with Application for Game Playing" (1970).

use super::piece::Piece;
use super::side::Side;
use super::square::Square;

/// The first of the numbers; where it starts does not matter.
const SEED: u64 = 0x0012_1020_1400_0001;

/// The number of a place in the sequence, by the finalizer of `SplitMix64` (Steele, Lea and Flood, 2014).
const fn number(place: u64) -> u64 {
    let mut bits = SEED.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

const PIECES: u64 = 6 * 2 * 64;
const CASTLINGS: u64 = PIECES + 8;
const COLUMNS: u64 = CASTLINGS + 8;

/// The number of a piece on its square.
pub fn piece(piece: Piece) -> u64 {
    let kind_and_owner = piece.kind as u64 * 2 + piece.owner as u64;
    number(kind_and_owner * 64 + piece.square.index() as u64)
}

/// The number of what a player may still castle.
pub fn castling(side: Side, [short, long]: [bool; 2]) -> u64 {
    number(PIECES + side as u64 * 4 + u64::from(short) * 2 + u64::from(long))
}

/// The number of a column in which a pawn can be taken in passing.
pub fn en_passant(square: Square) -> u64 {
    number(CASTLINGS + square.column as u64)
}

/// The number of the turn.
pub fn turn(side: Side) -> u64 {
    number(COLUMNS + side as u64)
}
