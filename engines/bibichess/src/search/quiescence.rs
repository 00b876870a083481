//! Only quiet positions are evaluated (§1.2.1): beyond the horizon the captures go on, and checks are answered.
//!
//! The document's sketch lets a side in check take the evaluation of its position too. Its figure 3 can then not be: the
//! mate would be escaped by standing still. Here a side in check has to move.

use chess::{MoveList, Position};

use super::{Interrupted, Search};
use crate::exchange::exchange;
use crate::move_order;
use crate::ply::Ply;
use crate::technique::Technique;
use crate::value::Value;
use crate::window::Window;

/// Delta pruning (§2.3.2): a pawn, in hundredths.
const DELTA: i32 = 100;

impl Search<'_> {
    /// The value of a position at the horizon: after the best captures, or none, or after the best answer to a check.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: Ply,
        mut window: Window,
    ) -> Result<Value, Interrupted> {
        self.enter(ply)?;
        if !self.techniques.has(Technique::Quiescence) {
            return Ok(self.static_value(position, ply));
        }
        if ply == Ply::LAST {
            return Ok((self.evaluation)(position));
        }
        let mut moves;
        let mut floor = None;
        if position.is_check() {
            moves = MoveList::new();
            position.legal_moves(&mut moves);
            window.alpha = window.alpha.max(Value::mated_at(ply));
        } else {
            let eval = (self.evaluation)(position);
            window.alpha = window.alpha.max(eval);
            floor = self.techniques.has(Technique::DeltaPruning).then(|| eval + DELTA);
            if window.is_refuted() {
                return Ok(window.alpha);
            }
            moves = captures(position);
        }
        move_order::sort(position, &mut moves, None, self.techniques.has(Technique::SeeOrdering));
        for mv in moves {
            if floor.is_some_and(|floor| floor + exchange(position, mv) <= window.alpha) {
                continue;
            }
            let value = -self.quiesce(&position.play(mv), ply.next(), window.of_opponent())?;
            if value > window.alpha {
                window.alpha = value;
                self.variations.extend(ply, mv);
                if window.is_refuted() {
                    break;
                }
            }
        }
        Ok(window.alpha)
    }

    /// The value of a position where it stands, as plain minmax takes it.
    fn static_value(&self, position: &Position, ply: Ply) -> Value {
        match (position.has_legal_move(), position.is_check()) {
            (true, _) => (self.evaluation)(position),
            (false, true) => Value::mated_at(ply),
            (false, false) => Value::DRAW,
        }
    }
}

/// The legal captures; those that promote do so to a queen.
pub fn captures(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.noisy_moves(&mut moves);
    moves.retain(|mv| position.is_capture(*mv));
    moves
}
