//! What loops run over: so many numbers that the compiler turns a loop into a few vector instructions.

/// The numbers of a tile. The width of a network is a multiple of it.
pub const TILE: usize = 64;

/// A part of an accumulator, or of a row that is added to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Tile(pub [i16; TILE]);

impl Tile {
    /// The tiles of these numbers, as many as are a multiple of [`TILE`].
    pub fn of(numbers: &[i16]) -> Vec<Tile> {
        numbers.as_chunks::<TILE>().0.iter().copied().map(Tile).collect()
    }

    /// Adds a row. Weights are bounded when a file is read, so that no sum of rows leaves the range.
    #[inline]
    pub fn add(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    /// Takes a row away.
    #[inline]
    pub fn subtract(&mut self, row: &Tile) {
        for (sum, weight) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}
