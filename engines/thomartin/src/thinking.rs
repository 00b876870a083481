//! The search for a move: iterations up to the depth of the phase or to the limits.
//!
//! The report searches once, to the full depth. Here shallower searches come first, so that a move is available whenever
//! the clock, `stop` or the node limit ends the search. The best move of one search is tried first in the next.

use shakmaty::{Chess, Color, Move, Position};
use uci::server::SearchBudget;

use super::hash_table::HashTable;
use super::minimax::{Minimax, Node};
use super::phase::Phase;
use super::score::{Score, Window, is_better, is_mate, worst};

/// The result of a search (`Node` in the report: a score and its move).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    pub best: Move,
    /// The score from White's view; `None` before the first search has finished.
    pub score: Option<Score>,
    /// The depth in half-moves to which this move, and perhaps not all others, was searched.
    pub depth: u32,
    pub nodes: u64,
}

/// Searches `moves` in `position` to `depth`, and reports the result of each depth. `None` if there are no moves.
pub fn think(
    position: &Chess,
    moves: &[Move],
    depth: u32,
    budget: &SearchBudget<'_>,
    table: &mut HashTable,
    report: &mut dyn FnMut(&Thought),
) -> Option<Thought> {
    let mut search = Minimax::new(Phase::of(position.board()), budget, table);
    let sorted = search.sorted_moves(position, depth);
    let mut moves: Vec<Move> = sorted.into_iter().filter(|mv| moves.contains(mv)).collect();
    let mut thought = Thought { best: *moves.first()?, score: None, depth: 0, nodes: 0 };
    let mut depths_with_move = 0;
    for depth in 1..=depth {
        if depth > 1 && !budget.allows_iteration(depth, search.nodes, depths_with_move) {
            break;
        }
        if let Some((best, score)) = search_root(&mut search, position, &moves, depth) {
            depths_with_move = if best == thought.best { depths_with_move + 1 } else { 0 };
            thought = Thought { best, score: Some(score), depth, nodes: search.nodes };
            report(&thought);
            let place = moves.iter().position(|mv| *mv == best).unwrap_or_default();
            moves[..=place].rotate_right(1);
        }
        if search.is_over || thought.score.is_some_and(|score| is_mate_for(position.turn(), score)) {
            break;
        }
    }
    Some(Thought { nodes: search.nodes, ..thought })
}

/// The best of the moves whose search was completed, with its score.
fn search_root(
    search: &mut Minimax<'_>,
    position: &Chess,
    moves: &[Move],
    depth: u32,
) -> Option<(Move, Score)> {
    let player = position.turn();
    let mut window = Window::OPEN;
    let (mut best, mut best_score) = (None, worst(player));
    for &mv in moves {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let child = Node {
            position: &next,
            depth: depth - 1,
            ply: 1,
            after_capture: mv.is_capture(),
            after_pass: false,
        };
        let score = search.minimax(child, window);
        if search.is_over {
            break;
        }
        if is_better(player, score, best_score) {
            (best, best_score) = (Some(mv), score);
            window.narrow(player, score);
        }
    }
    Some((best?, best_score))
}

/// Whether `player` mates, so that searching deeper finds nothing better.
fn is_mate_for(player: Color, score: Score) -> bool {
    is_mate(score) && player.fold_wb(score > 0, score < 0)
}
