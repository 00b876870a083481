//! History of the prior move (from Stockfish). The quiet move that led to a node gets two bonuses: by the change of the
//! static evaluation, and when the node fails low.

use super::Searcher;
use super::history::{PlayedQuiet, bonus};
use super::node::Node;
use super::params;
use super::techniques::Technique;
use crate::Ply;

impl Searcher<'_> {
    /// The bonus, or malus, by the change of the static evaluation.
    pub(super) fn update_prior_move_by_eval(&mut self, ply: Ply) {
        let Some(played) = self.prior_quiet(ply) else { return };
        let (now, before) = (self.stack[ply.index()].eval, self.stack[ply.index() - 1].eval);
        if let (Some(now), Some(before)) = (now, before) {
            let gain = -now.get() - before.get();
            let most = params::prior_move_bonus_max();
            let bonus = (params::prior_move_bonus() * gain).clamp(-most, most);
            self.history.update_butterfly(played, bonus);
        }
    }

    /// The bonus when no move of the node raised alpha: the same as for a cutoff at this depth.
    pub(super) fn update_prior_move_by_fail_low(&mut self, node: &Node) {
        if node.excluded.is_none()
            && let Some(played) = self.prior_quiet(node.ply)
        {
            let bonus = bonus(node.depth);
            self.history.update_butterfly(played, bonus);
            self.history.update_continuation(played, bonus);
        }
    }

    /// The move that led to the node at `ply`, if it is quiet.
    fn prior_quiet(&self, ply: Ply) -> Option<PlayedQuiet> {
        let is_on =
            self.techniques.has(Technique::PriorMoveHistory) && self.techniques.has(Technique::History);
        let parent = ply.index().checked_sub(1).filter(|_| is_on)?;
        self.stack[parent].quiet
    }
}
