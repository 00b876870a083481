//! The function `Machine` (section VI): both stages, one after the other.
//!
//! The article searches once, to its full depth. Here shallower searches come first, each with the same room for
//! captures behind it, so that a move is at hand whenever the clock or `stop` ends the search; they hand nothing on,
//! and the last one is the article's.

use uci::server::SearchBudget;

use super::material_search::{Horizon, MaterialSearch};
use super::moves::{Move, MoveList};
use super::position::Position;
use super::second_look::GameSoFar;

/// What the engine made of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move to play.
    pub best: Move,
    /// How deep every move was searched, in half-moves.
    pub depth: u32,
    /// The best mark of the first stage (`aMax`), `None` before any search was finished.
    pub balance: Option<i32>,
    /// The moves that reach it, each with its mark of the second stage.
    pub candidates: Vec<(Move, i32)>,
    /// Moves played by the search so far.
    pub nodes: u64,
}

/// Searches the legal `moves` of `position`, and reports each depth that was finished. `None` where there are no moves.
pub fn think(
    position: &Position,
    moves: &MoveList,
    game: GameSoFar<'_>,
    horizon: Horizon,
    budget: &SearchBudget<'_>,
    report: &mut dyn FnMut(&Decision),
) -> Option<Decision> {
    let (best, _) = game.choose(position, moves.iter().copied())?;
    let mut decision = Decision { best, depth: 0, balance: None, candidates: Vec::new(), nodes: 0 };
    let mut search = MaterialSearch::new(position.side, horizon, budget);
    let mut depths_with_move = 0;
    for depth in 1..=horizon.minimum {
        if depth > 1 && !budget.allows_iteration(depth, search.nodes(), depths_with_move) {
            break;
        }
        search.look_to(Horizon { minimum: depth, maximum: horizon.maximum - horizon.minimum + depth });
        let Ok(marked) = search.mark(position, moves) else { break };
        let balance = marked.iter().map(|marked| marked.mark).max()?;
        let reach = marked.iter().filter(|marked| marked.mark == balance);
        let candidates: Vec<_> = reach.map(|marked| (marked.mv, game.mark(position, marked.mv))).collect();
        let (best, _) = *candidates.iter().max_by_key(|(_, mark)| *mark)?;
        depths_with_move = if best == decision.best { depths_with_move + 1 } else { 0 };
        decision = Decision { best, depth, balance: Some(balance), candidates, nodes: search.nodes() };
        report(&decision);
    }
    decision.nodes = search.nodes();
    Some(decision)
}
