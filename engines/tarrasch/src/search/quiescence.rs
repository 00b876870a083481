//! Quiescence search: captures and promotions until the position is quiet; the first ply also searches quiet checks.

use super::history::HistoryContext;
use super::limits::Technique;
use super::move_picker::{MoveClass, MovePicker, Picked, Quiets};
use super::node::{Interrupted, Node, Window};
use super::see::{see_at_least, value};
use super::{Searcher, params};
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Value};
use chess::{Move, Position};

/// This many captures are searched in a node with a zero window; of the later ones only recaptures, promotions and
/// checks.
const MAX_CAPTURES: usize = 2;

impl Searcher<'_> {
    /// The value of the position when only captures, promotions and the `quiets` of this ply are searched; in check all
    /// evasions. Not in check, the side to move may stand pat on the static evaluation.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        ply: Ply,
        window: Window,
        quiets: Quiets,
    ) -> Result<Value, Interrupted> {
        self.sel_depth = self.sel_depth.max(ply);
        if PV {
            self.pv_table.clear(ply);
        }
        if self.is_draw(position) {
            return Ok(Value::DRAW);
        }
        let tt_entry = self.probe_tt(position, ply);
        if let Some(entry) = tt_entry
            && !PV
            && entry.allows_cutoff(Depth::ZERO, window.alpha, window.beta)
        {
            return Ok(entry.value);
        }
        if ply == Ply::MAX {
            return Ok(if position.is_check() { Value::DRAW } else { self.evaluator.evaluate(position) });
        }
        let static_eval = self.static_eval(position, tt_entry.as_ref());
        let stand_pat = static_eval.map(|eval| self.corrected_eval(position, eval));
        let stand_pat = stand_pat.map(|eval| tt_entry.map_or(eval, |entry| entry.refine(eval)));
        if let Some(value) = stand_pat
            && value >= window.beta
        {
            let value = if PV { value } else { window.soften_fail_high(value, 1) };
            if tt_entry.is_none() {
                let entry =
                    Entry { best: None, value, bound: Bound::Lower, depth: Depth::ZERO, eval: static_eval };
                self.tt.store(position.key(), ply, entry);
            }
            return Ok(value);
        }
        let node = Node { tt_entry, static_eval, eval: stand_pat, ..Node::new(ply, Depth::ZERO, window) };
        self.search_captures::<PV>(position, node, quiets)
    }

    fn search_captures<const PV: bool>(
        &mut self,
        position: &Position,
        node: Node,
        quiets: Quiets,
    ) -> Result<Value, Interrupted> {
        let Node { ply, mut window, tt_entry, static_eval, eval: stand_pat, .. } = node;
        let mut best = stand_pat.unwrap_or(Value::mated_in(ply));
        let mut best_move = None;
        window.alpha = window.alpha.max(best);
        let tt_move = tt_entry.and_then(|entry| entry.best).filter(|&mv| position.is_legal(mv));
        let mut picker = match stand_pat {
            None => MovePicker::new(self.tt, tt_move, []),
            Some(_) => MovePicker::noisy(self.tt, tt_move.filter(|&mv| position.is_noisy(mv)), quiets),
        };
        // Only evasions are ordered by history.
        let context = match stand_pat {
            None => self.history_context(position, ply),
            Some(_) => HistoryContext::default(),
        };
        let mut captures = 0;
        while let Some(Picked { mv, class, .. }) = picker.next(position, self.history, context) {
            if let Some(eval) = stand_pat {
                if class == MoveClass::BadNoisy {
                    break;
                }
                if class == MoveClass::Quiet && !see_at_least(position, mv, 0) {
                    continue;
                }
                if self.techniques.has(Technique::DeltaPruning)
                    && let Some(ceiling) = delta_pruning(position, mv, eval, window.alpha)
                {
                    best = best.max(ceiling);
                    continue;
                }
                if class != MoveClass::Quiet {
                    captures += 1;
                    if !PV && captures > MAX_CAPTURES && self.is_late_capture(position, ply, mv) {
                        continue;
                    }
                }
            } else if !best.is_loss() && !position.is_noisy(mv) {
                // One evasion avoids mate. This is the last quiet one, and it is skipped if alpha has been raised.
                picker.skip_quiet();
                if best_move.is_some() {
                    continue;
                }
            }
            self.count_node()?;
            let mut child = position.clone();
            self.play(&mut child, ply, mv);
            let value = -self.quiesce::<PV>(&child, ply.next(), window.reversed(), Quiets::None)?;
            self.unmake();
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    window.alpha = value;
                    if PV {
                        self.pv_table.extend(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                }
            }
        }
        if !PV {
            best = node.window.soften_fail_high(best, 1);
        }
        let bound = node.window.bound_of(best, PV);
        let entry = Entry { best: best_move, value: best, bound, depth: Depth::ZERO, eval: static_eval };
        self.tt.store(position.key(), ply, entry);
        Ok(best)
    }

    /// Whether a capture that comes late may be skipped: no recapture, promotion or check.
    fn is_late_capture(&self, position: &Position, ply: Ply, mv: Move) -> bool {
        let before = ply.index().checked_sub(1).and_then(|index| self.stack[index].moved);
        mv.promotion().is_none()
            && before.is_none_or(|before| before.target() != mv.to())
            && self.techniques.has(Technique::DeltaPruning)
            && !position.gives_check(mv)
    }

    /// The static evaluation, scaled down by the half-move clock and corrected by the correction history.
    pub(super) fn corrected_eval(&self, position: &Position, eval: Value) -> Value {
        let clock = i32::from(position.halfmove_clock());
        let divisor = params::clock_divisor();
        let eval = Value::new(eval.get() * (divisor - clock) / divisor);
        if self.techniques.has(Technique::CorrectionHistory) {
            self.correction_history.corrected(position, eval)
        } else {
            eval
        }
    }

    /// The raw static evaluation, from the TT if possible; `None` in check.
    pub(super) fn static_eval(&mut self, position: &Position, tt_entry: Option<&Entry>) -> Option<Value> {
        if position.is_check() {
            return None;
        }
        Some(tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position)))
    }
}

/// Delta pruning: the highest value that the move can reach, if it is at most alpha. An exchange that wins nothing adds
/// nothing. Checks are never pruned.
fn delta_pruning(position: &Position, mv: Move, eval: Value, alpha: Value) -> Option<Value> {
    let without_gain = eval + params::delta_margin();
    let ceiling = without_gain + material_gain(position, mv);
    let ceiling = if ceiling > alpha && without_gain <= alpha && !see_at_least(position, mv, 1) {
        without_gain
    } else {
        ceiling
    };
    (ceiling <= alpha && !position.gives_check(mv)).then_some(ceiling)
}

/// The largest material gain of a capture or promotion.
fn material_gain(position: &Position, mv: Move) -> i32 {
    use chess::PieceKind::Pawn;
    position.captured(mv).map_or(0, value) + mv.promotion().map_or(0, |kind| value(kind) - value(Pawn))
}
