//! Iterative deepening and MTD(f) ("Algorithme de recherche").
//!
//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, "Best-First Fixed-Depth Minimax Algorithms", 1996) asks only one
//! question, "is the score at least gamma?", again and again until the bounds meet; the hash table makes the
//! repetitions cheap. As in the document's program, gamma halves the interval between the bounds; only the first gamma
//! of an iteration is the score of the one before, which is the f of the name.

use super::bound::{Interrupted, MATE_LOWER, MATE_UPPER, Searcher};
use super::position::{Move, Position};

/// Bounds this close have met, in centipawns (the document's program has 13).
pub const EVAL_ROUGHNESS: i32 = 13;
/// No iteration goes deeper, in plies.
const MAX_DEPTH: u32 = 99;

/// What an iteration has found.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// The best score that was proved, in centipawns.
    pub score: i32,
    /// The best move.
    pub best: Move,
}

/// The bounds in which MTD(f) ends.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
}

impl Searcher<'_> {
    /// Searches deeper and deeper, tells `report` of each iteration that ends, and returns the best of `moves`, the
    /// legal moves of the root; `None` when there are none.
    pub fn search(
        &mut self,
        root: &Position,
        moves: &[Move],
        report: &mut dyn FnMut(&Searcher<'_>, &Iteration),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        let mut guess = root.score;
        let mut iterations_with_move = 0;
        for depth in 1..=MAX_DEPTH {
            if !self.allows_iteration(depth, iterations_with_move) {
                break;
            }
            let before = best;
            let Ok(bounds) = self.converge(root, moves, depth, guess, &mut best) else { break };
            iterations_with_move = if best == before { iterations_with_move + 1 } else { 0 };
            // With every move losing, the lower bound says nothing that the upper does not.
            guess = if bounds.upper <= -MATE_LOWER { bounds.upper } else { bounds.lower };
            report(self, &Iteration { depth, score: guess, best });
            // The iterations come to a mate by the shortest way, so nothing better is to be found.
            if guess.abs() >= MATE_LOWER {
                break;
            }
        }
        Some(best)
    }

    /// One iteration: closes the bounds around the score. `best` becomes the move that proved the lower bound; before
    /// the end only when the move is proved to be as good as the `guess`, so that an interruption does no harm.
    pub fn converge(
        &mut self,
        root: &Position,
        moves: &[Move],
        depth: u32,
        guess: i32,
        best: &mut Move,
    ) -> Result<Bounds, Interrupted> {
        let (mut lower, mut upper) = (-MATE_UPPER, MATE_UPPER);
        let mut gamma = guess.clamp(1 - MATE_UPPER, MATE_UPPER);
        let mut found = *best;
        while lower < upper - EVAL_ROUGHNESS {
            let (score, mv) = self.bound_root(root, moves, found, gamma, depth as i32)?;
            if score >= gamma {
                (lower, found) = (score, mv.unwrap_or(found));
                if gamma >= guess {
                    *best = found;
                }
            } else {
                upper = score;
            }
            gamma = (lower + upper + 1) / 2;
        }
        *best = found;
        Ok(Bounds { lower, upper })
    }

    /// The question of [`Searcher::bound`] for the root: legal moves only, the best so far first, without the hash
    /// table and the null move, so that a score always comes with the move that reaches it.
    fn bound_root(
        &mut self,
        root: &Position,
        moves: &[Move],
        first: Move,
        gamma: i32,
        depth: i32,
    ) -> Result<(i32, Option<Move>), Interrupted> {
        let mut score = -MATE_UPPER;
        let others = moves.iter().copied().filter(|&mv| mv != first);
        for mv in std::iter::once(first).chain(others) {
            score = score.max(-self.bound(&root.play(mv), 1 - gamma, depth - 1)?);
            if score >= gamma {
                return Ok((score, Some(mv)));
            }
        }
        Ok((score, None))
    }

    /// The line that the search expects, as far as the hash table knows it.
    pub fn principal_variation(&self, root: &Position, iteration: &Iteration) -> Vec<Move> {
        let mut line = vec![iteration.best];
        let mut position = root.play(iteration.best);
        while line.len() < iteration.depth as usize
            && let Some(mv) = self.table().get(&position).and_then(|entry| entry.best)
            && position.is_legal(mv)
        {
            line.push(mv);
            position = position.play(mv);
        }
        line
    }
}
