//! The parameters of a tuning run over its games.

use crate::html::plot::Thinned;
use crate::results::Tally;
use stats::{Spsa, TunedParameter};

/// The values of the parameters at evenly spaced moments.
#[derive(Clone, Debug, Default)]
pub struct TuningCourse {
    moments: Thinned<TuningMoment>,
}

/// The values at one moment.
#[derive(Clone, Debug)]
pub struct TuningMoment {
    /// The games that the values are computed from.
    pub games: u32,
    /// The parameters in the order of the run.
    pub parameters: Vec<TunedParameter>,
}

impl TuningMoment {
    fn of(spsa: &Spsa) -> TuningMoment {
        TuningMoment { games: spsa.pairs() * 2, parameters: spsa.parameters() }
    }
}

impl TuningCourse {
    /// Adds a moment after one more game.
    pub fn observe(&mut self, tally: &Tally) {
        if let Some(tuning) = tally.tuning() {
            self.moments.offer(|| TuningMoment::of(tuning.spsa()));
        }
    }

    /// The moments; none for other runs.
    pub fn moments(&self) -> &[TuningMoment] {
        self.moments.items()
    }
}
