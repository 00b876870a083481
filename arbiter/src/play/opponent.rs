//! The engine that a human plays against.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::human_game::HumanGame;
use crate::engines::{EngineSession, session};
use referee::Variant;
use runner::process::{Answer, EngineError, SearchFailure};
use runner::{Clock, EngineConfig, SearchLimits, SearchTask, search_order};
use uci::Go;

/// How long to wait for an engine after its flag has fallen.
const FLAG_TIMEOUT: Duration = Duration::from_secs(1);

/// How late an answer may come after its movetime if there is no clock.
const LATE_TIMEOUT: Duration = Duration::from_secs(30);

const STALL_TIMEOUT: Duration = Duration::from_mins(10);

const HINT_MOVETIME: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Opponent {
    session: EngineSession,
    limits: SearchLimits,
}

impl Opponent {
    pub fn start(config: EngineConfig, limits: SearchLimits, variant: Variant) -> Result<Opponent> {
        let name = config.name.clone();
        let session = session::start(&EngineConfig { limits: None, ..config })?;
        ensure!(
            session.plays(variant),
            "the position is of Chess960; engine {name} has no option UCI_Chess960"
        );
        Ok(Opponent { session, limits })
    }

    /// Sends `ucinewgame`, and restarts an engine that does not answer.
    pub fn begin_game(&mut self) -> Result<(), EngineError> {
        self.session.new_game().or_else(|_| self.restart())
    }

    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.session.restart()
    }

    pub fn think(&mut self, game: &HumanGame) -> Result<Answer, SearchFailure> {
        let go = search_order(&self.limits, &game.clocks, game.turn());
        let clock = game.clocks[game.turn() as usize].as_ref().map(Clock::limit);
        self.search(game, &go, clock)
    }

    /// Finds a move for the human. The engine's clock does not run meanwhile.
    pub fn hint(&mut self, game: &HumanGame) -> Result<Answer, SearchFailure> {
        let mut go = self.limits.go();
        if self.limits.clock.is_some() {
            go.movetime.get_or_insert(HINT_MOVETIME);
        }
        self.search(game, &go, None)
    }

    fn search(
        &mut self,
        game: &HumanGame,
        go: &Go,
        clock: Option<Duration>,
    ) -> Result<Answer, SearchFailure> {
        let timeout = match (clock, go.movetime) {
            (Some(left), _) => left + FLAG_TIMEOUT,
            (None, Some(time)) => time + LATE_TIMEOUT,
            (None, None) => STALL_TIMEOUT,
        };
        self.session.set_variant(game.variant()).map_err(|error| match error {
            EngineError::Ended { end, .. } => SearchFailure::Ended(end),
            error => SearchFailure::NoMove { line: error.to_string(), elapsed: Duration::ZERO },
        })?;
        self.session.search(SearchTask::Of(&game.position_line(), go), timeout)
    }
}
