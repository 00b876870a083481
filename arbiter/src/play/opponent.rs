//! The engine that a person plays.

use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::{Builder, Runtime};

use super::sparring_game::SparringGame;
use referee::Referee;
use referee::san::line_to_san;
use runner::process::{Answer, EngineError, EngineProcess, SearchFailure};
use runner::{Clock, EngineConfig, MoveScore, SearchLimits, search_order};
use uci::Go;

/// How long an engine may take to say `uciok` or `readyok`.
const READY_PATIENCE: Duration = Duration::from_secs(10);

/// How long an engine whose flag has fallen is waited for.
const FALLEN_PATIENCE: Duration = Duration::from_secs(1);

/// How long an answer may come late, where no clock runs, before the engine counts as broken. A person can wait.
const LATE_PATIENCE: Duration = Duration::from_secs(30);

/// How long a search without a limit in time may take.
const STALL_PATIENCE: Duration = Duration::from_mins(10);

/// How long the engine thinks about a hint where its own moves are limited by a clock.
const HINT_TIME: Duration = Duration::from_secs(1);

/// An engine that is ready for the game. Dropping it ends the process.
#[derive(Debug)]
pub struct Opponent {
    runtime: Runtime,
    process: EngineProcess,
    config: EngineConfig,
    limits: SearchLimits,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move in UCI notation; whether it is legal is for the referee.
    pub uci: String,
    /// How long it took.
    pub elapsed: Duration,
    /// What the engine thinks of its move, from the point of view of the side that makes it.
    pub score: Option<MoveScore>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The line that the engine expects, as far as it is legal, in standard algebraic notation.
    pub line: Vec<String>,
}

impl Opponent {
    /// Starts the engine, with the limits that its moves have.
    ///
    /// # Errors
    /// It does not start, does not speak UCI, or does not have one of its options.
    pub fn start(config: EngineConfig, limits: SearchLimits) -> Result<Opponent> {
        let runtime = Builder::new_current_thread().enable_all().build().context("cannot make a runtime")?;
        let process = runtime.block_on(ready(&config))?;
        Ok(Opponent { runtime, process, config, limits })
    }

    /// What the engine is called.
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// Says that another game begins. An engine that broke is started anew.
    ///
    /// # Errors
    /// The engine does not get ready any more.
    pub fn begin_game(&mut self) -> Result<(), EngineError> {
        if self.runtime.block_on(self.process.new_game(READY_PATIENCE)).is_ok() {
            return Ok(());
        }
        self.restart()
    }

    /// Starts the engine anew, after it broke.
    ///
    /// # Errors
    /// It does not get ready any more.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process = self.runtime.block_on(ready(&self.config))?;
        Ok(())
    }

    /// Lets the engine find its move.
    ///
    /// # Errors
    /// There is none, and why.
    pub fn think(&mut self, game: &SparringGame) -> Result<Thought, SearchFailure> {
        let go = search_order(&self.limits, game.clocks(), game.turn());
        let clock = game.clocks()[game.turn() as usize].as_ref().map(Clock::limit);
        self.search(game, &go, clock)
    }

    /// Lets the engine say what it would play in the person's place. No clock of the engine's runs meanwhile.
    ///
    /// # Errors
    /// It does not say.
    pub fn hint(&mut self, game: &SparringGame) -> Result<Thought, SearchFailure> {
        let mut go = self.limits.go();
        if self.limits.clock.is_some() {
            go.movetime.get_or_insert(HINT_TIME);
        }
        self.search(game, &go, None)
    }

    fn search(
        &mut self,
        game: &SparringGame,
        go: &Go,
        clock: Option<Duration>,
    ) -> Result<Thought, SearchFailure> {
        let patience = match (clock, go.movetime) {
            (Some(left), _) => left + FALLEN_PATIENCE,
            (None, Some(time)) => time + LATE_PATIENCE,
            (None, None) => STALL_PATIENCE,
        };
        let answer = self.runtime.block_on(self.process.search(&game.question(go), patience))?;
        Ok(thought(game.referee(), &answer))
    }
}

fn thought(referee: &Referee, answer: &Answer) -> Thought {
    let info = answer.info.as_deref();
    let pv = info.map(|info| &info.pv[..]).unwrap_or_default();
    let legal = referee.check_line(pv).unwrap_or_else(|broken| broken.legal);
    // A line that begins with another move explains nothing about this one.
    let explains = pv.first() == Some(&answer.best);
    let line = if explains { line_to_san(referee, &pv[..legal]).unwrap_or_default() } else { Vec::new() };
    Thought {
        uci: answer.best.as_str().to_owned(),
        elapsed: answer.elapsed,
        score: info.and_then(|info| info.score).map(|score| score.value.into()),
        depth: info.and_then(|info| info.depth),
        line,
    }
}

/// Starts the process, shakes hands, sets its options, and begins a game.
async fn ready(config: &EngineConfig) -> Result<EngineProcess, EngineError> {
    let mut process = EngineProcess::start(&config.command())?;
    process.handshake(READY_PATIENCE).await?;
    for option in &config.options {
        process.set_option(&option.name, option.value.as_deref(), READY_PATIENCE).await?;
    }
    process.new_game(READY_PATIENCE).await?;
    Ok(process)
}
