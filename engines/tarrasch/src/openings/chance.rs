//! Random numbers that depend only on a seed and a number.

use chess::SplitMix;

/// The random numbers of an opening or a game.
#[derive(Debug)]
pub struct Chance(SplitMix);

impl Chance {
    /// The sequence of this seed and number.
    pub fn new(seed: u64, number: u64) -> Chance {
        // Neighbouring numbers and seeds must give unrelated sequences.
        let of_seed = SplitMix::new(seed).next();
        Chance(SplitMix::new(SplitMix::new(of_seed ^ number).next()))
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.0.next()) * u128::from(bound)) >> 64) as u32
    }
}
