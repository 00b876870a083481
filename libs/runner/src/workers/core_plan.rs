//! Which cores each game gets.

use std::io;

use thiserror::Error;

use super::cpu_topology::{bind_this_thread, usable_cores};
use crate::{EngineConfig, RunConfig};

/// The cores of the machine, dealt out to the games that are played at once.
///
/// A game gets as many as it can keep busy. Its own thread shares them with its engines: it only works while they wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorePlan {
    /// The cores in the order in which they are taken.
    cores: Vec<usize>,
    per_game: usize,
}

/// Why games cannot be bound to cores.
#[derive(Debug, Error)]
pub enum CorePlanError {
    /// The system does not tell its cores or does not let us choose.
    #[error("affinity: this system cannot pin games to cores ({0}); it needs Linux")]
    System(#[source] io::Error),
    /// There are not enough cores.
    #[error(
        "affinity: {games} concurrent games need {} cores, {per_game} for each game, but there are {cores}; expected a \
         concurrency of at most {}", games * per_game, cores / per_game
    )]
    TooFewCores {
        /// How many games are to be played at once.
        games: usize,
        /// How many cores each can keep busy.
        per_game: usize,
        /// How many cores may be used.
        cores: usize,
    },
}

/// How many cores a game keeps busy: the threads of the engine that has the most, and twice as many when both engines
/// think at the same time.
pub fn cores_per_game(engines: &[EngineConfig], ponder: bool) -> usize {
    let threads = engines.iter().map(EngineConfig::threads).max().unwrap_or(1);
    threads * if ponder { 2 } else { 1 }
}

impl EngineConfig {
    /// The `Threads` of the engine.
    pub fn threads(&self) -> usize {
        let option = self.options.iter().find(|option| option.name.eq_ignore_ascii_case("threads"));
        option.and_then(|option| option.value.as_ref()?.parse().ok()).unwrap_or(1)
    }
}

impl CorePlan {
    /// Deals out the cores that this process may use.
    ///
    /// # Errors
    /// [`CorePlanError::System`] where games cannot be bound.
    pub fn new(per_game: usize) -> Result<CorePlan, CorePlanError> {
        let cores = usable_cores().map_err(CorePlanError::System)?;
        Ok(CorePlan { cores, per_game: per_game.max(1) })
    }

    /// The plan of a run; none if it does not ask for one.
    ///
    /// # Errors
    /// [`CorePlanError`] when games cannot be bound, or the cores do not suffice.
    pub fn of_run(config: &RunConfig) -> Result<Option<CorePlan>, CorePlanError> {
        if !config.affinity {
            return Ok(None);
        }
        let plan = CorePlan::new(cores_per_game(&config.engines, config.ponder))?;
        plan.check(config.concurrency)?;
        Ok(Some(plan))
    }

    /// How many games can be played at once with cores of their own.
    pub fn games(&self) -> usize {
        self.cores.len() / self.per_game
    }

    /// Checks that `games` concurrent games have cores of their own.
    ///
    /// # Errors
    /// [`CorePlanError::TooFewCores`].
    pub fn check(&self, games: usize) -> Result<(), CorePlanError> {
        if games <= self.games() {
            return Ok(());
        }
        Err(CorePlanError::TooFewCores { games, per_game: self.per_game, cores: self.cores.len() })
    }

    /// The cores of one of the games that are played at once, by its permit, from 0. Permits beyond [`games`](Self::games)
    /// share the cores of the first ones.
    pub fn cores_of(&self, permit: usize) -> &[usize] {
        let first = permit % self.games().max(1) * self.per_game;
        &self.cores[first..self.cores.len().min(first + self.per_game)]
    }

    /// Binds the calling thread, and the engines that it starts, to the cores of a permit.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn bind_this_thread(&self, permit: usize) -> io::Result<()> {
        bind_this_thread(self.cores_of(permit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UciSetting;

    fn engine(options: &[&str]) -> EngineConfig {
        let options = options.iter().map(|text| UciSetting::read(text)).collect();
        EngineConfig { options, ..EngineConfig::default() }
    }

    #[test]
    fn a_game_needs_as_many_cores_as_it_keeps_busy() {
        let engines = [engine(&[]), engine(&["Hash=16", "threads=3"])];
        assert_eq!(cores_per_game(&engines, false), 3);
        assert_eq!(cores_per_game(&engines, true), 6);
        assert_eq!(cores_per_game(&engines[..1], true), 2);
    }

    #[test]
    fn no_two_games_share_a_core() {
        let plan = CorePlan { cores: vec![0, 2, 4, 1, 3], per_game: 2 };
        assert_eq!(plan.games(), 2);
        assert_eq!((plan.cores_of(0), plan.cores_of(1)), (&[0, 2][..], &[4, 1][..]));
        assert_eq!(plan.cores_of(2), plan.cores_of(0));
    }

    #[test]
    fn more_games_than_the_cores_allow_are_refused_with_the_numbers() {
        let plan = CorePlan { cores: vec![0, 1, 2, 3, 4], per_game: 2 };
        assert!(plan.check(2).is_ok());
        let message = plan.check(3).unwrap_err().to_string();
        assert!(
            message.contains(
                "need 6 cores, 2 for each game, but there are 5; expected a concurrency of at most 2"
            ),
            "{message}"
        );
    }

    #[test]
    fn a_game_too_large_for_the_machine_has_the_whole_machine() {
        let plan = CorePlan { cores: vec![0, 1], per_game: 4 };
        assert_eq!((plan.games(), plan.cores_of(0)), (0, &[0, 1][..]));
    }
}
