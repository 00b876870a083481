//! What an engine thinks of positions, in numbers that anyone can find again.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;

use crate::engines::EngineSession;
use runner::process::EngineError;
use uci::{Bound, Go, Message, ScoreValue};

/// How long the engine may think about one position; the limits are in nodes, and this only ends a hang.
const PATIENCE: Duration = Duration::from_mins(2);

/// The option that makes an engine report several moves.
const MULTI_PV: &str = "MultiPV";

/// How many positions are remembered. The first that come are those near the start, which come again.
const MOST_REMEMBERED: usize = 20_000;

/// Moves in UCI notation with their verdicts in centipawns, the best first.
pub(super) type ScoredMoves = Vec<(String, i32)>;

/// The best moves of positions that were asked for before, for all engines of a plan: since every search is the first
/// of a new game, each of them would say the same again.
#[derive(Debug, Default)]
pub struct MoveMemory(Mutex<HashMap<String, ScoredMoves>>);

impl MoveMemory {
    fn recall(&self, fen: &str) -> Option<ScoredMoves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(fen).cloned()
    }

    fn remember(&self, fen: &str, moves: &ScoredMoves) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST_REMEMBERED {
            known.insert(fen.to_owned(), moves.clone());
        }
    }
}

/// An engine that judges. It should have one thread; each search is the first of a new game, so that the numbers do not
/// depend on what was asked before.
#[derive(Debug)]
pub struct OpeningJudge<'a> {
    session: &'a mut EngineSession,
    /// The best moves of earlier positions; `None` where only verdicts are asked for.
    memory: Option<&'a MoveMemory>,
    /// How many moves the engine was told to report, once it was.
    reports: Option<u32>,
}

/// Why there is no verdict.
#[derive(Debug, Error)]
pub enum OpeningJudgeError {
    /// The engine is silent or gone, or does not report several moves.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine says nothing about a position that is not over.
    #[error("the engine tells no score for {fen}; expected a limit of more nodes, or another engine")]
    NoScore {
        /// The position.
        fen: String,
    },
}

impl<'a> OpeningJudge<'a> {
    /// An engine that has been started, for verdicts alone.
    pub fn new(session: &'a mut EngineSession) -> OpeningJudge<'a> {
        OpeningJudge { session, memory: None, reports: None }
    }

    /// An engine for verdicts and for the best moves of positions, of which the memory has some.
    pub fn with_memory(session: &'a mut EngineSession, memory: &'a MoveMemory) -> OpeningJudge<'a> {
        OpeningJudge { session, memory: Some(memory), reports: None }
    }

    /// The verdict on a position after so many nodes, in centipawns from the point of view of the side to move. A mate
    /// counts as ten thousand.
    ///
    /// # Errors
    /// The engine broke or is silent.
    pub fn verdict(&mut self, fen: &str, nodes: u64) -> Result<i32, OpeningJudgeError> {
        // Without a memory the engine was never told to report more, and it need not have the option.
        if self.memory.is_some() && self.reports != Some(1) {
            self.report(1)?;
        }
        Ok(self.search(fen, nodes)?[0].1)
    }

    /// The best moves of a position with their verdicts. All questions with one memory must have the same limits.
    ///
    /// # Errors
    /// The engine broke, is silent, or cannot report so many moves.
    pub fn best_moves(
        &mut self,
        fen: &str,
        moves: u32,
        nodes: u64,
    ) -> Result<ScoredMoves, OpeningJudgeError> {
        if let Some(known) = self.memory.and_then(|memory| memory.recall(fen)) {
            return Ok(known);
        }
        if self.reports != Some(moves) {
            self.report(moves)?;
        }
        let scored = self.search(fen, nodes)?;
        if let Some(memory) = self.memory {
            memory.remember(fen, &scored);
        }
        Ok(scored)
    }

    fn report(&mut self, moves: u32) -> Result<(), OpeningJudgeError> {
        self.session.set_option(MULTI_PV, Some(&moves.to_string()))?;
        self.reports = Some(moves);
        Ok(())
    }

    /// The moves and verdicts that the engine told last, by their places; there is at least one.
    fn search(&mut self, fen: &str, nodes: u64) -> Result<ScoredMoves, OpeningJudgeError> {
        self.session.new_game()?;
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let mut places: Vec<Option<(String, i32)>> = Vec::new();
        self.session.ask(&format!("position fen {fen}\n{go}\n"), PATIENCE, |text| {
            match text.parse() {
                Ok(Message::Info(info)) => {
                    if let (Some(score), Some(first)) = (info.score, info.pv.first())
                        && score.bound == Bound::Exact
                    {
                        let place = info.multipv.unwrap_or(1).clamp(1, 256) as usize - 1;
                        places.resize(places.len().max(place + 1), None);
                        places[place] = Some((first.to_string(), centipawns(score.value)));
                    }
                }
                Ok(Message::BestMove(_)) => return ControlFlow::Break(()),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        let mut scored = ScoredMoves::new();
        for (chosen, score) in places.into_iter().flatten() {
            // A search that ends between two places may have told a move at both.
            if scored.iter().all(|(known, _)| *known != chosen) {
                scored.push((chosen, score));
            }
        }
        if scored.is_empty() {
            return Err(OpeningJudgeError::NoScore { fen: fen.to_owned() });
        }
        Ok(scored)
    }
}

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) if moves > 0 => 10_000,
        ScoreValue::Mate(_) => -10_000,
    }
}
