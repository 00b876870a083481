//! What is not worth a full search: whole nodes, and single moves.

use super::Searcher;
use super::candidate::Candidate;
use super::interrupted::Interrupted;
use super::move_picker::{Class, Quiets};
use super::node::Node;
use super::see::see_at_least;
use super::techniques::Technique;
use super::window::Window;
use crate::{Depth, Ply, Value};
use chess::{Color, PieceKind, Position};

/// Reverse futility: up to this depth.
const REVERSE_FUTILITY_DEPTH: Depth = Depth::new(12);
/// Reverse futility: centipawns above beta for each ply of depth.
const REVERSE_FUTILITY_MARGIN: i32 = 48;
/// Null move: from this depth.
const NULL_MOVE_DEPTH: Depth = Depth::new(3);
/// Null move: the least reduction.
const NULL_MOVE_REDUCTION: i32 = 5;
/// Null move: one more ply for so many plies of depth.
const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// Null move: one more ply for so many centipawns above beta, up to three.
const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
/// Null move: up to this depth the static evaluation as it came must be above beta, too.
const NULL_MOVE_EVAL_DEPTH: i32 = 6;
/// Null move: by so many centipawns for each ply less, and may be as much below for each ply more.
const NULL_MOVE_EVAL_MARGIN: i32 = 20;
/// Null move: from this depth its outcome is checked.
const NULL_MOVE_CHECKED_DEPTH: Depth = Depth::new(12);
/// Razoring: up to this depth.
const RAZORING_DEPTH: Depth = Depth::new(2);
/// Razoring: centipawns below alpha for each ply of depth.
const RAZORING_MARGIN: i32 = 250;
/// Futility: up to this depth.
const FUTILITY_DEPTH: Depth = Depth::new(7);
/// Futility: centipawns below alpha at depth zero.
const FUTILITY_BASE: i32 = 90;
/// Futility: centipawns more for each ply of depth.
const FUTILITY_MARGIN: i32 = 80;
/// Late-move pruning: up to this depth.
const LATE_MOVE_PRUNING_DEPTH: Depth = Depth::new(8);
/// Late-move pruning: moves that are always searched.
const LATE_MOVE_PRUNING_BASE: i32 = 5;
/// Exchange pruning: up to this depth.
const EXCHANGE_PRUNING_DEPTH: Depth = Depth::new(7);
/// Exchange pruning: centipawns a quiet move may lose, times the square of the reduced depth.
const EXCHANGE_PRUNING_QUIET: i32 = 25;
/// Exchange pruning: centipawns a capture may lose for each ply of depth.
const EXCHANGE_PRUNING_NOISY: i32 = 100;
/// Exchange pruning: so much credit in the history allows a capture to lose another centipawn.
const EXCHANGE_PRUNING_CREDIT: i32 = 32;

/// Pruning by history: up to this reduced depth.
const DISCREDIT_DEPTH: i32 = 4;
/// Pruning by history: a credit below this, times the reduced depth.
const DISCREDIT: i32 = 3500;

/// What to do with a move instead of searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Search it.
    Search,
    /// Leave it out.
    Skip,
    /// Leave it out, and all quiet moves that follow.
    SkipQuiet,
}

impl Searcher<'_> {
    /// A value that makes searching the moves of this node unnecessary, if there is one.
    pub(super) fn prune_node(
        &mut self,
        position: &Position,
        node: &Node,
    ) -> Result<Option<Value>, Interrupted> {
        let Some(eval) = node.eval.filter(|_| !node.is_pv) else { return Ok(None) };
        if let Some(value) = reverse_futility(node, eval)
            && self.techniques.has(Technique::ReverseFutility)
            && !has_quiet_hash_move(position, node)
        {
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

    /// So far below alpha that only captures can help: quiescence shows whether they do.
    fn razor(&mut self, position: &Position, node: &Node, eval: Value) -> Result<Option<Value>, Interrupted> {
        let is_on = self.techniques.has(Technique::Razoring);
        if !is_on
            || node.depth > RAZORING_DEPTH
            || eval + RAZORING_MARGIN * node.depth.get() > node.window.alpha
        {
            return Ok(None);
        }
        let value =
            self.quiesce::<false>(position, node.ply, Window::zero_above(node.window.alpha), Quiets::None)?;
        Ok((value <= node.window.alpha).then_some(value))
    }

    /// If even passing keeps the value above beta, some move will too. Zugzwang makes this wrong, so not with only
    /// king and pawns, and in deep nodes only if a shallower search without null moves agrees.
    fn try_null_move(
        &mut self,
        position: &Position,
        node: &Node,
        eval: Value,
    ) -> Result<Option<Value>, Interrupted> {
        let beta = node.window.beta;
        let passed_before = node.ply.index().checked_sub(1).is_some_and(|index| self.frames[index].is_null);
        let margin = NULL_MOVE_EVAL_MARGIN * (node.depth.get() - NULL_MOVE_EVAL_DEPTH);
        let is_tried = node.depth >= NULL_MOVE_DEPTH
            && eval >= beta
            && node.static_eval.is_some_and(|eval| eval + margin >= beta)
            && !beta.is_loss()
            && !passed_before
            && node.ply >= self.null_moves_from
            && self.techniques.has(Technique::NullMove)
            && has_pieces(position, position.side_to_move());
        if !is_tried {
            return Ok(None);
        }
        let reduction = NULL_MOVE_REDUCTION
            + node.depth.get() / NULL_MOVE_DEPTH_DIVISOR
            + ((eval - beta) / NULL_MOVE_EVAL_DIVISOR).min(3);
        let depth = node.depth - 1 - reduction;
        let child = self.play_null(position, node.ply)?;
        let window = Window::zero_above(beta - 1).reversed();
        let value = -self.search::<false>(&child, node.ply.next(), depth, window, !node.is_cut)?;
        self.take_back();
        if value < beta || !self.agrees_without_null_moves(position, node, depth)? {
            return Ok(None);
        }
        // A mate found by passing twice is not proved.
        Ok(Some(if value.is_mate() { beta } else { value }))
    }

    /// Whether a search to `depth` without null moves in its first three quarters finds the value above beta, too. It is
    /// only asked in deep nodes, and not within another such search.
    fn agrees_without_null_moves(
        &mut self,
        position: &Position,
        node: &Node,
        depth: Depth,
    ) -> Result<bool, Interrupted> {
        if node.depth < NULL_MOVE_CHECKED_DEPTH || self.null_moves_from > Ply::ROOT {
            return Ok(true);
        }
        let plies = (3 * depth.get() / 4).max(1) as u8;
        self.null_moves_from = Ply::new(node.ply.get() + plies);
        let window = Window::zero_above(node.window.beta - 1);
        let value = self.search::<false>(position, node.ply, depth, window, node.is_cut);
        self.null_moves_from = Ply::ROOT;
        Ok(value? >= node.window.beta)
    }

    /// Whether to search a move that is not the first, when an earlier one is known to be no loss.
    pub(super) fn judge_move(&self, position: &Position, node: &Node, candidate: Candidate) -> Verdict {
        let Candidate { mv, class, number, gives_check, credit } = candidate;
        if class <= Class::GoodNoisy {
            return Verdict::Search;
        }
        let is_late = class != Class::BadNoisy && is_too_late(node, number);
        if is_late && self.techniques.has(Technique::LateMovePruning) {
            return Verdict::SkipQuiet;
        }
        if gives_check {
            return Verdict::Search;
        }
        let loses_exchange = |depth: i32, limit: Depth, allowed: i32| {
            self.techniques.has(Technique::ExchangePruning)
                && depth <= limit.get()
                && !see_at_least(position, mv, -allowed)
        };
        if class == Class::BadNoisy {
            let depth = node.depth.get();
            let credit = self.history.noisy(position, mv) / EXCHANGE_PRUNING_CREDIT;
            let allowed = EXCHANGE_PRUNING_NOISY * depth + credit;
            let is_lost = loses_exchange(depth, EXCHANGE_PRUNING_DEPTH, allowed);
            return if is_lost { Verdict::Skip } else { Verdict::Search };
        }
        // What the move would be searched to after its reduction says best how much can still change.
        let depth = (node.depth.get() - self.reductions.plies(node.depth, number)).max(1);
        if is_futile(node, depth) && self.techniques.has(Technique::Futility) {
            return Verdict::Skip;
        }
        let is_discredited = depth <= DISCREDIT_DEPTH
            && self.techniques.has(Technique::ExchangePruning)
            && credit < -DISCREDIT * depth;
        if is_discredited
            || loses_exchange(depth, EXCHANGE_PRUNING_DEPTH, EXCHANGE_PRUNING_QUIET * depth * depth)
        {
            return Verdict::Skip;
        }
        Verdict::Search
    }
}

/// So far above beta that a shallow search will not change it.
fn reverse_futility(node: &Node, eval: Value) -> Option<Value> {
    let plies = node.depth.get() - i32::from(node.is_improving);
    let is_far_above = node.depth <= REVERSE_FUTILITY_DEPTH
        && eval - REVERSE_FUTILITY_MARGIN * plies >= node.window.beta
        && !node.window.beta.is_mate()
        && !eval.is_mate();
    // Neither the evaluation nor beta is sure: the truth is expected between them.
    is_far_above.then(|| node.window.temper(eval, 1))
}

/// Whether a quiet move was good here before: it may stand against a threat that the evaluation does not see.
fn has_quiet_hash_move(position: &Position, node: &Node) -> bool {
    let hash = node.known.and_then(|entry| entry.best);
    hash.is_some_and(|mv| position.is_legal(mv) && !position.is_noisy(mv))
}

/// Late-move pruning: after enough moves at low depth, the remaining quiet ones are not expected to help.
fn is_too_late(node: &Node, number: usize) -> bool {
    let allowed = LATE_MOVE_PRUNING_BASE + node.depth.get() * node.depth.get() * 4 / 3;
    let allowed = if node.is_pv { 2 * allowed } else { allowed };
    let allowed = if node.is_improving { allowed } else { allowed / 2 };
    node.depth <= LATE_MOVE_PRUNING_DEPTH && number as i32 > allowed
}

/// Futility: so far below alpha that a quiet move, searched to `depth`, will not bring the value back.
fn is_futile(node: &Node, depth: i32) -> bool {
    let margin = FUTILITY_BASE + FUTILITY_MARGIN * depth;
    depth <= FUTILITY_DEPTH.get() && node.eval.is_some_and(|eval| eval + margin <= node.window.alpha)
}

/// Whether a side has more than king and pawns.
fn has_pieces(position: &Position, color: Color) -> bool {
    let pawns_and_kings = position.of_kind(PieceKind::Pawn) | position.of_kind(PieceKind::King);
    (position.colored(color) & !pawns_and_kings).any()
}
