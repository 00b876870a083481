//! A small generator of well-mixed numbers that the compiler can run: keys and magics come from it.

/// `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter that steps
/// by the golden ratio, and a mixing function. The constants are those of Vigna's public-domain version.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of the sequence.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_seed_1234567_is_the_published_one() {
        // From the reference outputs at <https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64>.
        let mut numbers = SplitMix::new(1234567);
        assert_eq!(numbers.next(), 6457827717110365317);
        assert_eq!(numbers.next(), 3203168211198807973);
        assert_eq!(numbers.next(), 9817491932198370423);
    }
}
