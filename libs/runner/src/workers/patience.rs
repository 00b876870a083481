//! The time limit of searches without a clock.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::{GameRecord, Termination};

/// The shortest limit, unless the run has a shorter one.
const LEAST: Duration = Duration::from_secs(5);

/// The shortest limit as a multiple of the longest search of the run so far.
const TIMES_LONGEST: u32 = 4;

/// The factor by which the limit of an engine is reduced with each of its stalls.
const SHORTER: u32 = 4;

/// The time limits of searches without a clock. The first stall of an engine takes the full time. An engine that stalls
/// in one game after another is given less, so that it does not hold up its worker for a minute each time.
#[derive(Debug)]
pub(crate) struct Patience {
    whole: Duration,
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// The number of stalls of each engine.
    stalls: Vec<u32>,
    longest: Duration,
}

impl Patience {
    pub(crate) fn new(whole: Duration, engines: usize) -> Patience {
        Patience { whole, seen: Mutex::new(Seen { stalls: vec![0; engines], longest: Duration::ZERO }) }
    }

    /// The time limit for a move of this engine.
    pub(crate) fn with(&self, engine: usize) -> Duration {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let shorter = self.whole / SHORTER.saturating_pow(seen.stalls[engine]);
        shorter.max(LEAST).max(seen.longest * TIMES_LONGEST).min(self.whole)
    }

    pub(crate) fn learn(&self, game: &GameRecord) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = game.moves.iter().filter(|played| !played.from_book).map(|played| played.time).max();
        seen.longest = seen.longest.max(longest.unwrap_or_default());
        if let Some(side) = game.offender.filter(|_| game.termination == Termination::Stall) {
            seen.stalls[game.engine(side)] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveRecord;
    use referee::Side;

    #[test]
    fn the_wait_for_an_engine_is_shorter_after_each_stall_but_not_shorter_than_searches_take() {
        let patience = Patience::new(Duration::from_mins(1), 2);
        let waits = || [0, 1].map(|engine| patience.with(engine).as_secs());
        assert_eq!(waits(), [60, 60]);
        let mut game = GameRecord { white: 0, black: 1, ..GameRecord::made_up() };
        patience.learn(&game);
        assert_eq!(waits(), [60, 60]);
        (game.termination, game.offender) = (Termination::Stall, Some(Side::Black));
        let after = [15, 5, 5].map(|seconds| {
            patience.learn(&game);
            (waits(), [60, seconds])
        });
        assert!(after.iter().all(|(waits, expected)| waits == expected), "{after:?}");
        let time = Duration::from_secs(3);
        let moves = vec![MoveRecord { time, ..MoveRecord::default() }];
        patience.learn(&GameRecord { moves, ..GameRecord::made_up() });
        assert_eq!(waits()[1], 12);
    }
}
