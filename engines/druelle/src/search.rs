//! Negamax with alpha-beta and a hash table (sections 2.5.1 to 2.5.3), one ply deeper at a time.
//!
//! The document searches to a fixed depth and gives neither the depth nor an order of the moves. Deepening is what lets
//! the search obey a clock; the move of the hash table and captures of the most valuable pieces come first, because
//! without an order alpha-beta gains little. There is nothing behind the last ply: the document has no quiescence, and
//! this engine sees threats as far as its depth and no further.

use std::cmp::Reverse;

use uci::server::SearchBudget;

use super::evaluation::{MATE, NEAR_MATE, evaluate};
use super::game::Game;
use super::hash_table::{Bound, HashTable};
use super::movement::Move;
use super::opening_base::OpeningBase;
use super::piece::Kind;

/// No search goes deeper, in plies.
const MAX_DEPTH: u32 = 64;

/// The budget was spent in the middle of a search.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted;

/// What an iteration has found.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// The score for the player whose turn it is, in centipawns or near [`MATE`].
    pub score: i32,
    /// The positions looked at so far.
    pub nodes: u64,
    /// The moves that both sides are expected to make.
    pub line: Vec<Move>,
}

/// What the search works with.
pub struct Search<'a> {
    table: &'a mut HashTable,
    openings: &'a OpeningBase,
    budget: &'a SearchBudget<'a>,
    nodes: u64,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        table: &'a mut HashTable,
        openings: &'a OpeningBase,
        budget: &'a SearchBudget<'a>,
    ) -> Search<'a> {
        Search { table, openings, budget, nodes: 0 }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches deeper and deeper, down to `depth` where `go` has no limit, and returns the best of `moves`, the legal
    /// moves of the position; `None` when there are none.
    pub fn deepen(
        &mut self,
        game: &mut Game,
        moves: &[Move],
        depth: u32,
        report: &mut dyn FnMut(&Iteration),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        let mut iterations_with_move = 0;
        let deepest = if self.budget.is_unlimited() { depth } else { MAX_DEPTH };
        for depth in 1..=deepest {
            if !self.budget.allows_iteration(depth, self.nodes, iterations_with_move) {
                break;
            }
            let before = best;
            let Ok(score) = self.search_root(game, moves, depth, &mut best) else { break };
            iterations_with_move = if best == before { iterations_with_move + 1 } else { 0 };
            let line = self.line(game, best, depth);
            report(&Iteration { depth, score, nodes: self.nodes, line });
            // A mate that was found is the shortest: deeper there is nothing better.
            if score.abs() >= NEAR_MATE {
                break;
            }
        }
        Some(best)
    }

    /// One iteration. `best` is searched first and replaced by whatever is better, so that it is the best known even
    /// when the iteration is interrupted.
    fn search_root(
        &mut self,
        game: &mut Game,
        moves: &[Move],
        depth: u32,
        best: &mut Move,
    ) -> Result<i32, Interrupted> {
        let mut alpha = -MATE;
        let first = *best;
        let others = moves.iter().copied().filter(|&mv| mv != first);
        for mv in std::iter::once(first).chain(others) {
            let Some(played) = game.play(mv) else { continue };
            let score = self.negamax(game, depth as i32 - 1, -MATE, -alpha, 1);
            game.take_back(played);
            let score = -score?;
            if score > alpha {
                (alpha, *best) = (score, mv);
            }
        }
        Ok(alpha)
    }

    /// The score for the player whose turn it is, exact between `alpha` and `beta`, `ply` half-moves from the root.
    fn negamax(
        &mut self,
        game: &mut Game,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        if self.budget.is_spent(self.nodes) {
            return Err(Interrupted);
        }
        self.nodes += 1;
        if depth == 0 {
            return Ok(evaluate(game, self.openings.known(), ply));
        }
        let key = game.key();
        let known = self.table.get(key, ply);
        if let Some(score) = known.and_then(|entry| entry.answer(depth, alpha, beta)) {
            return Ok(score);
        }
        let (side, start) = (game.turn(), alpha);
        let (mut best, mut best_move) = (-MATE, None);
        for mv in ordered(game, known.and_then(|entry| entry.best)) {
            let Some(played) = game.play(mv) else { continue };
            let is_legal = !game.is_check(side);
            let score = is_legal.then(|| self.negamax(game, depth - 1, -beta, -alpha, ply + 1));
            game.take_back(played);
            let Some(score) = score.transpose()?.map(|score| -score) else { continue };
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if best_move.is_none() {
            return Ok(if game.is_check(side) { ply - MATE } else { 0 });
        }
        self.table.put(key, ply, depth, best, Bound::of(best, start, beta), best_move);
        Ok(best)
    }

    /// The line that the search expects, as far as the hash table knows it.
    fn line(&self, game: &Game, best: Move, depth: u32) -> Vec<Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        let mut next = Some(best);
        while let Some(mv) = next.filter(|_| line.len() < depth as usize) {
            if game.try_play(mv).is_none() {
                break;
            }
            line.push(mv);
            next = self.table.get(game.key(), 0).and_then(|entry| entry.best);
        }
        line
    }
}

/// The moves: that of the hash table, captures by the value of what is taken, the others.
fn ordered(game: &Game, hash_move: Option<Move>) -> Vec<Move> {
    let mut moves = game.moves();
    let taken = |mv: &Move| game.piece_at(mv.to).map_or(0, |piece| piece.kind.value());
    let promoted = |mv: &Move| mv.promotion.map_or(0, Kind::value);
    moves.sort_by_key(|mv| Reverse((hash_move == Some(*mv), taken(mv) + promoted(mv))));
    moves
}
