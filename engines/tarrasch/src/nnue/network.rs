//! A network, ready to evaluate.

use std::array;

use chess::{Color, Position};

use super::board::Board;
use super::bucket::BUCKETS;
use super::changes::Changes;
use super::feature::is_mirrored;
use super::tile::{TILE, Tile};

/// 1 in accumulators and rows.
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
    /// An output of 1, in 1 / [`SCALE_UNITS`] of a centipawn.
    pub(super) scale: u32,
    /// The row of each input.
    pub(super) rows: Vec<Tile>,
    /// The accumulator of an empty board.
    pub(super) biases: Vec<Tile>,
    /// The weights of each output: for the side to move, then for its opponent.
    pub(super) outputs: [[Vec<Tile>; 2]; BUCKETS],
    /// 1 in the output weights.
    pub(super) output_unit: u16,
    /// The bias of each output, in units of 1 / ([`QA`] · `output_unit`).
    pub(super) output_biases: [i32; BUCKETS],
    /// The checksum of the file.
    pub(super) checksum: u64,
}

impl Network {
    /// N, the size of an accumulator.
    pub fn width(&self) -> usize {
        self.tiles * TILE
    }

    /// The checksum of the file, which identifies the network.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Whether a side whose king is on the files e to h sees the board mirrored.
    pub fn mirrors(&self) -> bool {
        self.mirrors
    }

    /// The value of a position for the side to move, in centipawns.
    /// [`Accumulators::evaluate`](super::Accumulators::evaluate) computes the same faster.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_board(&Board::of(position), position.side_to_move())
    }

    /// The value of a board for the side to move, in centipawns.
    pub fn evaluate_board(&self, board: &Board, us: Color) -> i32 {
        let changes = Changes::between(&Board::default(), board, self.mirrored(board));
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

    /// The tiles of the row of an input.
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

/// The weighted sum of an accumulator whose numbers are clipped to 0 to [`QA`] and squared.
#[inline]
fn weigh(sums: &[Tile], weights: &[Tile]) -> i64 {
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

/// The products of numbers at the same index, summed up in pairs of neighbours. Compilers do not find the instruction.
#[cfg(target_feature = "avx2")]
#[inline]
#[expect(unsafe_code, reason = "2.8% more nodes per second")]
fn sums_of_pairs(a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
    use std::arch::x86_64::{__m256i, _mm256_madd_epi16};
    use std::mem::transmute;
    // SAFETY: the program is built for processors with AVX2, and all types are 256 bits that may have any value.
    unsafe {
        let [a, b] = [a, b].map(|numbers| transmute::<[i16; 16], __m256i>(numbers));
        transmute::<__m256i, [i32; 8]>(_mm256_madd_epi16(a, b))
    }
}

/// The products of numbers at the same index, summed up in pairs of neighbours.
#[cfg(not(target_feature = "avx2"))]
#[inline]
fn sums_of_pairs(a: [i16; 16], b: [i16; 16]) -> [i32; 8] {
    let product = |index: usize| i32::from(a[index]) * i32::from(b[index]);
    array::from_fn(|pair| product(2 * pair) + product(2 * pair + 1))
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
