//! Finds the positions of a game that have an only move.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::game_position::GamePosition;
use super::mined_suite::{MinedGame, MinedPosition, MiningRecipe, Rejection, score_text};
use super::only_move::{BestTwo, MultiPvSearch, OnlyMove};
use crate::engines::EngineSession;
use crate::games::finished_games::FinishedGame;
use crate::text::Tally;
use referee::san::line_to_san;
use referee::{Referee, Variant};
use runner::{PositionLine, SearchTask};
use uci::{Go, UciMove};

/// The timeout of a search. Searches are limited in nodes, so only an engine that hangs takes so long.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Two positions of a game with the same solution for the same side count as one up to this distance in plies.
const SAME_SOLUTION_PLIES: usize = 8;

/// A position with an only move in the first search.
struct Candidate {
    position: GamePosition,
    solution: UciMove,
}

/// Finds the only-move positions of a game, with an engine at `MultiPV` 2. Stops before the next search once `is_over` is
/// set.
pub fn mine_game(
    session: &mut EngineSession,
    game: &FinishedGame,
    recipe: &MiningRecipe,
    is_over: &AtomicBool,
) -> Result<MinedGame> {
    let mut miner = Miner { session, recipe, is_over, tally: Tally::default() };
    let positions = miner.prefilter(game.positions()?);
    let candidates = miner.scan(positions)?;
    let mut found: Vec<MinedPosition> = Vec::new();
    let mut solved: Vec<(usize, UciMove)> = Vec::new();
    for candidate in candidates {
        let here = (candidate.position.ply, candidate.solution);
        if solved.iter().any(|earlier| is_same_solution(*earlier, here)) {
            miner.tally.reject(Rejection::SameSolution);
        } else if let Some(mined) = miner.verify(&candidate, game)? {
            solved.push(here);
            found.push(mined);
        }
    }
    Ok(MinedGame { positions: found, tally: miner.tally })
}

/// Whether two positions of a game, each given by its ply and its solution, count as one.
fn is_same_solution(earlier: (usize, UciMove), later: (usize, UciMove)) -> bool {
    let plies = later.0 - earlier.0;
    earlier.1 == later.1 && plies <= SAME_SOLUTION_PLIES && plies.is_multiple_of(2)
}

fn is_recapture(position: &GamePosition, solution: UciMove) -> bool {
    position.captured_on.as_deref() == solution.as_str().get(2..4)
}

struct Miner<'a> {
    session: &'a mut EngineSession,
    recipe: &'a MiningRecipe,
    is_over: &'a AtomicBool,
    tally: Tally<Rejection>,
}

impl Miner<'_> {
    fn prefilter(&mut self, positions: Vec<GamePosition>) -> Vec<GamePosition> {
        self.tally.seen += positions.len() as u64;
        let mut seen = HashSet::new();
        let mut kept = Vec::with_capacity(positions.len());
        for position in positions {
            let reason = if !self.recipe.wants(position.pieces) {
                Rejection::OtherKind
            } else if position.legal_moves < 2 {
                Rejection::Forced
            } else if !seen.insert(position.board.clone()) {
                Rejection::Repeated
            } else if position.swing.is_some_and(|swing| swing < self.recipe.swing) {
                Rejection::NoSwing
            } else {
                kept.push(position);
                continue;
            };
            self.tally.reject(reason);
        }
        kept
    }

    /// Searches every position with few nodes, from the end of the game to its start. The hash table is kept, so a search
    /// profits from those of later positions.
    fn scan(&mut self, positions: Vec<GamePosition>) -> Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        self.session.new_game()?;
        for position in positions.into_iter().rev() {
            let verdict = self.search(&position, self.recipe.scan_nodes)?.verdict();
            match verdict.filter(|two| self.only_move(two).is_some()) {
                None => self.tally.reject(Rejection::NoOnlyMove),
                Some(two) if is_recapture(&position, two.best.played) => {
                    self.tally.reject(Rejection::Recapture);
                }
                Some(two) => candidates.push(Candidate { position, solution: two.best.played }),
            }
        }
        candidates.reverse();
        Ok(candidates)
    }

    /// Rejects a solution that a depth-1 search finds, then searches with increasing node limits, each time with an empty
    /// hash table. Keeps the position if the solution is an only move in every search.
    fn verify(&mut self, candidate: &Candidate, game: &FinishedGame) -> Result<Option<MinedPosition>> {
        let Candidate { position, solution } = candidate;
        self.session.new_game()?;
        let depth_one = Go { depth: Some(1), ..Go::default() };
        if self.ask(position, &depth_one)?.best_move == Some(*solution) {
            self.tally.reject(Rejection::Obvious);
            return Ok(None);
        }
        let mut last = None;
        for &nodes in &self.recipe.verify_nodes {
            self.session.new_game()?;
            let search = self.search(position, nodes)?;
            let verdict = search.verdict().filter(|two| two.best.played == *solution);
            let only_move = verdict.and_then(|two| self.only_move(&two));
            let (Some(two), Some(only_move), Some(depth)) = (verdict, only_move, search.settled_depth())
            else {
                self.tally.reject(Rejection::Unconfirmed);
                return Ok(None);
            };
            last = Some((nodes, two, only_move, depth));
        }
        let Some((nodes, two, only_move, solution_depth)) = last else { return Ok(None) };
        let [solution, verification] = describe(position, &two, nodes)?;
        let source = format!("{}, {}", game.title, position.number);
        let (board, achieves) = (position.board.clone(), only_move.to_string());
        Ok(Some(MinedPosition { board, solution, source, achieves, solution_depth, verification }))
    }

    fn only_move(&self, two: &BestTwo) -> Option<OnlyMove> {
        OnlyMove::between(two.best.score, two.second.score, self.recipe.winning, self.recipe.equal)
    }

    fn search(&mut self, position: &GamePosition, nodes: u64) -> Result<MultiPvSearch> {
        self.ask(position, &Go { nodes: Some(nodes), ..Go::default() })
    }

    fn ask(&mut self, position: &GamePosition, go: &Go) -> Result<MultiPvSearch> {
        if self.is_over.load(Ordering::Relaxed) {
            bail!("cancelled");
        }
        let mut search = MultiPvSearch::default();
        let line = PositionLine::from_fen(position.fen());
        // If `bestmove` cannot be parsed, the search confirms nothing.
        let (_, best) =
            self.session.watch_search(SearchTask::Of(&line, go), TIMEOUT, |info| search.add_info(&info))?;
        search.best_move = best.ok();
        Ok(search)
    }
}

/// The solution in algebraic notation, and the two best moves of the last search with their scores.
fn describe(position: &GamePosition, two: &BestTwo, nodes: u64) -> Result<[String; 2]> {
    let referee = Referee::from_fen(&position.fen(), Variant::Standard)?;
    let san = |played: UciMove| {
        let line = line_to_san(&referee, &[played]).context("the engine reported an illegal line");
        line.map(|line| line.concat())
    };
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
    fn the_same_move_of_the_same_side_a_few_plies_later_counts_as_one() {
        assert!(is_same_solution(place(20, "d3g6"), place(22, "d3g6")));
        assert!(is_same_solution(place(20, "d3g6"), place(28, "d3g6")));
        assert!(!is_same_solution(place(20, "d3g6"), place(30, "d3g6")));
        assert!(!is_same_solution(place(20, "d3g6"), place(21, "d3g6")));
        assert!(!is_same_solution(place(20, "d3g6"), place(22, "d3h7")));
    }
}
