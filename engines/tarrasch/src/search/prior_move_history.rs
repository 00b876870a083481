//! The quiet move before a node is credited with what it led to: with the change of the static evaluation at once, and
//! with a node in which no move was good enough when it has been searched (both from Stockfish).

use super::Searcher;
use super::history::{PlayedQuiet, bonus};
use super::node::Node;
use super::params;
use super::techniques::Technique;
use crate::Ply;

impl Searcher<'_> {
    /// Credits the last move with what its side has gained by it, or lost, as the evaluations of both nodes say.
    pub(super) fn update_prior_move_by_eval(&mut self, ply: Ply) {
        let Some(played) = self.prior_quiet(ply) else { return };
        let (now, before) = (self.stack[ply.index()].eval, self.stack[ply.index() - 1].eval);
        if let (Some(now), Some(before)) = (now, before) {
            let gain = -now.get() - before.get();
            let most = params::prior_move_bonus_max();
            let credit = (params::prior_move_bonus() * gain).clamp(-most, most);
            self.history.update_played(played, credit);
        }
    }

    /// Credits the last move with having left the node without a move that is good enough: as much as a cutoff of its
    /// own.
    pub(super) fn update_prior_move_by_fail_low(&mut self, node: &Node) {
        if node.excluded.is_none()
            && let Some(played) = self.prior_quiet(node.ply)
        {
            let credit = bonus(node.depth);
            self.history.update_played(played, credit);
            self.history.update_continuation(played, credit);
        }
    }

    /// The move that led to the node at `ply`, if it was quiet.
    fn prior_quiet(&self, ply: Ply) -> Option<PlayedQuiet> {
        let is_on =
            self.techniques.has(Technique::PriorMoveHistory) && self.techniques.has(Technique::History);
        let parent = ply.index().checked_sub(1).filter(|_| is_on)?;
        self.stack[parent].quiet
    }
}
