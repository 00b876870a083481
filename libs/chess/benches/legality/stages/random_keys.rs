//! The random numbers of the Zobrist key (§2.2.3), by piece, square and colour, and for the rest of the position.

use std::sync::LazyLock;

use chess::{Color, PieceKind, Square};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The numbers.
struct RandomKeys {
    pieces: [[[u64; 64]; 6]; 2],
    en_passant: [u64; 64],
    /// By the rooks that may castle: four corners, sixteen combinations.
    castling: [u64; 16],
    black_to_move: u64,
}

static KEYS: LazyLock<RandomKeys> = LazyLock::new(|| {
    let mut numbers = ChaCha8Rng::seed_from_u64(2006);
    RandomKeys {
        pieces: std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| numbers.random()))),
        en_passant: std::array::from_fn(|_| numbers.random()),
        castling: std::array::from_fn(|_| numbers.random()),
        black_to_move: numbers.random(),
    }
});

/// What a piece on a square contributes.
pub fn of_piece(color: Color, kind: PieceKind, square: Square) -> u64 {
    KEYS.pieces[color.index()][kind.index()][square.index()]
}

/// What the rest of a position contributes: the side to move, the en-passant square, and a number of four bits for the
/// castling rights.
pub fn of_state(side: Color, en_passant: Option<Square>, rights: usize) -> u64 {
    let side = if side == Color::Black { KEYS.black_to_move } else { 0 };
    side ^ en_passant.map_or(0, |square| KEYS.en_passant[square.index()]) ^ KEYS.castling[rights]
}
