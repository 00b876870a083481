//! Zobrist keys: hash keys of positions, updated incrementally.

use super::split_mix::SplitMix;
use super::{Bitboard, Color, File, Piece, PieceKind, Square};
use std::ops::BitXorAssign;

/// The hash key of a position. Two positions that differ in pieces, side to move, castling rights or a legal
/// en-passant capture have different keys, but for a chance of about 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ZobristKey(u64);

impl ZobristKey {
    /// The empty key.
    pub(super) const ZERO: Self = Self(0);

    /// The key as a number.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The key of a piece on a square.
    #[inline]
    pub(super) fn of_piece(piece: Piece, square: Square) -> Self {
        Self(PIECES[piece.color.index()][piece.kind.index()][square.index()])
    }

    /// The key of Black to move.
    #[inline]
    pub(super) const fn of_black_to_move() -> Self {
        Self(BLACK_TO_MOVE)
    }

    /// The key of an en-passant capture on this file.
    #[inline]
    pub(super) fn of_en_passant(file: File) -> Self {
        Self(EN_PASSANT[file.index()])
    }

    /// The key of these castling rooks.
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
