//! The unit of the trainer's loops.

use tarrasch::nnue::TILE;

/// As many weights as a tile has numbers: a loop over them is a few vector instructions, and all fit into registers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lanes(pub [f32; TILE]);

impl Lanes {
    /// Zeros.
    pub const ZERO: Lanes = Lanes([0.0; TILE]);

    /// Adds the other lanes.
    #[inline]
    pub fn add(&mut self, other: &Lanes) {
        for (sum, &number) in self.0.iter_mut().zip(&other.0) {
            *sum += number;
        }
    }

    /// The sum, by adding halves until one number is left, which suits vector instructions.
    #[inline]
    pub fn total(mut self) -> f32 {
        let mut half = TILE / 2;
        while half > 0 {
            let (low, high) = self.0.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(sum, number)| *sum += *number);
            half /= 2;
        }
        self.0[0]
    }
}
