//! The searches of a comparison, cut into sessions.

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// So many sessions a round has at most.
const SESSIONS_IN_ROUND: usize = 12;

/// Positions by their index, in the sessions in which they are searched. Every round goes through all of them, each
/// time in another order, so that other positions meet in a session; the seed is fixed, so that two runs do the same.
pub fn sessions(positions: usize, rounds: u32) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..rounds).flat_map(|_| sessions_of_round(positions, &mut rng)).collect()
}

fn sessions_of_round(positions: usize, rng: &mut impl Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..positions).collect();
    order.shuffle(rng);
    let count = SESSIONS_IN_ROUND.min(positions).max(1);
    (0..count)
        .map(|session| order[positions * session / count..positions * (session + 1) / count].to_vec())
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_position_is_searched_once_a_round_and_sessions_are_about_equal(
            positions in 1..200_usize,
            rounds in 1..5_u32,
        ) {
            let sessions = sessions(positions, rounds);
            let mut all: Vec<usize> = sessions.concat();
            all.sort_unstable();
            let expected: Vec<usize> = (0..positions).flat_map(|index| vec![index; rounds as usize]).collect();
            prop_assert_eq!(all, expected);
            let sizes = || sessions.iter().map(Vec::len);
            prop_assert!(sizes().min().unwrap() >= 1);
            prop_assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
            prop_assert_eq!(sessions.len(), positions.min(SESSIONS_IN_ROUND) * rounds as usize);
        }
    }
}
