//! From a game to the positions in it that have exactly one good move.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game_position::{GamePosition, SourceGame, SourceGameError};
use super::mined_position::{MinedPosition, score_text};
use super::recipe::MiningRecipe;
use super::stake::Stake;
use super::tally::{MiningTally, Rejection};
use super::two_line_search::{BestTwo, TwoLineSearch};
use crate::engines::EngineSession;
use referee::{BrokenLine, Referee, Variant, san::line_to_san};
use runner::process::EngineError;
use uci::{Go, Message, UciMove};

/// How long the engine may think about one position; the limits are in nodes, and this only ends a hang.
const PATIENCE: Duration = Duration::from_mins(10);

/// How many plies after a position the same solution of the same side is the same idea.
const SAME_IDEA: usize = 8;

/// What became of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedGame {
    /// The positions with exactly one good move, in the order of the game.
    pub positions: Vec<MinedPosition>,
    /// What became of the others.
    pub tally: MiningTally,
}

/// Why a game was not searched to its end.
#[derive(Debug, Error)]
pub enum MiningError {
    /// The engine is silent or gone.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine talks of a move that is not legal.
    #[error("the engine has a line that is not legal: {0}")]
    Line(#[from] BrokenLine),
    /// The game is none.
    #[error(transparent)]
    Game(#[from] SourceGameError),
    /// Nobody wants the result any more.
    #[error("given up")]
    GivenUp,
}

/// A position that may have exactly one good move.
struct Candidate {
    position: GamePosition,
    solution: UciMove,
}

/// Looks for positions in one game, with an engine that reports two lines (`MultiPV` 2). It is given up between two
/// searches when `is_wanted` says so.
///
/// # Errors
/// The engine breaks, the game is none, or it was given up.
pub fn mine_game(
    session: &mut EngineSession,
    game: &SourceGame,
    recipe: &MiningRecipe,
    is_wanted: &AtomicBool,
) -> Result<MinedGame, MiningError> {
    let mut miner = Miner { session, recipe, is_wanted, tally: MiningTally::default() };
    let positions = miner.worth_a_look(game.positions()?);
    let candidates = miner.scan(positions)?;
    let mut found: Vec<MinedPosition> = Vec::new();
    let mut ideas: Vec<(usize, UciMove)> = Vec::new();
    for candidate in candidates {
        let place = (candidate.position.ply, candidate.solution);
        if ideas.iter().any(|earlier| is_same_idea(*earlier, place)) {
            miner.tally.reject(Rejection::SameSolution);
        } else if let Some(mined) = miner.verify(&candidate, game)? {
            ideas.push(place);
            found.push(mined);
        }
    }
    Ok(MinedGame { positions: found, tally: miner.tally })
}

/// Whether the later of two places of a game, each a ply and its solution, asks for what the earlier one asked for.
fn is_same_idea(earlier: (usize, UciMove), later: (usize, UciMove)) -> bool {
    let plies = later.0 - earlier.0;
    earlier.1 == later.1 && plies <= SAME_IDEA && plies.is_multiple_of(2)
}

/// Whether a move takes back on the square where the move before it has taken.
fn is_recapture(position: &GamePosition, solution: UciMove) -> bool {
    position.captured_on.as_deref() == solution.as_str().get(2..4)
}

/// The engine at work on one game.
struct Miner<'a> {
    session: &'a mut EngineSession,
    recipe: &'a MiningRecipe,
    is_wanted: &'a AtomicBool,
    tally: MiningTally,
}

impl Miner<'_> {
    /// The sieves that need no engine.
    fn worth_a_look(&mut self, positions: Vec<GamePosition>) -> Vec<GamePosition> {
        self.tally.positions += positions.len() as u64;
        let mut seen = HashSet::new();
        let mut kept = Vec::with_capacity(positions.len());
        for position in positions {
            let reason = if !self.recipe.wants(position.men) {
                Rejection::OtherKind
            } else if position.legal_moves < 2 {
                Rejection::Forced
            } else if !seen.insert(position.board.clone()) {
                Rejection::SeenBefore
            } else if position.swing.is_some_and(|swing| swing < self.recipe.swing) {
                Rejection::Calm
            } else {
                kept.push(position);
                continue;
            };
            self.tally.reject(reason);
        }
        kept
    }

    /// Searches every position with few nodes. It goes through the game from the end to the beginning, and the engine
    /// keeps its hash table: so it sees sooner what the game has shown later.
    fn scan(&mut self, positions: Vec<GamePosition>) -> Result<Vec<Candidate>, MiningError> {
        let mut candidates = Vec::new();
        self.session.new_game()?;
        for position in positions.into_iter().rev() {
            let verdict = self.search(&position, self.recipe.scan_nodes)?.verdict();
            match verdict.filter(|two| self.stake(two).is_some()) {
                None => self.tally.reject(Rejection::NothingAtStake),
                Some(two) if is_recapture(&position, two.best.played) => {
                    self.tally.reject(Rejection::Recapture);
                }
                Some(two) => candidates.push(Candidate { position, solution: two.best.played }),
            }
        }
        candidates.reverse();
        Ok(candidates)
    }

    /// Asks for the obvious move, then searches deeper and deeper, each time from a clean table. The position is kept
    /// when every search has the same solution and the same result at stake.
    fn verify(
        &mut self,
        candidate: &Candidate,
        game: &SourceGame,
    ) -> Result<Option<MinedPosition>, MiningError> {
        let Candidate { position, solution } = candidate;
        self.session.new_game()?;
        let glance = Go { depth: Some(1), ..Go::default() };
        if self.ask(position, &glance)?.played() == Some(*solution) {
            self.tally.reject(Rejection::Obvious);
            return Ok(None);
        }
        let mut last = None;
        for &nodes in &self.recipe.verify_nodes {
            self.session.new_game()?;
            let search = self.search(position, nodes)?;
            let verdict = search.verdict().filter(|two| two.best.played == *solution);
            let stake = verdict.and_then(|two| self.stake(&two));
            let (Some(two), Some(stake), Some(grade)) = (verdict, stake, search.settled_at()) else {
                self.tally.reject(Rejection::Unconfirmed);
                return Ok(None);
            };
            last = Some((nodes, two, stake, grade));
        }
        let Some((nodes, two, stake, grade)) = last else { return Ok(None) };
        let [solution, verification] = describe(position, &two, nodes)?;
        let source = format!("{}, {}", game.title, position.number);
        let (board, stake) = (position.board.clone(), stake.to_string());
        Ok(Some(MinedPosition { board, solution, source, stake, grade, verification }))
    }

    fn stake(&self, two: &BestTwo) -> Option<Stake> {
        self.recipe.stake(two.best.score, two.second.score)
    }

    fn search(&mut self, position: &GamePosition, nodes: u64) -> Result<TwoLineSearch, MiningError> {
        self.ask(position, &Go { nodes: Some(nodes), ..Go::default() })
    }

    fn ask(&mut self, position: &GamePosition, go: &Go) -> Result<TwoLineSearch, MiningError> {
        if !self.is_wanted.load(Ordering::Relaxed) {
            return Err(MiningError::GivenUp);
        }
        let mut search = TwoLineSearch::default();
        let question = format!("position fen {}\n{go}\n", position.fen());
        self.session.ask(&question, PATIENCE, |line| {
            match line.parse() {
                Ok(Message::Info(info)) => search.hear(&info),
                Ok(Message::BestMove(answer)) => {
                    search.answer(answer.best);
                    return ControlFlow::Break(());
                }
                // A `bestmove` that is no move: an answer that confirms nothing.
                Err(_) if line.starts_with("bestmove") => return ControlFlow::Break(()),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        Ok(search)
    }
}

/// The solution in algebraic notation, and what the verification said of it and of the second move.
fn describe(position: &GamePosition, two: &BestTwo, nodes: u64) -> Result<[String; 2], MiningError> {
    let referee = Referee::from_fen(&position.fen(), Variant::Standard)
        .map_err(|source| SourceGameError::Position { title: position.board.clone(), source })?;
    let san = |played: UciMove| line_to_san(&referee, &[played]).map(|line| line.concat());
    let (best, second) = (san(two.best.played)?, san(two.second.played)?);
    let verification = format!(
        "{nodes} nodes, depth {}: {best} {}, {second} {}",
        two.depth,
        score_text(two.best.score),
        score_text(two.second.score)
    );
    Ok([best, verification])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(ply: usize, played: &str) -> (usize, UciMove) {
        (ply, played.parse().unwrap())
    }

    #[test]
    fn the_same_move_of_the_same_side_a_few_plies_later_is_the_same_idea() {
        assert!(is_same_idea(place(20, "d3g6"), place(22, "d3g6")));
        assert!(is_same_idea(place(20, "d3g6"), place(28, "d3g6")));
        assert!(!is_same_idea(place(20, "d3g6"), place(30, "d3g6")));
        assert!(!is_same_idea(place(20, "d3g6"), place(21, "d3g6")));
        assert!(!is_same_idea(place(20, "d3g6"), place(22, "d3h7")));
    }

    #[test]
    fn only_taking_back_on_the_square_of_the_last_capture_is_a_recapture() {
        let mut position = GamePosition {
            board: String::new(),
            ply: 1,
            number: "1...".to_owned(),
            men: 31,
            legal_moves: 30,
            captured_on: Some("d5".to_owned()),
            swing: None,
        };
        assert!(is_recapture(&position, "d8d5".parse().unwrap()));
        assert!(!is_recapture(&position, "d5d4".parse().unwrap()));
        position.captured_on = None;
        assert!(!is_recapture(&position, "d8d5".parse().unwrap()));
    }
}
