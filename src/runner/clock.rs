//! The clock of one side.

use std::time::Duration;

use super::{Stage, TimeControl};

/// How much time a side has, and until when.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    stage: usize,
    remaining: Duration,
    moves_left: Option<u32>,
    margin: Duration,
}

impl Clock {
    /// A clock at the start of the game. It may be overstepped by `margin` without a loss.
    pub fn new(control: TimeControl, margin: Duration) -> Clock {
        let mut clock = Clock { control, stage: 0, remaining: Duration::ZERO, moves_left: None, margin };
        clock.begin_stage(0);
        clock
    }

    fn begin_stage(&mut self, stage: usize) {
        self.stage = stage;
        let Stage { moves, time, .. } = self.present_stage();
        self.moves_left = moves;
        self.remaining += time;
        // The first increment belongs to the first move where there is no other time to make it with.
        if self.remaining.is_zero() {
            self.remaining = self.increment();
        }
    }

    fn present_stage(&self) -> Stage {
        self.control.stages()[self.stage]
    }

    /// The time left for this move and those that follow.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The time added after every move.
    pub fn increment(&self) -> Duration {
        self.present_stage().increment
    }

    /// The moves until more time is added, the next one included.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_left
    }

    /// The longest that the next move may take without losing.
    pub fn limit(&self) -> Duration {
        self.remaining + self.margin
    }

    /// Stops the clock after a move that took so long, and adds the increment and the time of the next stage.
    ///
    /// # Errors
    /// By how much the time, margin included, was overstepped.
    pub fn stop(&mut self, elapsed: Duration) -> Result<(), Duration> {
        if elapsed > self.limit() {
            return Err(elapsed.saturating_sub(self.limit()));
        }
        self.remaining = self.remaining.saturating_sub(elapsed) + self.increment();
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                // The last stage repeats.
                self.begin_stage((self.stage + 1).min(self.control.stages().len() - 1));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str, margin_ms: u64) -> Clock {
        Clock::new(control.parse().unwrap(), Duration::from_millis(margin_ms))
    }

    fn millis(clock: &Clock) -> u128 {
        clock.remaining().as_millis()
    }

    #[test]
    fn the_increment_is_added_after_the_move() {
        let mut clock = clock("10+0.1", 0);
        clock.stop(Duration::from_secs(3)).unwrap();
        assert_eq!(millis(&clock), 7100);
        assert_eq!(clock.stop(Duration::from_millis(7101)), Err(Duration::from_millis(1)));
    }

    #[test]
    fn exactly_the_time_left_is_in_time() {
        assert_eq!(clock("1", 0).stop(Duration::from_secs(1)), Ok(()));
    }

    #[test]
    fn within_the_margin_the_clock_stops_at_zero() {
        let mut clock = clock("1+0.5", 20);
        clock.stop(Duration::from_millis(1015)).unwrap();
        assert_eq!(millis(&clock), 500);
    }

    #[test]
    fn a_stage_of_one_move_adds_its_time_after_every_move() {
        let mut clock = clock("1/60", 0);
        for _ in 0..3 {
            assert_eq!(clock.moves_to_go(), Some(1));
            clock.stop(Duration::from_mins(1)).unwrap();
            assert_eq!(millis(&clock), 60_000);
        }
    }

    #[test]
    fn stages_follow_each_other_and_the_last_one_lasts() {
        let mut clock = clock("2/10,1/5,1+1", 0);
        let mut seen = Vec::new();
        for _ in 0..5 {
            clock.stop(Duration::from_secs(1)).unwrap();
            seen.push((millis(&clock) / 1000, clock.moves_to_go()));
        }
        assert_eq!(seen, [(9, Some(1)), (13, Some(1)), (13, None), (13, None), (13, None)]);
    }

    #[test]
    fn a_pure_increment_counts_for_the_first_move() {
        let mut clock = clock("0+0.1", 0);
        assert_eq!(millis(&clock), 100);
        clock.stop(Duration::from_millis(50)).unwrap();
        assert_eq!(millis(&clock), 150);
    }
}
