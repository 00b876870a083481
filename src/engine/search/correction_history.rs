//! How far the static evaluation was off in positions with the same pawns (Chess Programming Wiki, "Static Evaluation
//! Correction History").

use crate::chess::{Color, Position};
use crate::engine::{Depth, Value};

/// Entries for each side to move, a power of two.
const ENTRIES: usize = 1 << 14;
/// Parts of a centipawn in which errors are kept.
const GRAIN: i32 = 256;
/// The largest correction in centipawns.
const LIMIT: i32 = 48;
/// New errors count so much at most, of [`WEIGHTS`].
const MAX_WEIGHT: i32 = 16;
/// What old and new weigh together.
const WEIGHTS: i32 = 256;

/// The mean of the latest errors, by the pawns and the side to move.
#[derive(Debug)]
pub struct CorrectionHistory([Box<[i16]>; 2]);

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory::new()
    }
}

impl CorrectionHistory {
    /// No errors known.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory([0, 1].map(|_| vec![0; ENTRIES].into_boxed_slice()))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|side| side.fill(0));
    }

    /// The evaluation less the error that is expected.
    pub fn corrected(&self, position: &Position, eval: Value) -> Value {
        let entry = self.0[position.side_to_move().index()][index(position)];
        (eval + i32::from(entry) / GRAIN).clamp_to_eval()
    }

    /// A search to `depth` found `value` where the evaluation said `eval`.
    pub fn learn(&mut self, position: &Position, depth: Depth, eval: Value, value: Value) {
        let side: Color = position.side_to_move();
        let entry = &mut self.0[side.index()][index(position)];
        let weight = (depth.get() + 1).min(MAX_WEIGHT);
        let error = (value - eval).clamp(-4 * LIMIT, 4 * LIMIT) * GRAIN;
        let mean = (i32::from(*entry) * (WEIGHTS - weight) + error * weight) / WEIGHTS;
        *entry = mean.clamp(-LIMIT * GRAIN, LIMIT * GRAIN) as i16;
    }
}

fn index(position: &Position) -> usize {
    position.pawn_key().bits() as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_repeat_are_corrected_within_limits() {
        let position = Position::start();
        let mut history = CorrectionHistory::new();
        let (eval, value) = (Value::new(10), Value::new(400));
        assert_eq!(history.corrected(&position, eval), eval);
        history.learn(&position, Depth::new(8), eval, value);
        let once = history.corrected(&position, eval);
        assert!(once > eval);
        for _ in 0..1000 {
            history.learn(&position, Depth::new(8), eval, value);
        }
        assert!(history.corrected(&position, eval) > once);
        assert!(history.corrected(&position, eval) - eval <= LIMIT);
        history.clear();
        assert_eq!(history.corrected(&position, eval), eval);
    }
}
