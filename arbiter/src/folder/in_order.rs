//! Brings games that end in any order back into the order of the schedule.

use std::collections::BTreeMap;

/// Holds what belongs to a game back until that of all earlier games is there.
#[derive(Debug)]
pub struct InOrder<T> {
    /// Index of the next game to let go.
    next: u32,
    waiting: BTreeMap<u32, T>,
}

impl<T> InOrder<T> {
    /// For games from this index on.
    pub fn from(first: u32) -> InOrder<T> {
        InOrder { next: first, waiting: BTreeMap::new() }
    }

    /// Takes in what belongs to a game, by the index of the game.
    pub fn put(&mut self, game: u32, item: T) {
        self.waiting.insert(game, item);
    }

    /// That of the next game of the schedule, if it has been put in.
    pub fn take_next(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    /// All that is still waiting for an earlier game, when no more are to come.
    pub fn take_rest(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.waiting).into_values()
    }
}

impl<T> Default for InOrder<T> {
    fn default() -> InOrder<T> {
        InOrder::from(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn games_come_out_in_order_whatever_the_order_they_end_in(
            games in Just((0..8).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            let mut buffer = InOrder::default();
            let mut released = Vec::new();
            for game in games {
                buffer.put(game, game);
                released.extend(std::iter::from_fn(|| buffer.take_next()));
            }
            prop_assert_eq!(released, (0..8).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_gap_that_is_never_filled_holds_nothing_back_at_the_end() {
        let mut buffer = InOrder::default();
        for game in [2, 1] {
            buffer.put(game, game);
        }
        assert!(buffer.take_next().is_none());
        assert_eq!(buffer.take_rest().collect::<Vec<_>>(), [1, 2]);
    }
}
