//! The network (NNUE): an evaluation trained on games of Tarrasch against itself.
//!
//! # Architecture
//! `(768 → N) × 2 → 8`. Each side sees the board from its own end. Its 768 inputs ([`feature()`]) say which piece is on
//! which square. The sum of the rows of the active inputs is the side's accumulator, N numbers. The output is a weighted
//! sum of both accumulators, clipped and squared (`SCReLU`). The number of pieces chooses one of eight sets of output
//! weights ([`bucket()`]). NNUE is due to Yu Nasu ("Efficiently updatable neural-network-based evaluation functions for
//! computer shogi", 2018); `SCReLU` and perspectives are on the Chess Programming Wiki, "NNUE".
//!
//! # Quantization
//! Weights are integers, so that updates never drift and every machine computes the same value. [`Accumulators`] updates
//! the sums of earlier positions.
//!
//! `tools/nnue` trains networks; [`NetworkWeights::to_bytes`] and [`Network::from_bytes`] define their file.

#![expect(
    clippy::inline_always,
    reason = "loops over tiles are inlined into two forms: for AVX2 and for any processor"
)]

mod accumulators;
mod network_file;

pub use accumulators::{Accumulators, BUCKETS, Board, FEATURES, bucket, feature, is_mirrored};
pub use network_file::{LARGEST_OUTPUT_WEIGHT, NetworkError, NetworkWeights, WIDEST};

use std::sync::{Arc, LazyLock};
use std::{array, fmt};

use self::accumulators::Changes;
use chess::{Color, File, PieceKind, Position, Rank, Square};

/// The size of a tile, the unit of all loops: the compiler turns a loop over it into a few vector instructions. The width
/// of a network is a multiple of it.
pub const TILE: usize = 64;

/// A part of an accumulator or of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Tile(pub [i16; TILE]);

impl Tile {
    /// Divides the numbers into tiles. Their count must be a multiple of [`TILE`].
    pub fn of(numbers: &[i16]) -> Vec<Tile> {
        numbers.as_chunks::<TILE>().0.iter().copied().map(Tile).collect()
    }

    /// Adds a row. No sum overflows, because the reader of the file bounds the weights.
    #[inline(always)]
    pub fn add(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    pub fn subtract(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// The number that represents 1 in accumulators and rows.
pub const QA: i16 = 255;
/// The unit of a network's scale: parts of a centipawn.
pub const SCALE_UNITS: u32 = 100;

/// The sum of this many tiles fits into 32 bits with any weights: 4 × 64 × 255 × 255 × 127 is less than 2³¹.
const TILES_IN_A_SUM: usize = 4;

/// The weights of a network, in the order in which they are used.
#[derive(Debug, PartialEq, Eq)]
pub struct Network {
    /// The tiles of an accumulator.
    pub(super) tiles: usize,
    /// Whether a side whose king is on the files e to h sees the board mirrored.
    pub(super) mirrors: bool,
    /// The scale: what an output of 1 means, in 1 / [`SCALE_UNITS`] of a centipawn.
    pub(super) scale: u32,
    /// The row of each input.
    pub(super) rows: Vec<Tile>,
    /// The accumulator of an empty board.
    pub(super) biases: Vec<Tile>,
    /// The weights of each output: for the side to move, then for its opponent.
    pub(super) outputs: [[Vec<Tile>; 2]; BUCKETS],
    /// The number that represents 1 in the output weights.
    pub(super) output_unit: u16,
    /// The bias of each output, in units of 1 / ([`QA`] · `output_unit`).
    pub(super) output_biases: [i32; BUCKETS],
    pub(super) checksum: u64,
}

impl Network {
    /// The checksum of the file, which identifies the network.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The value of a position for the side to move, in centipawns.
    /// [`Accumulators::evaluate`] computes the same faster.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_board(&Board::of(position), position.side_to_move())
    }

    /// The value of a board for the side to move, in centipawns.
    pub fn evaluate_board(&self, board: &Board, us: Color) -> i32 {
        let mut changes = Changes::default();
        changes.add(&Board::default(), board, self.mirrored(board));
        let [ours, theirs] = [us, !us].map(|side| {
            let mut sums = self.biases.clone();
            changes.apply(self, side, &mut sums, 0, 0);
            sums
        });
        self.output(&ours, &theirs, board.bucket())
    }

    /// Whether White and Black see the board mirrored.
    #[inline]
    pub(super) fn mirrored(&self, board: &Board) -> [bool; 2] {
        Color::ALL.map(|color| self.mirrors && is_mirrored(board.king(color)))
    }

    #[inline]
    pub(super) fn row(&self, feature: u16) -> &[Tile] {
        &self.rows[usize::from(feature) * self.tiles..][..self.tiles]
    }

    /// The value in centipawns from the accumulators of the side to move and of its opponent.
    #[inline]
    pub(super) fn output(&self, ours: &[Tile], theirs: &[Tile], bucket: usize) -> i32 {
        let [for_us, for_them] = &self.outputs[bucket];
        let sum = weigh(ours, for_us) + weigh(theirs, for_them);
        let sum = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        let one = i64::from(QA) * i64::from(self.output_unit) * i64::from(SCALE_UNITS);
        (sum * i64::from(self.scale) / one) as i32
    }
}

/// Whether loops over tiles run in the form compiled for AVX2. One program serves every x86-64 processor, and this form
/// gives it a third more nodes per second. Always true in a program that is compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
fn on_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// The weighted sum of an accumulator whose numbers are clipped to 0 to [`QA`] and squared.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "see `on_avx2`"))]
fn weigh(sums: &[Tile], weights: &[Tile]) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if on_avx2() {
        // SAFETY: the processor has AVX2.
        return unsafe { weigh_avx2(sums, weights) };
    }
    weigh_by(sums, weights, sums_of_pairs)
}

/// [`weigh`], compiled for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_avx2(sums: &[Tile], weights: &[Tile]) -> i64 {
    weigh_by(sums, weights, |a, b| sums_of_pairs_avx2(a, b))
}

#[inline(always)]
fn weigh_by(
    sums: &[Tile],
    weights: &[Tile],
    sums_of_pairs: impl Fn([i16; 16], [i16; 16]) -> [i32; 8],
) -> i64 {
    let mut total = 0;
    for (sums, weights) in sums.chunks(TILES_IN_A_SUM).zip(weights.chunks(TILES_IN_A_SUM)) {
        let mut sum = [0; 8];
        for (sums, weights) in sums.iter().zip(weights) {
            for (numbers, weights) in sums.0.as_chunks::<16>().0.iter().zip(weights.0.as_chunks::<16>().0) {
                let clipped = numbers.map(|number| number.clamp(0, QA));
                let weighed = array::from_fn(|index| clipped[index].wrapping_mul(weights[index]));
                for (sum, products) in sum.iter_mut().zip(sums_of_pairs(weighed, clipped)) {
                    *sum += products;
                }
            }
        }
        total += i64::from(sum.iter().sum::<i32>());
    }
    total
}

/// The products of numbers at the same index, added in pairs of neighbours. Compilers do not find this instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
#[expect(unsafe_code, reason = "2.8% more nodes per second")]
fn sums_of_pairs_avx2(a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
    use std::arch::x86_64::{__m256i, _mm256_madd_epi16};
    use std::mem::transmute;
    // SAFETY: all types are 256 bits that may have any value.
    let [a, b] = [a, b].map(|numbers| unsafe { transmute::<[i16; 16], __m256i>(numbers) });
    // SAFETY: the same.
    unsafe { transmute::<__m256i, [i32; 8]>(_mm256_madd_epi16(a, b)) }
}

/// The products of numbers at the same index, added in pairs of neighbours.
#[inline(always)]
fn sums_of_pairs(a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
    let product = |index: usize| i32::from(a[index]) * i32::from(b[index]);
    array::from_fn(|pair| product(2 * pair) + product(2 * pair + 1))
}

static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!(env!("TARRASCH_NETWORK")));
    Arc::new(network.unwrap_or_else(|error| panic!("the network of this build: {error}")))
});

impl Network {
    /// The network that is part of the program.
    ///
    /// # Panics
    /// The file that the program was built with is damaged.
    pub fn shipped() -> Arc<Network> {
        Arc::clone(&SHIPPED)
    }
}

/// The network's value of a position, and the value of each piece: the difference to the board without the piece.
#[derive(Clone, Debug)]
pub struct PieceValues {
    /// The value for the side to move, in centipawns.
    pub value: i32,
    /// For each square from a1 on: the letter of the piece and its value for White in centipawns. Kings have no value.
    pieces: [Option<(char, Option<i32>)>; 64],
}

impl PieceValues {
    /// Evaluates the position, and the board without each of its pieces.
    pub fn new(network: &Network, position: &Position) -> PieceValues {
        let (board, us) = (Board::of(position), position.side_to_move());
        let value = network.evaluate_board(&board, us);
        let sign = if us == Color::White { 1 } else { -1 };
        let mut pieces = [None; 64];
        for square in board.occupied() {
            let worth = || sign * (value - network.evaluate_board(&board.without(square), us));
            pieces[square.index()] = board
                .piece_on(square)
                .map(|piece| (piece.letter(), (piece.kind != PieceKind::King).then(worth)));
        }
        PieceValues { value, pieces }
    }

    /// The value of the piece on a square for White in centipawns; `None` for a king or an empty square.
    pub fn worth(&self, square: Square) -> Option<i32> {
        self.pieces[square.index()].and_then(|(_, worth)| worth)
    }
}

/// The board with each piece and its value, two lines per rank.
impl fmt::Display for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "network: what each piece is worth for White, in cp")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.pieces[Square::new(file, rank).index()];
                write!(f, "{:>7}", piece.map_or('.', |(letter, _)| letter))?;
            }
            writeln!(f)?;
            for file in File::ALL {
                let worth = self.worth(Square::new(file, rank));
                write!(f, "{:>7}", worth.map(|worth| format!("{worth:+}")).unwrap_or_default())?;
            }
            writeln!(f)?;
        }
        write!(f, "network for the side to move: {} cp", self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_are_summed_up_in_pairs() {
        let a = [-32768, 32767, 255, -255, 7, -7, 0, 1, 100, 200, -300, 400, -500, 600, 700, -800];
        let b = [32767, 32767, 127, 127, -11, 13, 17, -19, 23, -29, 31, -37, 41, 43, -47, 53];
        let products: Vec<i32> = a.iter().zip(&b).map(|(&a, &b)| i32::from(a) * i32::from(b)).collect();
        let expected: Vec<i32> = products.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        assert_eq!(sums_of_pairs(a, b).as_slice(), expected);
        #[cfg(target_arch = "x86_64")]
        if on_avx2() {
            // SAFETY: the processor has AVX2.
            #[expect(unsafe_code, reason = "the program calls it so, too")]
            let sums = unsafe { sums_of_pairs_avx2(a, b) };
            assert_eq!(sums.as_slice(), expected);
        }
    }

    #[test]
    fn no_weights_make_a_sum_too_large() {
        for tiles in [1, TILES_IN_A_SUM, 3 * TILES_IN_A_SUM + 1] {
            for weight in [-127, 127] {
                let sums = vec![Tile([i16::MAX; TILE]); tiles];
                let weights = vec![Tile([weight; TILE]); tiles];
                assert_eq!(weigh(&sums, &weights), (tiles * TILE) as i64 * 255 * 255 * i64::from(weight));
            }
        }
    }
}
