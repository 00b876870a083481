//! Making an opening suite: positions that a strong engine would reach and calls balanced.
//!
//! From the start position, a line grows by drawing at random among the moves that the engine finds nearly as good as
//! its best. What it arrives at is kept when a longer search calls it balanced and when no line arrived there before.
//! With one engine thread, limits in nodes and a seed, the suite is the same every time.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use thiserror::Error;

use super::EngineSession;
use crate::process::EngineError;
use crate::referee::{Referee, Variant};
use crate::uci::{Bound, Go, Message, ScoreValue};

/// How long the engine may think about one position; the limits are in nodes, and this only ends a hang.
const PATIENCE: Duration = Duration::from_mins(2);

/// The option that makes an engine report several moves.
const MULTI_PV: &str = "MultiPV";

/// What the openings of a suite have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningRecipe {
    /// Fewest and most plies from the start position.
    pub plies: (u32, u32),
    /// Nodes for the choice of each move.
    pub choice_nodes: u64,
    /// How many moves to draw from.
    pub choices: u32,
    /// How much worse than the best a move may be to be drawn, in centipawns.
    pub tolerance: i32,
    /// Nodes for the verdict on the position reached.
    pub verdict_nodes: u64,
    /// How far from 0 the verdict may be, in centipawns.
    pub balance: i32,
    /// What decides the draws.
    pub seed: u64,
}

/// A balanced position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalancedOpening {
    /// The position, as FEN.
    pub fen: String,
    /// The moves that lead to it, in standard algebraic notation.
    pub line: Vec<String>,
    /// The verdict in centipawns, from the point of view of the side to move.
    pub verdict: i32,
}

/// Why no more openings come.
#[derive(Debug, Error)]
pub enum OpeningMakerError {
    /// The engine is silent or gone, or does not report several moves.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine says something about a position that cannot be.
    #[error("the engine has no score for {fen}")]
    NoScore {
        /// The position.
        fen: String,
    },
}

/// Makes openings one after the other.
#[derive(Debug)]
pub struct OpeningMaker<'a> {
    session: &'a mut EngineSession,
    recipe: OpeningRecipe,
    random: ChaCha8Rng,
    reached: HashSet<String>,
}

impl<'a> OpeningMaker<'a> {
    /// A maker whose engine has been started with one thread.
    pub fn new(session: &'a mut EngineSession, recipe: OpeningRecipe) -> OpeningMaker<'a> {
        let random = ChaCha8Rng::seed_from_u64(recipe.seed);
        OpeningMaker { session, recipe, random, reached: HashSet::new() }
    }

    /// Tries one line; `None` when it ends the game, ends where an earlier one did, or is not balanced.
    ///
    /// # Errors
    /// The engine broke.
    pub fn attempt(&mut self) -> Result<Option<BalancedOpening>, OpeningMakerError> {
        self.session.new_game()?;
        let (shortest, longest) = self.recipe.plies;
        let plies = shortest + self.below(longest - shortest + 1);
        let mut referee = Referee::new(Variant::Standard);
        let mut line = Vec::new();
        for _ in 0..plies {
            let moves = self.candidates(&referee.fen())?;
            let chosen = moves[self.below(moves.len() as u32) as usize].clone();
            match referee.play(&chosen) {
                Ok(played) => line.push(played.san().to_owned()),
                Err(_) => return Ok(None),
            }
            if referee.outcome().is_some() {
                return Ok(None);
            }
        }
        let fen = referee.fen();
        if referee.is_check() || !self.reached.insert(without_clocks(&fen)) {
            return Ok(None);
        }
        let verdict = self.verdict(&fen)?;
        let is_balanced = verdict.abs() <= self.recipe.balance;
        Ok(is_balanced.then_some(BalancedOpening { fen, line, verdict }))
    }

    /// The moves that are nearly as good as the best, the best first.
    fn candidates(&mut self, fen: &str) -> Result<Vec<String>, OpeningMakerError> {
        let mut scored = self.search(fen, self.recipe.choices, self.recipe.choice_nodes)?;
        let Some((_, best)) = scored.first().cloned() else {
            return Err(OpeningMakerError::NoScore { fen: fen.to_owned() });
        };
        scored.retain(|(_, score)| best - score <= self.recipe.tolerance);
        Ok(scored.into_iter().map(|(m, _)| m).collect())
    }

    fn verdict(&mut self, fen: &str) -> Result<i32, OpeningMakerError> {
        let scored = self.search(fen, 1, self.recipe.verdict_nodes)?;
        let best = scored.first().ok_or_else(|| OpeningMakerError::NoScore { fen: fen.to_owned() })?;
        Ok(best.1)
    }

    /// The best moves with their scores in centipawns from the last complete report. Mates count as ten thousand.
    fn search(&mut self, fen: &str, lines: u32, nodes: u64) -> Result<Vec<(String, i32)>, OpeningMakerError> {
        self.session.set_option(MULTI_PV, Some(&lines.to_string()))?;
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let mut scored: Vec<(String, i32)> = Vec::new();
        self.session.ask(&format!("position fen {fen}\n{go}\n"), PATIENCE, |text| {
            match text.parse() {
                Ok(Message::Info(info)) => {
                    if let (Some(score), Some(first)) = (info.score, info.pv.first())
                        && score.bound == Bound::Exact
                    {
                        let place = info.multipv.unwrap_or(1).max(1) as usize - 1;
                        scored.truncate(place);
                        scored.push((first.to_string(), centipawns(score.value)));
                    }
                }
                Ok(Message::BestMove(_)) => return ControlFlow::Break(()),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        Ok(scored)
    }

    /// A random number below `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.random.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}

fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) if moves > 0 => 10_000,
        ScoreValue::Mate(_) => -10_000,
    }
}

/// The fields of a FEN that make two positions the same.
fn without_clocks(fen: &str) -> String {
    fen.split_ascii_whitespace().take(4).collect::<Vec<_>>().join(" ")
}
