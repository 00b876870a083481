//! Principal variation search: the first move of a PV node is searched with the full window, the others with a zero
//! window first (Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982).

use arrayvec::ArrayVec;

use super::history::{HistoryContext, PlayedQuiet};
use super::limits::Technique;
use super::move_picker::{MoveClass, MovePicker, Quiets};
use super::node::{Candidate, Interrupted, Node, Window};
use super::pruning::Pruning;
use super::reduced_searches::Singularity;
use super::tablebases::TablebaseBounds;
use super::{Searcher, params};
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Nodes, Ply, Value};
use chess::{Move, Position};

/// No TT cutoffs from this half-move clock on: TT values ignore the fifty-move rule.
const NO_TT_CUTOFF_CLOCK: u16 = 90;

/// Late-move reductions: minimum depth.
const LMR_DEPTH: Depth = Depth::new(3);
/// Late-move reductions: plies less for killers and captures with SEE < 0.
const LMR_LESS: i32 = 2;
/// Late-move reductions: the move count of a capture with SEE < 0 is capped at this, as it says little about a
/// sacrifice.
const LMR_BAD_CAPTURE_MOVE_COUNT: usize = 10;

/// The moves searched before the one that caused a cutoff.
#[derive(Default)]
struct Tried {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

/// The best value of a node so far, and its move if it raised alpha.
pub(super) struct Best {
    pub(super) value: Value,
    mv: Option<Move>,
}

impl Searcher<'_> {
    /// The value of `position` for the side to move, searched to `depth`: exact inside the window, a bound outside.
    /// `cut_node` says that the node is expected to fail high.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        ply: Ply,
        depth: Depth,
        window: Window,
        cut_node: bool,
    ) -> Result<Value, Interrupted> {
        let is_extended =
            position.is_check() && self.may_extend(ply) && self.techniques.has(Technique::CheckExtensions);
        let depth = if is_extended { depth + 1 } else { depth };
        if depth <= Depth::ZERO {
            let with_checks = self.techniques.has(Technique::QuiescenceChecks);
            let quiets = if with_checks { Quiets::Checks } else { Quiets::None };
            return self.quiesce::<PV>(position, ply, window, quiets);
        }
        self.sel_depth = self.sel_depth.max(ply);
        if PV {
            self.pv_table.clear(ply);
        }
        let mut window = window;
        if !ply.is_root() {
            if self.is_draw(position) {
                return Ok(Value::DRAW);
            }
            if ply == Ply::MAX {
                return Ok(if position.is_check() { Value::DRAW } else { self.evaluator.evaluate(position) });
            }
            window = window.within_mate_distance(ply);
            if window.alpha < Value::DRAW && self.can_repeat(position) {
                window.alpha = Value::DRAW;
            }
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }
        let tt_entry = self.probe_tt(position, ply);
        if let Some(entry) = tt_entry
            && !PV
            && entry.allows_cutoff(depth, window.alpha, window.beta)
            && position.halfmove_clock() < NO_TT_CUTOFF_CLOCK
        {
            self.update_history_by_tt(position, ply, depth, entry, window);
            return Ok(entry.value);
        }
        let tb_bounds = self.probe_tablebases(position, ply, depth);
        if let Some(value) = tb_bounds.cutoff_value(window) {
            return Ok(value);
        }
        let node = Node { is_pv: PV, cut_node, tt_entry, ..Node::new(ply, depth, window) };
        self.search_node::<PV>(position, node, tb_bounds)
    }

    /// After a TT cutoff: a quiet TT move that fails high updates the histories as if it had just been searched.
    fn update_history_by_tt(
        &mut self,
        position: &Position,
        ply: Ply,
        depth: Depth,
        entry: Entry,
        window: Window,
    ) {
        let Some(mv) = entry.best.filter(|_| entry.value >= window.beta) else { return };
        if position.is_legal(mv) && !position.is_noisy(mv) {
            let context = self.history_context(position, ply);
            self.update_quiet_history(position, ply, depth, mv, &[], context);
        }
    }

    /// Whether extensions are allowed: up to twice the depth of the iteration.
    pub(super) fn may_extend(&self, ply: Ply) -> bool {
        i32::from(ply.get()) < 2 * self.root_depth.get()
    }

    /// Evaluates the node, prunes it or searches its moves, and stores the result in the TT.
    fn search_node<const PV: bool>(
        &mut self,
        position: &Position,
        mut node: Node,
        tb_bounds: TablebaseBounds,
    ) -> Result<Value, Interrupted> {
        let Node { ply, window, tt_entry, .. } = node;
        let static_eval = self.static_eval(position, tt_entry.as_ref());
        let corrected_eval = static_eval.map(|eval| self.corrected_eval(position, eval));
        self.stack[ply.index()].eval = corrected_eval;
        self.update_prior_move_by_eval(ply);
        self.stack[ply.index()].double_extensions = match ply.index().checked_sub(1) {
            Some(parent) => self.stack[parent].double_extensions,
            None => 0,
        };
        node.static_eval = static_eval;
        node.eval = corrected_eval.map(|eval| tt_entry.map_or(eval, |entry| entry.refine(eval)));
        node.is_improving = self.is_improving(ply, corrected_eval);
        if let Some(value) = self.prune_node(position, &node)? {
            return Ok(value);
        }
        let tt_move = self.tt_move(position, ply, tt_entry.as_ref());
        if let Some(mv) = tt_move {
            match self.singularity(position, &node, mv)? {
                Singularity::Extend(plies) => node.extension = plies,
                Singularity::Cut(value) => return Ok(value),
            }
        }
        let mut best = self.search_moves::<PV>(position, node, tt_move)?;
        if !PV {
            best.value = window.soften_fail_high(best.value, node.depth.get());
        }
        let value = tb_bounds.clamp(best.value);
        let bound = window.bound_of(value, PV);
        self.update_correction_history(position, &node, &best, bound);
        let is_partial = ply.is_root() && self.root_moves.is_restricted();
        if !is_partial {
            let entry = Entry { best: best.mv, value, bound, depth: node.depth, eval: static_eval };
            self.tt.store(position.key(), ply, entry);
        }
        Ok(value)
    }

    /// Updates the correction history with the error of the evaluation. Only for a quiet best move, and only if the
    /// bound proves an error.
    fn update_correction_history(&mut self, position: &Position, node: &Node, best: &Best, bound: Bound) {
        let Some(eval) = self.stack[node.ply.index()].eval else { return };
        let is_quiet = best.mv.is_none_or(|mv| !position.is_noisy(mv));
        let says_more = match bound {
            Bound::Exact => true,
            Bound::Lower => best.value > eval,
            Bound::Upper => best.value < eval,
        };
        if is_quiet && says_more && !best.value.is_mate() {
            self.correction_history.update(position, node.depth, eval, best.value);
        }
    }

    /// Whether the static evaluation is better than two plies ago.
    fn is_improving(&self, ply: Ply, eval: Option<Value>) -> bool {
        let before = ply.index().checked_sub(2).and_then(|index| self.stack[index].eval);
        eval.is_some_and(|eval| before.is_none_or(|before| eval > before))
    }

    /// The move to search first: at the root the best of the last iteration, elsewhere the TT move.
    fn tt_move(&self, position: &Position, ply: Ply, tt_entry: Option<&Entry>) -> Option<Move> {
        if ply.is_root() {
            return self.root_moves.current().line.first().copied();
        }
        tt_entry.and_then(|entry| entry.best).filter(|&mv| position.is_legal(mv))
    }

    /// Searches the moves until one fails high.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        position: &Position,
        mut node: Node,
        tt_move: Option<Move>,
    ) -> Result<Best, Interrupted> {
        let ply = node.ply;
        let context = self.history_context(position, ply);
        let mut picker = MovePicker::new(self.tt, tt_move, self.killers(ply));
        let mut best = Best { value: -Value::INFINITE, mv: None };
        let mut tried = Tried::default();
        let mut move_count = 0;
        while let Some(picked) = picker.next(position, self.history, context) {
            let mv = picked.mv;
            if node.excluded == Some(mv) || (ply.is_root() && !self.root_moves.is_searched(mv)) {
                continue;
            }
            move_count += 1;
            let candidate = Candidate::new(position, picked, move_count);
            if !ply.is_root() && !best.value.is_loss() && move_count > 1 {
                match self.prune_move(position, &node, candidate) {
                    Pruning::Search => {}
                    Pruning::Skip => continue,
                    Pruning::SkipQuiet => {
                        picker.skip_quiet();
                        continue;
                    }
                }
            }
            let extension = if candidate.class == MoveClass::TtMove { node.extension } else { 0 };
            if extension > 1 {
                self.stack[ply.index()].double_extensions += 1;
            }
            let reduction = self.reduction(&node, candidate);
            let nodes_before = self.nodes;
            self.count_node()?;
            let mut child = position.clone();
            self.play(&mut child, ply, mv);
            if !position.is_noisy(mv) {
                self.stack[ply.index()].quiet = Some(PlayedQuiet::new(position, mv, context));
            }
            let value =
                self.search_child::<PV>(&child, &node, move_count, extension, reduction, best.value)?;
            self.unmake();
            if extension > 1 {
                self.stack[ply.index()].double_extensions -= 1;
            }
            if ply.is_root() {
                self.root_moves.add_nodes(mv, Nodes::new(self.nodes.get() - nodes_before.get()));
                self.record_root_move(mv, value, move_count, node.window);
            }
            if value > best.value {
                best.value = value;
                if value > node.window.alpha {
                    best.mv = Some(mv);
                    node.window.alpha = value;
                    if PV {
                        self.pv_table.extend(ply, mv);
                    }
                    if value >= node.window.beta {
                        self.update_history(position, &node, mv, &tried, context);
                        break;
                    }
                }
            }
            tried.add(position, mv);
        }
        if best.mv.is_none() && move_count > 0 {
            self.update_prior_move_by_fail_low(&node);
        }
        if move_count == 0 {
            let value = match node.excluded {
                Some(_) => node.window.alpha,
                None if node.is_check() => Value::mated_in(ply),
                None => Value::DRAW,
            };
            return Ok(Best { value, mv: None });
        }
        Ok(best)
    }

    fn killers(&self, ply: Ply) -> impl Iterator<Item = Move> + use<> {
        let is_on = self.techniques.has(Technique::Killers);
        self.history.killers(ply).into_iter().flatten().filter(move |_| is_on)
    }

    /// Updates the histories: a bonus for the move that failed high, a malus for those searched before it.
    fn update_history(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        tried: &Tried,
        context: HistoryContext,
    ) {
        let is_noisy = position.is_noisy(mv);
        if !is_noisy {
            self.update_quiet_history(position, node.ply, node.depth, mv, &tried.quiet, context);
        }
        if self.techniques.has(Technique::CaptureHistory) {
            self.history.update_captures(position, node.depth, is_noisy.then_some(mv), &tried.noisy);
        }
    }

    fn update_quiet_history(
        &mut self,
        position: &Position,
        ply: Ply,
        depth: Depth,
        mv: Move,
        failed: &[Move],
        context: HistoryContext,
    ) {
        self.history.add_killer(ply, mv);
        if self.techniques.has(Technique::History) {
            self.history.update_quiets(position, depth, mv, failed, context);
        }
    }

    /// The value of a move for the side that plays it. Late moves are first searched with reduced depth and a zero
    /// window; those that beat alpha are searched again.
    fn search_child<const PV: bool>(
        &mut self,
        child: &Position,
        node: &Node,
        move_count: usize,
        extension: i32,
        reduction: i32,
        best: Value,
    ) -> Result<Value, Interrupted> {
        let (ply, mut depth, window) = (node.ply.next(), node.depth - 1 + extension, node.window);
        let is_zero_window_first = move_count > 1 && self.techniques.has(Technique::Pvs);
        if is_zero_window_first || !PV {
            let zero = Window::zero_above(window.alpha).reversed();
            let cut_node = if reduction > 0 { true } else { !node.cut_node };
            let mut value = -self.search::<false>(child, ply, depth - reduction, zero, cut_node)?;
            if value > window.alpha && reduction > 0 {
                let is_deeper = value > best + params::deeper_margin() + 2 * depth.get();
                let is_shallower = value < best + depth.get();
                depth = depth + i32::from(is_deeper) - i32::from(is_shallower);
                value = -self.search::<false>(child, ply, depth, zero, !node.cut_node)?;
            }
            if !PV || value <= window.alpha {
                return Ok(value);
            }
        }
        Ok(-self.search::<PV>(child, ply, depth, window.reversed(), false)?)
    }

    /// The late-move reduction in plies.
    fn reduction(&self, node: &Node, candidate: Candidate) -> i32 {
        let Candidate { class, move_count, gives_check, history_score, .. } = candidate;
        let first_reduced = if node.is_pv { 3 } else { 2 };
        let is_on = self.techniques.has(Technique::LateMoveReductions);
        if !is_on || node.depth < LMR_DEPTH || move_count < first_reduced || class <= MoveClass::GoodNoisy {
            return 0;
        }
        let move_count = if class == MoveClass::BadNoisy {
            move_count.min(LMR_BAD_CAPTURE_MOVE_COUNT)
        } else {
            move_count
        };
        let mut plies = self.reductions.plies(node.depth, move_count);
        plies += i32::from(!node.is_improving) - i32::from(node.is_pv) - i32::from(node.is_check());
        plies += i32::from(node.cut_node) - i32::from(gives_check);
        if node.ply.is_root() {
            plies -= params::late_move_reduction_root();
        }
        plies -= match class {
            MoveClass::Quiet => history_score / params::late_move_reduction_history(),
            _ => LMR_LESS,
        };
        plies.clamp(0, node.depth.get() - 2)
    }

    /// Keeps the value and the line of a root move that is the first one or raised alpha.
    fn record_root_move(&mut self, mv: Move, value: Value, move_count: usize, window: Window) {
        if move_count > 1 && value <= window.alpha {
            return;
        }
        let mut line = super::Line::new();
        line.push(mv);
        line.extend(self.pv_table.from(Ply::ROOT.next()).iter().copied().take(Ply::COUNT - 1));
        self.root_moves.record(mv, value, &line);
    }
}

impl Tried {
    /// Adds a move that did not cause a cutoff. Moves beyond the capacity are dropped.
    fn add(&mut self, position: &Position, mv: Move) {
        let _ = if position.is_noisy(mv) { self.noisy.try_push(mv) } else { self.quiet.try_push(mv) };
    }
}
