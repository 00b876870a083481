//! Brings games that end in any order back into the order of the schedule.

use std::collections::BTreeMap;

use crate::runner::GameRecord;

/// Holds games back until all earlier ones are there.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    /// Index of the next game to let go.
    next: u32,
    waiting: BTreeMap<u32, GameRecord>,
}

impl InOrder {
    /// Takes a game in.
    pub(super) fn put(&mut self, game: GameRecord) {
        self.waiting.insert(game.game, game);
    }

    /// The next game of the schedule, if it has been put in.
    pub(super) fn take_next(&mut self) -> Option<GameRecord> {
        let game = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(game)
    }

    /// All games that are still waiting for an earlier one, when no more are to come.
    pub(super) fn take_rest(&mut self) -> impl Iterator<Item = GameRecord> + use<> {
        std::mem::take(&mut self.waiting).into_values()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::made_up_games::two_engine_match;

    proptest! {
        #[test]
        fn games_come_out_in_order_whatever_the_order_they_end_in(
            games in Just(two_engine_match("wdlwdlwd")).prop_shuffle(),
        ) {
            let mut buffer = InOrder::default();
            let mut released = Vec::new();
            for game in games {
                buffer.put(game);
                released.extend(std::iter::from_fn(|| buffer.take_next()).map(|game| game.game));
            }
            prop_assert_eq!(released, (0..8).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_gap_that_is_never_filled_holds_nothing_back_at_the_end() {
        let mut buffer = InOrder::default();
        for game in two_engine_match("wdl").into_iter().skip(1).rev() {
            buffer.put(game);
        }
        assert!(buffer.take_next().is_none());
        assert_eq!(buffer.take_rest().map(|game| game.game).collect::<Vec<_>>(), [1, 2]);
    }
}
