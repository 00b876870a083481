//! Random numbers that seed and number decide.

use chess::SplitMix;

/// What is random in an opening or a game: a sequence for each seed and number.
#[derive(Debug)]
pub struct Chance(SplitMix);

impl Chance {
    /// The sequence of a number.
    pub fn new(seed: u64, number: u64) -> Chance {
        // Neighbouring numbers, and neighbouring seeds, are to have nothing in common.
        let of_seed = SplitMix::new(seed).next();
        Chance(SplitMix::new(SplitMix::new(of_seed ^ number).next()))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.0.next()) * u128::from(bound)) >> 64) as u32
    }
}
