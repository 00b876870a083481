//! Boards as inputs of the network, and incremental updates of the accumulators.
//!
//! The search does not report its moves. A slot keeps the accumulators of both sides with their board, and any slot can be
//! updated to any board, so an outdated slot costs only time. There is a slot for each ply and each pair of board halves
//! that the kings are on, because a side sees other inputs from the other half. A king that changes halves finds the
//! accumulators of its last visit.

use std::array;
use std::sync::Arc;

use arrayvec::ArrayVec;

#[cfg(target_arch = "x86_64")]
use super::on_avx2;
use super::{Network, Tile};
use chess::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// The slots for each pair of halves. Deeper lines reuse them from the first.
const PLIES: usize = 64;

/// A network and its slots.
#[derive(Debug)]
pub struct Accumulators {
    pub network: Arc<Network>,
    /// The board of each slot.
    boards: Vec<Board>,
    /// The tiles of all slots; in each slot White's come before Black's.
    sums: Vec<Tile>,
}

impl Accumulators {
    /// The slots of the empty board.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let slots = 2 * 2 * PLIES;
        let boards = vec![Board::default(); slots];
        let sums = network.biases.repeat(2 * slots);
        Accumulators { network, boards, sums }
    }

    /// The value of a position for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let (board, us) = (Board::of(position), position.side_to_move());
        let slot = self.update(&board, 2 * usize::from(position.fullmove_number()) + us.index());
        let tiles = self.network.tiles;
        let [ours, theirs] = [us, !us].map(|side| &self.sums[(2 * slot + side.index()) * tiles..][..tiles]);
        self.network.output(ours, theirs, board.bucket())
    }

    /// Updates the slot of a ply to a board and returns its index. Starts from this slot or the previous ply's, whichever
    /// differs less.
    #[inline]
    fn update(&mut self, board: &Board, ply: usize) -> usize {
        let mirrored = self.network.mirrored(board);
        let halves = 2 * usize::from(mirrored[0]) + usize::from(mirrored[1]);
        let [target, parent] = [ply, ply + PLIES - 1].map(|ply| halves * PLIES + ply % PLIES);
        let distance = |slot: usize| self.boards[slot].difference(board).count();
        let source = if distance(parent) < distance(target) { parent } else { target };
        let mut changes = Changes::default();
        changes.add(&self.boards[source], board, mirrored);
        let tiles = self.network.tiles;
        for side in Color::ALL {
            let [from, to] = [source, target].map(|slot| (2 * slot + side.index()) * tiles);
            changes.apply(&self.network, side, &mut self.sums, from, to);
        }
        self.boards[target] = *board;
        target
    }
}

/// The inputs to add and to remove, at most one of each per square; each as White and as Black see it.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    added: ArrayVec<[u16; 2], 64>,
    removed: ArrayVec<[u16; 2], 64>,
}

impl Changes {
    /// Adds the changes from one board to another; `mirrored` says which sides see the board mirrored. Returning the
    /// changes would copy half a kilobyte.
    #[inline]
    pub fn add(&mut self, from: &Board, to: &Board, mirrored: [bool; 2]) {
        for square in from.difference(to) {
            let inputs = |piece: Piece| {
                Color::ALL.map(|side| feature(side, mirrored[side.index()], piece, square) as u16)
            };
            self.added.extend(to.piece_on(square).map(inputs));
            self.removed.extend(from.piece_on(square).map(inputs));
        }
    }

    /// Updates a side's accumulator from the tiles at index `from` to the tiles at index `to`, which may be the same.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "see `on_avx2`"))]
    pub fn apply(&self, network: &Network, side: Color, sums: &mut [Tile], from: usize, to: usize) {
        #[cfg(target_arch = "x86_64")]
        if on_avx2() {
            // SAFETY: the processor has AVX2.
            return unsafe { self.apply_avx2(network, side, sums, from, to) };
        }
        self.apply_anywhere(network, side, sums, from, to);
    }

    /// [`Changes::apply`], compiled for processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_avx2(&self, network: &Network, side: Color, sums: &mut [Tile], from: usize, to: usize) {
        self.apply_anywhere(network, side, sums, from, to);
    }

    /// [`Changes::apply`], compiled for the processor of its caller.
    #[inline(always)]
    fn apply_anywhere(&self, network: &Network, side: Color, sums: &mut [Tile], from: usize, to: usize) {
        // A move adds a piece on one square and removes it from another, perhaps with a captured one; castling moves two.
        match (self.added.len(), self.removed.len()) {
            (1, 1) => self.apply_counted::<1, 1>(network, side, sums, from, to),
            (1, 2) => self.apply_counted::<1, 2>(network, side, sums, from, to),
            (2, 2) => self.apply_counted::<2, 2>(network, side, sums, from, to),
            _ => {
                for tile in 0..network.tiles {
                    let mut sum = sums[from + tile];
                    for inputs in &self.added {
                        sum.add(&network.row(inputs[side.index()])[tile]);
                    }
                    for inputs in &self.removed {
                        sum.subtract(&network.row(inputs[side.index()])[tile]);
                    }
                    sums[to + tile] = sum;
                }
            }
        }
    }

    /// [`Changes::apply`] for fixed numbers of inputs, so that a tile stays in registers until all rows are added.
    #[inline(always)]
    fn apply_counted<const ADDED: usize, const REMOVED: usize>(
        &self,
        network: &Network,
        side: Color,
        sums: &mut [Tile],
        from: usize,
        to: usize,
    ) {
        let added: [_; ADDED] = array::from_fn(|index| network.row(self.added[index][side.index()]));
        let removed: [_; REMOVED] = array::from_fn(|index| network.row(self.removed[index][side.index()]));
        for tile in 0..network.tiles {
            let mut sum = sums[from + tile];
            for row in added {
                sum.add(&row[tile]);
            }
            for row in removed {
                sum.subtract(&row[tile]);
            }
            sums[to + tile] = sum;
        }
    }
}

/// The pieces and their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    #[inline]
    pub fn of(position: &Position) -> Board {
        Board {
            kinds: PieceKind::ALL.map(|kind| position.of_kind(kind)),
            colors: Color::ALL.map(|color| position.colored(color)),
        }
    }

    /// This board with a piece added on an empty square.
    pub fn with(mut self, piece: Piece, square: Square) -> Board {
        self.kinds[piece.kind.index()] |= square.bitboard();
        self.colors[piece.color.index()] |= square.bitboard();
        self
    }

    pub fn without(mut self, square: Square) -> Board {
        self.kinds.iter_mut().chain(&mut self.colors).for_each(|set| *set &= !square.bitboard());
        self
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub fn bucket(&self) -> usize {
        bucket(self.occupied().count() as usize)
    }

    /// The square of a side's king; a1 without a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = self.kinds[PieceKind::King.index()] & self.colors[color.index()];
        king.first().unwrap_or(Square::from_index(0))
    }

    #[inline]
    pub fn difference(&self, other: &Board) -> Bitboard {
        let kinds = self.kinds.iter().zip(&other.kinds);
        let colors = self.colors.iter().zip(&other.colors);
        kinds.chain(colors).fold(Bitboard::EMPTY, |squares, (&ours, &theirs)| squares | ours ^ theirs)
    }

    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let bit = |set: Bitboard| (set.bits() >> square.index() & 1) as usize;
        // Indices into the two lists, computed without branches.
        let color = Color::ALL[bit(self.colors[1])];
        let [_, knights, bishops, rooks, queens, kings] = self.kinds;
        let digits = [knights | rooks | kings, bishops | rooks, queens | kings];
        let kind = PieceKind::ALL[bit(digits[0]) + 2 * bit(digits[1]) + 4 * bit(digits[2])];
        self.occupied().has(square).then_some(Piece { color, kind })
    }
}

/// The number of output buckets: other output weights for other numbers of pieces, so that endgames differ from openings
/// (Chess Programming Wiki, "NNUE").
pub const BUCKETS: usize = 8;

/// The bucket of a board with this many pieces, 1 to 32. Each bucket covers four numbers.
#[inline]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(1) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// The number of inputs: two owners, six kinds of pieces, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// The input for a piece on a square as `perspective` sees it: its own pieces and its own end of the board come first.
/// `mirrored` reverses the files.
#[inline]
pub const fn feature(perspective: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let owner = piece.color.index() ^ perspective.index();
    let square = square.relative_to(perspective).index() ^ if mirrored { 7 } else { 0 };
    (owner * 6 + piece.kind.index()) * 64 + square
}

/// Whether a side whose king stands here sees the board mirrored, so that its king is always on the files a to d. Not all
/// networks mirror.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.file().index() >= 4
}
