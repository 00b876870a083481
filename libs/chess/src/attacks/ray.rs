//! Rays: the attacks of a slider in one direction, and the lines between squares.

use super::super::{Bitboard, Square};

/// The directions as steps of file and rank. The first four climb in square index, the others fall.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];

/// The directions of a rook, as indices of [`DIRECTIONS`].
pub(super) const ROOK: [usize; 4] = [0, 2, 4, 6];

/// The directions of a bishop, as indices of [`DIRECTIONS`].
pub(super) const BISHOP: [usize; 4] = [1, 3, 5, 7];

/// The squares in each direction from each square, to the edge.
const RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (direction, square) = (index / 64, index % 64);
        let (file_step, rank_step) = DIRECTIONS[direction];
        let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
        let mut bits = 0;
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            bits |= 1 << (rank * 8 + file);
            file += file_step;
            rank += rank_step;
        }
        rays[direction][square] = Bitboard::new(bits);
        index += 1;
    }
    rays
};

/// What a slider sees in one direction: the ray up to the first occupied square, and that square.
const fn see(square: Square, direction: usize, occupied: Bitboard) -> u64 {
    let ray = RAYS[direction][square.index()].bits();
    let blockers = Bitboard::new(ray & occupied.bits());
    let blocker = if direction < 4 { blockers.first() } else { blockers.last() };
    match blocker {
        Some(blocker) => ray & !RAYS[direction][blocker.index()].bits(),
        None => ray,
    }
}

/// The attacks of a slider with these four directions, computed ray by ray: the reference that fills the tables.
pub(super) const fn attacks(square: Square, directions: [usize; 4], occupied: Bitboard) -> Bitboard {
    Bitboard::new(
        see(square, directions[0], occupied)
            | see(square, directions[1], occupied)
            | see(square, directions[2], occupied)
            | see(square, directions[3], occupied),
    )
}

/// The squares on which a piece can hide others from a slider: its rays without the last square of each.
pub(super) const fn relevant(square: Square, directions: [usize; 4]) -> Bitboard {
    let mut bits = 0;
    let mut index = 0;
    while index < 4 {
        let ray = RAYS[directions[index]][square.index()];
        let end = if directions[index] < 4 { ray.last() } else { ray.first() };
        if let Some(end) = end {
            bits |= ray.bits() & !end.bitboard().bits();
        }
        index += 1;
    }
    Bitboard::new(bits)
}

/// What a piece on a common line hides from a slider: the squares behind it, to the edge.
pub(super) const fn behind(slider: Square, blocker: Square) -> Bitboard {
    let mut direction = 0;
    while direction < 8 {
        if RAYS[direction][slider.index()].has(blocker) {
            return RAYS[direction][blocker.index()];
        }
        direction += 1;
    }
    Bitboard::EMPTY
}

/// The squares strictly between two squares on a common line, worked out.
pub(in super::super) const fn between(a: Square, b: Square) -> Bitboard {
    let mut direction = 0;
    while direction < 8 {
        if RAYS[direction][a.index()].has(b) {
            let beyond = RAYS[direction][b.index()].bits() | b.bitboard().bits();
            return Bitboard::new(RAYS[direction][a.index()].bits() & !beyond);
        }
        direction += 1;
    }
    Bitboard::EMPTY
}

const fn line(a: Square, b: Square) -> Bitboard {
    let mut direction = 0;
    while direction < 8 {
        if RAYS[direction][a.index()].has(b) {
            let opposite = (direction + 4) % 8;
            return Bitboard::new(
                RAYS[direction][a.index()].bits() | RAYS[opposite][a.index()].bits() | a.bitboard().bits(),
            );
        }
        direction += 1;
    }
    Bitboard::EMPTY
}

/// The squares strictly between each two squares.
pub(super) static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 * 64 {
        table[index / 64][index % 64] =
            between(Square::from_index(index / 64), Square::from_index(index % 64));
        index += 1;
    }
    table
};

/// The whole line through each two squares.
pub(super) static LINE: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut index = 0;
    while index < 64 * 64 {
        table[index / 64][index % 64] = line(Square::from_index(index / 64), Square::from_index(index % 64));
        index += 1;
    }
    table
};

/// A slider's attacks on the empty board.
const fn empty_board(directions: [usize; 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = attacks(Square::from_index(index), directions, Bitboard::EMPTY);
        index += 1;
    }
    table
}

/// A bishop's attacks on the empty board.
pub(super) static BISHOP_RAYS: [Bitboard; 64] = empty_board(BISHOP);

/// A rook's attacks on the empty board.
pub(super) static ROOK_RAYS: [Bitboard; 64] = empty_board(ROOK);
