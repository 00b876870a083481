//! Pruning of whole nodes and of single moves.

use super::limits::Technique;
use super::move_picker::{MoveClass, Quiets};
use super::node::{Candidate, Interrupted, Node, Window};
use super::see::see_at_least;
use super::{Searcher, params};
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Value};
use chess::{Color, PieceKind, Position};

/// Reverse futility pruning: maximum depth.
const REVERSE_FUTILITY_DEPTH: Depth = Depth::new(12);
/// Null move: minimum depth.
const NULL_MOVE_DEPTH: Depth = Depth::new(3);
/// Null move: the raw static evaluation must be at least beta - [`params::null_move_eval_margin`] × (depth - this).
const NULL_MOVE_EVAL_DEPTH: i32 = 6;
/// Null move: minimum depth for a verification search.
const NULL_MOVE_VERIFICATION_DEPTH: Depth = Depth::new(12);
/// Razoring: maximum depth.
const RAZORING_DEPTH: Depth = Depth::new(2);
/// Futility pruning: maximum reduced depth.
const FUTILITY_DEPTH: Depth = Depth::new(7);
/// Late-move pruning: maximum depth.
const LMP_DEPTH: Depth = Depth::new(8);
/// SEE pruning: maximum depth.
const SEE_PRUNING_DEPTH: Depth = Depth::new(7);
/// History pruning: maximum reduced depth.
const HISTORY_PRUNING_DEPTH: i32 = 4;

/// What to do with a move instead of searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    Search,
    Skip,
    /// Skip it and all following quiet moves.
    SkipQuiet,
}

impl Searcher<'_> {
    /// The value of the node if it is pruned as a whole.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &Node,
    ) -> Result<Option<Value>, Interrupted> {
        let Some(eval) = node.eval.filter(|_| !node.is_pv) else { return Ok(None) };
        if let Some(value) = reverse_futility(node, eval)
            && self.techniques.has(Technique::ReverseFutility)
            && !has_quiet_tt_move(position, node)
        {
            self.store_pruned(position, node, value);
            return Ok(Some(value));
        }
        if let Some(value) = self.razor(position, node, eval)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.try_null_move(position, node, eval)? {
            return Ok(Some(value));
        }
        self.probcut(position, node, eval)
    }

    /// Keeps the static evaluation of a node that was pruned above beta, so that it need not be computed again.
    fn store_pruned(&self, position: &Position, node: &Node, value: Value) {
        if node.tt_entry.is_none() {
            let entry =
                Entry { best: None, value, bound: Bound::Lower, depth: Depth::ZERO, eval: node.static_eval };
            self.tt.store(position.key(), node.ply, entry);
        }
    }

    /// Razoring: the evaluation is so far below alpha that a quiescence search decides whether the node fails low.
    fn razor(&mut self, position: &Position, node: &Node, eval: Value) -> Result<Option<Value>, Interrupted> {
        let is_on = self.techniques.has(Technique::Razoring);
        if !is_on
            || node.depth > RAZORING_DEPTH
            || eval + params::razoring_margin() * node.depth.get() > node.window.alpha
        {
            return Ok(None);
        }
        let value =
            self.quiesce::<false>(position, node.ply, Window::zero_above(node.window.alpha), Quiets::None)?;
        Ok((value <= node.window.alpha).then_some(value))
    }

    /// Null-move pruning: if passing still fails high, so will the best move. Zugzwang is the exception: it is not tried
    /// with king and pawns only, and deep nodes need a verification search.
    fn try_null_move(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Value,
    ) -> Result<Option<Value>, Interrupted> {
        let beta = node.window.beta;
        let is_after_null = node.ply.index().checked_sub(1).is_some_and(|index| self.stack[index].is_null);
        let margin = params::null_move_eval_margin() * (node.depth.get() - NULL_MOVE_EVAL_DEPTH);
        let is_tried = node.depth >= NULL_MOVE_DEPTH
            && eval >= beta
            && node.static_eval.is_some_and(|eval| eval + margin >= beta)
            && !beta.is_loss()
            && !is_after_null
            && node.ply >= self.null_move_min_ply
            && self.techniques.has(Technique::NullMove)
            && has_pieces(position, position.side_to_move());
        if !is_tried {
            return Ok(None);
        }
        let reduction = params::null_move_reduction()
            + node.depth.get() / params::null_move_depth_divisor()
            + ((eval - beta) / params::null_move_eval_divisor()).min(3);
        let depth = node.depth - 1 - reduction;
        let child = self.play_null(position, node.ply)?;
        let window = Window::zero_above(beta - 1).reversed();
        let value = -self.search::<false>(&child, node.ply.next(), depth, window, !node.cut_node)?;
        self.unmake();
        if value < beta || !self.verify_null_move(position, node, depth)? {
            return Ok(None);
        }
        // A mate after a null move is not proved.
        let value = if value.is_mate() { beta } else { value };
        self.store_pruned(position, node, value);
        Ok(Some(value))
    }

    /// The verification search: whether a search to `depth` without null moves in its first three quarters fails high,
    /// too. True without a search in shallow nodes and inside another verification.
    fn verify_null_move(
        &mut self,
        position: &Position,
        node: &Node,
        depth: Depth,
    ) -> Result<bool, Interrupted> {
        if node.depth < NULL_MOVE_VERIFICATION_DEPTH || self.null_move_min_ply > Ply::ROOT {
            return Ok(true);
        }
        let plies = (3 * depth.get() / 4).max(1) as u8;
        self.null_move_min_ply = Ply::new(node.ply.get() + plies);
        let window = Window::zero_above(node.window.beta - 1);
        let value = self.search::<false>(position, node.ply, depth, window, node.cut_node);
        self.null_move_min_ply = Ply::ROOT;
        Ok(value? >= node.window.beta)
    }

    /// Whether to search a move. The caller asks only for later moves, once an earlier one avoids mate.
    pub(super) fn prune_move(&self, position: &Position, node: &Node, candidate: Candidate) -> Pruning {
        let Candidate { mv, class, move_count, gives_check, history_score } = candidate;
        if class <= MoveClass::GoodNoisy {
            return Pruning::Search;
        }
        let is_late = class != MoveClass::BadNoisy && is_late_move(node, move_count);
        if is_late && self.techniques.has(Technique::LateMovePruning) {
            return Pruning::SkipQuiet;
        }
        if gives_check {
            return Pruning::Search;
        }
        let is_pruned_by_see = |depth: i32, limit: Depth, allowed: i32| {
            self.techniques.has(Technique::SeePruning)
                && depth <= limit.get()
                && !see_at_least(position, mv, -allowed)
        };
        if class == MoveClass::BadNoisy {
            let depth = node.depth.get();
            let history_score = self.history.noisy(position, mv) / params::see_pruning_history();
            let allowed = params::see_pruning_noisy() * depth + history_score;
            let is_pruned = is_pruned_by_see(depth, SEE_PRUNING_DEPTH, allowed);
            return if is_pruned { Pruning::Skip } else { Pruning::Search };
        }
        // The depth after the late-move reduction.
        let depth = (node.depth.get() - self.reductions.plies(node.depth, move_count)).max(1);
        if is_futile(node, depth) && self.techniques.has(Technique::Futility) {
            return Pruning::Skip;
        }
        let is_pruned_by_history = depth <= HISTORY_PRUNING_DEPTH
            && self.techniques.has(Technique::SeePruning)
            && history_score < -params::history_pruning_margin() * depth;
        if is_pruned_by_history
            || is_pruned_by_see(depth, SEE_PRUNING_DEPTH, params::see_pruning_quiet() * depth * depth)
        {
            return Pruning::Skip;
        }
        Pruning::Search
    }
}

/// Reverse futility pruning: the evaluation is so far above beta that a shallow search will not change it.
fn reverse_futility(node: &Node, eval: Value) -> Option<Value> {
    let improving = if node.is_improving { params::reverse_futility_improving() } else { 0 };
    let margin = params::reverse_futility_margin() * (100 * node.depth.get() - improving) / 100;
    let is_far_above = node.depth <= REVERSE_FUTILITY_DEPTH
        && eval - margin >= node.window.beta
        && !node.window.beta.is_mate()
        && !eval.is_mate();
    // The mean of beta and the evaluation.
    is_far_above.then(|| node.window.soften_fail_high(eval, 1))
}

/// Whether the TT move is quiet. Then reverse futility pruning is skipped: the move may parry a threat that the
/// evaluation does not see.
fn has_quiet_tt_move(position: &Position, node: &Node) -> bool {
    let tt_move = node.tt_entry.and_then(|entry| entry.best);
    tt_move.is_some_and(|mv| position.is_legal(mv) && !position.is_noisy(mv))
}

/// Late-move pruning: whether a quiet move comes too late at low depth.
fn is_late_move(node: &Node, move_count: usize) -> bool {
    let allowed = params::late_move_pruning_base()
        + params::late_move_pruning_slope() * node.depth.get() * node.depth.get() / 96;
    let allowed = if node.is_pv { 2 * allowed } else { allowed };
    let allowed = if node.is_improving { allowed } else { allowed / 2 };
    node.depth <= LMP_DEPTH && move_count as i32 > allowed
}

/// Futility pruning: the evaluation is so far below alpha that a quiet move searched to `depth` will not help.
fn is_futile(node: &Node, depth: i32) -> bool {
    let margin = params::futility_base() + params::futility_margin() * depth;
    depth <= FUTILITY_DEPTH.get() && node.eval.is_some_and(|eval| eval + margin <= node.window.alpha)
}

/// Whether a side has more than king and pawns.
fn has_pieces(position: &Position, color: Color) -> bool {
    let pawns_and_kings = position.of_kind(PieceKind::Pawn) | position.of_kind(PieceKind::King);
    (position.colored(color) & !pawns_and_kings).any()
}
