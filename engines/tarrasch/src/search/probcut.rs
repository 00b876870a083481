//! `ProbCut`: a node is cut if a capture fails far above beta in a reduced search (Buro, "`ProbCut`: an effective
//! selective extension of the alpha-beta algorithm", 1995; as in Chess Programming Wiki, "`ProbCut`").

use super::Searcher;
use super::history::HistoryContext;
use super::interrupted::Interrupted;
use super::move_picker::{MovePicker, Picked, Quiets};
use super::node::Node;
use super::params;
use super::see::see_at_least;
use super::techniques::Technique;
use super::window::Window;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Value};
use chess::Position;

/// Minimum depth.
const PROBCUT_DEPTH: Depth = Depth::new(5);
/// Reduction in plies.
const PROBCUT_REDUCTION: i32 = 3;

impl Searcher<'_> {
    /// The value of the node if it is cut.
    pub(super) fn probcut(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Value,
    ) -> Result<Option<Value>, Interrupted> {
        let beta = node.window.beta + params::probcut_margin();
        let fails_by_tt = node
            .tt_entry
            .is_some_and(|entry| entry.depth >= node.depth - PROBCUT_REDUCTION && entry.value < beta);
        if node.depth < PROBCUT_DEPTH
            || node.window.beta.is_mate()
            || fails_by_tt
            || !self.techniques.has(Technique::ProbCut)
        {
            return Ok(None);
        }
        let depth = node.depth - PROBCUT_REDUCTION;
        let window = Window::zero_above(beta - 1).reversed();
        let tt_move = node.tt_entry.and_then(|entry| entry.best);
        let tt_move = tt_move.filter(|&mv| position.is_legal(mv) && position.is_noisy(mv));
        let mut picker = MovePicker::noisy(self.tt, tt_move, Quiets::None);
        while let Some(Picked { mv, .. }) = picker.next(position, self.history, HistoryContext::default()) {
            if !see_at_least(position, mv, beta - eval) {
                continue;
            }
            self.count_node()?;
            let child = self.play(position, node.ply, mv);
            let mut value = -self.quiesce::<false>(&child, node.ply.next(), window, Quiets::None)?;
            if value >= beta {
                value = -self.search::<false>(&child, node.ply.next(), depth - 1, window, !node.cut_node)?;
            }
            self.unmake();
            if value >= beta {
                let entry =
                    Entry { best: Some(mv), value, bound: Bound::Lower, depth, eval: node.static_eval };
                self.tt.store(position.key(), node.ply, entry);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
