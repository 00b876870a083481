//! The unit of all loops, sized so that the compiler turns a loop into a few vector instructions.

/// The size of a tile. The width of a network is a multiple of it.
pub const TILE: usize = 64;

/// A part of an accumulator or of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Tile(pub [i16; TILE]);

impl Tile {
    /// Divides the numbers into tiles. Their count must be a multiple of [`TILE`].
    pub fn of(numbers: &[i16]) -> Vec<Tile> {
        numbers.as_chunks::<TILE>().0.iter().copied().map(Tile).collect()
    }

    /// Adds a row. No sum overflows, because the reader of the file bounds the weights.
    #[inline]
    pub fn add(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    /// Subtracts a row.
    #[inline]
    pub fn subtract(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}
