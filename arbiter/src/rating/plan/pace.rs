//! How many games are played per hour.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::options::time_of_an_engine;
use crate::results::RunResults;
use runner::TimeControl;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePace {
    pub games_per_hour: f64,
    pub source: PaceSource,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PaceSource {
    Given,
    TimeControl { tc: TimeControl, concurrency: usize },
    Run { folder: PathBuf, games: u64 },
}

impl GamePace {
    pub fn of_time_control(tc: &TimeControl, concurrency: usize) -> GamePace {
        let game = 2.0 * time_of_an_engine(tc).as_secs_f64();
        let games_per_hour = concurrency as f64 * 3600.0 / game;
        GamePace { games_per_hour, source: PaceSource::TimeControl { tc: tc.clone(), concurrency } }
    }

    /// The measured speed of a run: its games divided by the time spent playing. Fails for a run without games.
    pub fn of_run(run: &RunResults) -> Result<GamePace> {
        let (games, time) = (run.summary.games, run.time_played);
        if games == 0 || time.is_zero() {
            bail!("--like {}: expected a run with games, found none", run.folder.display());
        }
        let games_per_hour = games as f64 * 3600.0 / time.as_secs_f64();
        Ok(GamePace { games_per_hour, source: PaceSource::Run { folder: run.folder.clone(), games } })
    }

    pub fn hours(&self, games: f64) -> f64 {
        games / self.games_per_hour
    }
}
