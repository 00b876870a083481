//! The order of an epoch.

use chess::SplitMix;

/// The numbers below `positions`, shuffled by seed and epoch (Fisher and Yates).
pub fn epoch_order(positions: usize, seed: u32, epoch: u32) -> Vec<u32> {
    let mut numbers = SplitMix::new(u64::from(seed) << 32 | u64::from(epoch));
    let mut order: Vec<u32> = (0..positions as u32).collect();
    for end in (1..order.len()).rev() {
        let chosen = (u128::from(numbers.next()) * (end as u128 + 1)) >> 64;
        order.swap(end, chosen as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_epoch_has_every_position_in_an_order_of_its_own() {
        let first = epoch_order(1000, 1, 0);
        assert_ne!(first, epoch_order(1000, 1, 1));
        assert_ne!(first, epoch_order(1000, 2, 0));
        assert_eq!(first, epoch_order(1000, 1, 0));
        let mut sorted = first;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<u32>>());
    }
}
