//! Alpha-beta (§2.1.2), with principal variation search on top (§2.1.4).
//!
//! A node returns alpha at its end, as in the document's sketch: the value if it lies inside the window, else the end of
//! the window beyond which it lies, or a slightly larger value.

use chess::{Move, Position};

use super::pruning::{is_futile, margin};
use super::{Interrupted, LastMove, Search, Technique, deserves_extension};
use crate::hash_table::{Bound, Knowledge};
use crate::move_order;
use crate::units::{Depth, Ply, Value, Window};

impl Search<'_> {
    /// The value of a position searched to `depth`; quiescence if no depth is left.
    pub(super) fn descend(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        window: Window,
        last: LastMove,
    ) -> Result<Value, Interrupted> {
        if depth.is_exhausted() {
            self.quiesce(position, ply, window)
        } else {
            self.search(position, depth, ply, window, last)
        }
    }

    /// The value of a position searched to `depth`, which is at least 1.
    pub(super) fn search(
        &mut self,
        position: &Position,
        mut depth: Depth,
        ply: Ply,
        window: Window,
        last: LastMove,
    ) -> Result<Value, Interrupted> {
        self.enter(ply)?;
        let mut moves = position.move_list();
        if moves.is_empty() {
            return Ok(if position.is_check() { Value::mated_at(ply) } else { Value::DRAW });
        }
        if ply == Ply::LAST {
            return Ok((self.evaluation)(position));
        }
        if self.techniques.has(Technique::Extensions) && deserves_extension(position, moves.len(), last) {
            depth = depth + 1;
        }
        let known = self.recall(position, ply);
        if let Some(known) = known
            && !ply.is_root()
            && known.settles(depth, window)
        {
            return Ok(known.value);
        }
        if self.is_good_enough_to_pass(position, depth, ply, window, last)? {
            return Ok(window.beta);
        }
        if ply.is_root() && !self.root_moves.is_empty() {
            moves.retain(|mv| self.root_moves.contains(mv));
        }
        let remembered = known.and_then(|known| known.best);
        move_order::sort(position, &mut moves, remembered, self.techniques.has(Technique::SeeOrdering));
        let (value, best) = self.search_moves(position, &moves, depth, ply, window, last)?;
        self.remember(position, depth, ply, window, (value, best));
        Ok(value)
    }

    fn search_moves(
        &mut self,
        position: &Position,
        moves: &[Move],
        depth: Depth,
        ply: Ply,
        mut window: Window,
        last: LastMove,
    ) -> Result<(Value, Option<Move>), Interrupted> {
        let mut best = None;
        let may_be_futile =
            self.techniques.has(Technique::Futility) && margin(depth - 1).is_some() && !position.is_check();
        let eval = may_be_futile.then(|| (self.evaluation)(position));
        for (index, &mv) in moves.iter().enumerate() {
            let is_futile = eval.is_some_and(|eval| is_futile(position, mv, depth - 1, eval, window.alpha));
            let to_depth = depth - if is_futile { 2 } else { 1 };
            let value = self.search_move(position, mv, to_depth, ply, window, last, index == 0)?;
            if value > window.alpha {
                window.alpha = value;
                best = Some(mv);
                self.variations.extend(ply, mv);
                if window.is_refuted() {
                    break;
                }
            }
        }
        Ok((window.alpha, best))
    }

    /// The value of a move. The first move is searched with the full window. The others are only tested against alpha,
    /// and searched fully if they exceed it.
    #[expect(clippy::too_many_arguments, reason = "the document's search has them all")]
    fn search_move(
        &mut self,
        position: &Position,
        mv: Move,
        depth: Depth,
        ply: Ply,
        window: Window,
        last: LastMove,
        is_first: bool,
    ) -> Result<Value, Interrupted> {
        let child = position.play(mv);
        let last = last.followed_by(position, mv);
        if !is_first && self.techniques.has(Technique::Pvs) && !window.is_zero() {
            let zero = window.zero_above_alpha().of_opponent();
            let value = -self.descend(&child, depth, ply.next(), zero, last)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        Ok(-self.descend(&child, depth, ply.next(), window.of_opponent(), last)?)
    }

    fn recall(&self, position: &Position, ply: Ply) -> Option<Knowledge> {
        let is_used = self.techniques.has(Technique::TranspositionTable);
        is_used.then(|| self.table.probe(position.key(), ply)).flatten()
    }

    fn remember(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        window: Window,
        (value, best): (Value, Option<Move>),
    ) {
        if !self.techniques.has(Technique::TranspositionTable) {
            return;
        }
        let bound = if value >= window.beta {
            Bound::AtLeast
        } else if best.is_some() {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table.store(position.key(), ply, Knowledge { value, bound, depth, best });
    }
}
