//! `ProbCut`: a capture that is far above beta in a shallow search will hardly fall below it in a deep one (Buro,
//! "`ProbCut`: an effective selective extension of the alpha-beta algorithm", 1995; in the form of Chess Programming
//! Wiki, "`ProbCut`").

use super::Searcher;
use super::history::Context;
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

/// From this depth.
const PROBCUT_DEPTH: Depth = Depth::new(5);
/// Plies by which the search that decides is shallower.
const PROBCUT_REDUCTION: i32 = 3;

impl Searcher<'_> {
    /// A value that makes searching the node unnecessary, if a capture reaches it.
    pub(super) fn probcut(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Value,
    ) -> Result<Option<Value>, Interrupted> {
        let target = node.window.beta + params::probcut_margin();
        let is_known_to_fail = node
            .tt_entry
            .is_some_and(|entry| entry.depth >= node.depth - PROBCUT_REDUCTION && entry.value < target);
        if node.depth < PROBCUT_DEPTH
            || node.window.beta.is_mate()
            || is_known_to_fail
            || !self.techniques.has(Technique::ProbCut)
        {
            return Ok(None);
        }
        let depth = node.depth - PROBCUT_REDUCTION;
        let window = Window::zero_above(target - 1).reversed();
        let tt_move = node.tt_entry.and_then(|entry| entry.best);
        let tt_move = tt_move.filter(|&mv| position.is_legal(mv) && position.is_noisy(mv));
        let mut picker = MovePicker::noisy(self.table, tt_move, Quiets::None);
        while let Some(Picked { mv, .. }) = picker.next(position, self.history, Context::default()) {
            if !see_at_least(position, mv, target - eval) {
                continue;
            }
            self.count_node()?;
            let child = self.play(position, node.ply, mv);
            let mut value = -self.quiesce::<false>(&child, node.ply.next(), window, Quiets::None)?;
            if value >= target {
                value = -self.search::<false>(&child, node.ply.next(), depth - 1, window, !node.cut_node)?;
            }
            self.take_back();
            if value >= target {
                let entry =
                    Entry { best: Some(mv), value, bound: Bound::Lower, depth, eval: node.static_eval };
                self.table.store(position.key(), node.ply, entry);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
