//! The engine that a human plays.

use std::time::Duration;

use anyhow::Result;

use super::human_game::HumanGame;
use crate::engines::{EngineSession, session};
use referee::Referee;
use referee::san::line_to_san;
use runner::process::{Answer, EngineError, SearchFailure};
use runner::{Clock, EngineConfig, MoveScore, SearchLimits, search_order};
use uci::Go;

/// The most time to wait for an engine whose flag has fallen.
const FLAG_TIMEOUT: Duration = Duration::from_secs(1);

/// How late an answer may come after its movetime without a clock.
const LATE_TIMEOUT: Duration = Duration::from_secs(30);

const STALL_TIMEOUT: Duration = Duration::from_mins(10);

const HINT_MOVETIME: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Opponent {
    session: EngineSession,
    limits: SearchLimits,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    pub uci: String,
    pub elapsed: Duration,
    /// The score from the engine's point of view.
    pub score: Option<MoveScore>,
    pub depth: Option<u32>,
    /// The PV up to its first illegal move, in standard algebraic notation.
    pub line: Vec<String>,
}

impl Opponent {
    pub fn start(config: EngineConfig, limits: SearchLimits) -> Result<Opponent> {
        let mut session = session::start(&EngineConfig { limits: None, ..config })?;
        session.new_game()?;
        Ok(Opponent { session, limits })
    }

    /// Sends `ucinewgame`. An engine that does not answer is restarted.
    pub fn begin_game(&mut self) -> Result<(), EngineError> {
        self.session.new_game().or_else(|_| self.restart())
    }

    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.session.restart()?;
        self.session.new_game()
    }

    pub fn think(&mut self, game: &HumanGame) -> Result<SearchResult, SearchFailure> {
        let go = search_order(&self.limits, game.clocks(), game.turn());
        let clock = game.clocks()[game.turn() as usize].as_ref().map(Clock::limit);
        self.search(game, &go, clock)
    }

    /// Searches a move for the human. The engine's clock does not run meanwhile.
    pub fn hint(&mut self, game: &HumanGame) -> Result<SearchResult, SearchFailure> {
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
    ) -> Result<SearchResult, SearchFailure> {
        let timeout = match (clock, go.movetime) {
            (Some(left), _) => left + FLAG_TIMEOUT,
            (None, Some(time)) => time + LATE_TIMEOUT,
            (None, None) => STALL_TIMEOUT,
        };
        let answer = self.session.search(&game.search_command(go), timeout)?;
        Ok(search_result(game.referee(), &answer))
    }
}

fn search_result(referee: &Referee, answer: &Answer) -> SearchResult {
    let info = answer.info.as_deref();
    let pv = info.map(|info| &info.pv[..]).unwrap_or_default();
    let legal = referee.check_line(pv).unwrap_or_else(|broken| broken.legal);
    // A PV that starts with another move belongs to another search.
    let is_of_best = pv.first() == Some(&answer.best);
    let line = if is_of_best { line_to_san(referee, &pv[..legal]).unwrap_or_default() } else { Vec::new() };
    SearchResult {
        uci: answer.best.as_str().to_owned(),
        elapsed: answer.elapsed,
        score: info.and_then(|info| info.score).map(|score| score.value.into()),
        depth: info.and_then(|info| info.depth),
        line,
    }
}
