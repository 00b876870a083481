//! An order that a seed decides.

/// `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter that steps
/// by the golden ratio, and a mixing function.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence with this seed.
    pub const fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next number, below `bound`.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ z >> 31) as u128 * bound as u128) >> 64) as u64
    }

    /// Puts items into an order of which each is as likely as any other (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_keeps_every_item_and_depends_on_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            SplitMix::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
    }

    #[test]
    fn every_item_gets_everywhere() {
        let mut numbers = SplitMix::new(1);
        let mut places = [0; 4];
        for _ in 0..4000 {
            let mut items = [0, 1, 2, 3];
            numbers.shuffle(&mut items);
            places[items.iter().position(|item| *item == 0).unwrap()] += 1;
        }
        // A thousand expected for each; the standard deviation is 27.
        assert!(places.iter().all(|count| (850..1150).contains(count)), "{places:?}");
    }
}
