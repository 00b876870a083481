//! Reduced searches that decide about a node before its moves are searched: `ProbCut`, singular extensions and multi-cut.

use super::history::HistoryContext;
use super::limits::Technique;
use super::move_picker::{MovePicker, Picked, Quiets};
use super::node::{Interrupted, Node, Window};
use super::see::see_at_least;
use super::{Searcher, params};
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Value};
use chess::{Move, Position};

/// `ProbCut`: minimum depth.
const PROBCUT_DEPTH: Depth = Depth::new(5);
/// `ProbCut`: reduction in plies.
const PROBCUT_REDUCTION: i32 = 3;

impl Searcher<'_> {
    /// `ProbCut`: a node is cut if a capture fails high far above beta in a reduced search (Buro, "`ProbCut`: an effective
    /// selective extension of the alpha-beta algorithm", 1995; as in Chess Programming Wiki, "`ProbCut`"). Returns the
    /// value of a cut node.
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
            let mut child = position.clone();
            self.play(&mut child, node.ply, mv);
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

/// Singular extensions: minimum depth.
const SINGULAR_DEPTH: Depth = Depth::new(6);
/// The depth of the TT entry may be this much smaller than the depth of the node.
const TT_DEPTH_MARGIN: i32 = 3;

/// The maximum number of double extensions in a line.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singularity {
    /// Extend the TT move by this many plies; negative for a reduction.
    Extend(i32),
    /// Multi-cut: the node fails high with this value.
    Cut(Value),
}

impl Searcher<'_> {
    /// The singular search: all moves but the TT move `mv`, to half the depth, with a zero window below singular beta
    /// (Anantharaman, Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching", 1988; Chess
    /// Programming Wiki, "Singular Extensions", "Multi-Cut").
    pub(super) fn singularity(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
    ) -> Result<Singularity, Interrupted> {
        let is_tried = node.depth >= SINGULAR_DEPTH
            && !node.ply.is_root()
            && node.excluded.is_none()
            && self.techniques.has(Technique::SingularExtensions)
            && self.may_extend(node.ply);
        let Some(entry) = node.tt_entry.filter(|entry| is_tried && allows_singular_search(entry, node.depth))
        else {
            return Ok(Singularity::Extend(0));
        };
        let beta = entry.value - params::singular_margin() * node.depth.get() / 16;
        let others = Node {
            depth: Depth::new((node.depth.get() - 1) / 2),
            window: Window::zero_above(beta - 1),
            is_pv: false,
            excluded: Some(mv),
            ..*node
        };
        let value = self.search_moves::<false>(position, others, None)?.value;
        Ok(if value < beta {
            let is_far = !node.is_pv && value < beta - params::double_margin();
            let double_extensions = self.stack[node.ply.index()].double_extensions;
            Singularity::Extend(if is_far && double_extensions < MAX_DOUBLE_EXTENSIONS { 2 } else { 1 })
        } else if beta >= node.window.beta {
            Singularity::Cut(beta)
        } else if entry.value >= node.window.beta {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(-i32::from(node.cut_node))
        })
    }
}

/// Whether the TT value is a lower bound of sufficient depth, and not a mate.
fn allows_singular_search(entry: &Entry, depth: Depth) -> bool {
    entry.bound != Bound::Upper && entry.depth + TT_DEPTH_MARGIN >= depth && !entry.value.is_mate()
}
