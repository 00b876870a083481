//! One iteration after the other, each a ply deeper (§2.2.1).
//!
//! The first goes to depth 2, which takes no time to speak of, unless depth 1 is asked for. When the time is up, the
//! move of the last depth that was searched completely is played.

use chess::{MoveList, Position};

use super::{LastMove, Outcome, Report, Search};
use crate::depth::Depth;
use crate::move_order;
use crate::ply::Ply;
use crate::technique::Technique;
use crate::window::Window;

/// Where deepening begins, in plies.
const FIRST_DEPTH: u32 = 2;

impl Search<'_> {
    /// Searches until the budget is spent or a mate in `mate` moves is found, and hands each finished iteration to
    /// `report`.
    pub fn run(mut self, position: &Position, mate: Option<u32>, report: &mut dyn FnMut(&Report)) -> Outcome {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if !self.root_moves.is_empty() {
            moves.retain(|mv| self.root_moves.contains(mv));
        }
        move_order::sort(position, &mut moves, None, self.techniques.has(Technique::SeeOrdering));
        let mut outcome = Outcome { last: None, best: moves.first().copied(), nodes: 0 };
        if moves.is_empty() {
            return outcome;
        }
        let mut iterations_with_move = 0;
        let first = self.budget.depth().unwrap_or(FIRST_DEPTH).clamp(1, FIRST_DEPTH);
        for depth in first..=Depth::MAX.plies() as u32 {
            // The first is begun however little time there is, and cut short like any other.
            if depth > first && !self.budget.allows_iteration(depth, self.nodes, iterations_with_move) {
                break;
            }
            let depth = Depth::new(depth as i32);
            let Ok(value) = self.search(position, depth, Ply::ROOT, Window::OPEN, LastMove::default()) else {
                break;
            };
            let found = Report {
                depth,
                deepest: self.deepest,
                value,
                line: self.variations.principal().to_vec(),
                nodes: self.nodes,
                hashfull: self.table.hashfull(),
            };
            report(&found);
            let best = found.line.first().copied();
            iterations_with_move = if best == outcome.best { iterations_with_move + 1 } else { 0 };
            outcome.best = best;
            outcome.last = Some(found);
            let plies = value.plies_to_mate();
            if mate.is_some_and(|moves| plies.is_some_and(|plies| (1..=2 * moves as i32).contains(&plies))) {
                break;
            }
        }
        outcome.nodes = self.nodes;
        outcome
    }
}
