//! The clock of one side.

use std::time::Duration;

use crate::{Stage, TimeControl};

/// How much time a side has, and until when.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    stage: usize,
    remaining: Duration,
    moves_left: Option<u32>,
    time_margin: Duration,
}

impl Clock {
    /// A clock at the start of the game. It may be overstepped by `margin` without a loss.
    pub fn new(control: TimeControl, time_margin: Duration) -> Clock {
        let mut clock = Clock { control, stage: 0, remaining: Duration::ZERO, moves_left: None, time_margin };
        clock.begin_stage(0);
        clock.remaining += clock.increment();
        clock
    }

    fn begin_stage(&mut self, stage: usize) {
        self.stage = stage;
        let Stage { moves, time, .. } = self.present_stage();
        self.moves_left = moves;
        self.remaining += time;
    }

    fn present_stage(&self) -> Stage {
        self.control.stages()[self.stage]
    }

    /// The time left for this move and those that follow; never negative, whatever the margin let pass.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The time that every move of the stage brings, before it is made: the first one too, as in fastchess and
    /// cutechess.
    pub fn increment(&self) -> Duration {
        self.present_stage().increment
    }

    /// The moves until more time is added, the next one included: at 40 moves it counts from 40 down to 1, and the time
    /// of the next stage is there when the 40th move was made.
    ///
    /// Only moves that the engine made itself count, not those of the opening: both engines get the whole time for the
    /// moves that they think about, whatever book the game began with and whoever had the first move.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_left
    }

    /// The longest that the next move may take without losing.
    pub fn limit(&self) -> Duration {
        self.remaining + self.time_margin
    }

    /// Stops the clock after a move that took so long, and adds the time of the next stage and the increment of the next
    /// move.
    ///
    /// # Errors
    /// By how much the time, margin included, was overstepped.
    pub fn stop(&mut self, elapsed: Duration) -> Result<(), Duration> {
        if elapsed > self.limit() {
            return Err(elapsed.saturating_sub(self.limit()));
        }
        self.remaining = self.remaining.saturating_sub(elapsed);
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                // The last stage repeats.
                self.begin_stage((self.stage + 1).min(self.control.stages().len() - 1));
            }
        }
        self.remaining += self.increment();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
