//! The rungs of `--ladder`, and how long a game lasts at a time control.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use runner::TimeControl;

/// The share of its base time that an engine uses in a game. In the runs below `results/`, engines of similar strength
/// used nine tenths and made some 60 moves each, which gives 3.0 s at 1+0.01 (measured: 3.1 to 3.3) and 6.0 s at 2+0.02
/// (measured: 4.8 to 6.0).
const USED_OF_BASE: f64 = 0.9;
const MOVES: u32 = 60;

pub fn time_of_an_engine(tc: &TimeControl) -> Duration {
    let (mut time, mut moves_left) = (Duration::ZERO, MOVES);
    let last = tc.stages().len() - 1;
    for (index, stage) in tc.stages().iter().enumerate() {
        let Some(of_stage) = stage.moves else {
            return time + stage.time.mul_f64(USED_OF_BASE) + stage.increment * moves_left;
        };
        let moves = if index == last { moves_left } else { of_stage.min(moves_left) };
        time += stage.time.mul_f64(f64::from(moves) / f64::from(of_stage)) + stage.increment * moves;
        moves_left -= moves;
    }
    time
}

/// At least two time controls, from short to long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rungs(Vec<TimeControl>);

impl Rungs {
    pub fn all(&self) -> &[TimeControl] {
        &self.0
    }

    pub fn last(&self) -> &TimeControl {
        &self.0[self.0.len() - 1]
    }

    pub fn joined(&self, by: &str) -> String {
        self.0.iter().map(TimeControl::to_string).collect::<Vec<_>>().join(by)
    }
}

/// The seconds that an engine uses in a game on each rung.
pub fn times<'a>(rungs: impl IntoIterator<Item = &'a TimeControl>) -> Vec<f64> {
    rungs.into_iter().map(|tc| time_of_an_engine(tc).as_secs_f64()).collect()
}

impl FromStr for Rungs {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Rungs> {
        let rungs: Vec<TimeControl> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        if rungs.len() < 2 || !times(&rungs).is_sorted_by(|one, next| one < next) {
            bail!("expected two time controls or more, from short to long, such as 0.2+0.002,1+0.01,8+0.08");
        }
        Ok(Rungs(rungs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(tc: &str) -> f64 {
        time_of_an_engine(&tc.parse().unwrap()).as_secs_f64()
    }

    #[test]
    fn a_game_takes_most_of_the_base_time_and_sixty_increments() {
        assert!((seconds("10+0.1") - 15.0).abs() < 1e-9);
        assert!((seconds("40/60") - 90.0).abs() < 1e-9);
        assert!((seconds("40/60,20/30+1") - 110.0).abs() < 1e-9);
        assert!((seconds("40/60,10+0.1") - 71.0).abs() < 1e-9);
    }
}
