//! Null moves (§2.3.1) and futility (§2.3.3).
//!
//! If a side is still good enough after a null move, searched to a depth reduced by 3, it need not look for a move: a
//! cutoff is likely. A side with only king and pawns does not pass, as it may be in zugzwang. Nor does a side in check,
//! where passing is illegal, or one whose opponent has just passed: the opponent should get two moves in a row.
//!
//! Quiet moves near the horizon that leave a side far behind are searched a ply less. The document asks for a margin one
//! move before quiescence and a larger one two moves before, but gives no sizes: here a pawn and a minor piece.

use chess::{Move, Position};

use super::{Interrupted, LastMove, Search, Technique};
use crate::evaluation::has_pieces;
use crate::units::{Depth, Ply, Value, Window};

const REDUCTION: i32 = 3;

impl Search<'_> {
    /// Whether the side to move reaches `beta` even if it passes.
    pub(super) fn is_good_enough_to_pass(
        &mut self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        window: Window,
        last: LastMove,
    ) -> Result<bool, Interrupted> {
        let may_pass = self.techniques.has(Technique::NullMove)
            && !ply.is_root()
            && !last.is_pass
            && !position.is_check()
            && has_pieces(position, position.side_to_move());
        if !may_pass {
            return Ok(false);
        }
        let theirs = window.zero_below_beta().of_opponent();
        let passed = position.play_null();
        let value = -self.descend(&passed, depth - REDUCTION, ply.next(), theirs, LastMove::PASS)?;
        Ok(value >= window.beta)
    }
}

/// In hundredths of a pawn, for a move that would be searched to depth 1.
const MARGIN_AT_ONE: i32 = 100;
/// In hundredths of a pawn, for a move that would be searched to depth 2.
const MARGIN_AT_TWO: i32 = 300;

/// Whether a move is searched a ply less than `depth`: to quiescence instead of depth 1, or to depth 1 instead of 2.
/// `eval` is the value of the position before the move; its side is not in check.
pub fn is_futile(position: &Position, mv: Move, depth: Depth, eval: Value, alpha: Value) -> bool {
    margin(depth).is_some_and(|margin| eval + margin <= alpha) && !is_tactical(position, mv)
}

/// The deficit from which moves to this depth are futile; `None` if no move is.
pub const fn margin(depth: Depth) -> Option<i32> {
    match depth.plies() {
        1 => Some(MARGIN_AT_ONE),
        2 => Some(MARGIN_AT_TWO),
        _ => None,
    }
}

fn is_tactical(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || mv.promotion().is_some() || position.gives_check(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEHIND: Value = Value::centipawns(-150);

    fn is_futile_at(plies: i32, mv: &str) -> bool {
        let position = Position::from_fen("4k3/P7/8/8/3p4/4P3/8/R3K3 w Q - 0 1").unwrap();
        let mv = position.parse_uci(mv).unwrap();
        is_futile(&position, mv, Depth::new(plies), BEHIND, Value::DRAW)
    }

    #[test]
    fn only_quiet_moves_that_do_not_reach_alpha_are_futile() {
        assert!(is_futile_at(1, "a1a4"));
        assert!(!is_futile_at(2, "a1a4"));
        assert!(!is_futile_at(3, "a1a4"));
        for mv in ["e3d4", "a7a8q"] {
            assert!(!is_futile_at(1, mv), "{mv}");
        }
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let check = position.parse_uci("a1a8").unwrap();
        assert!(!is_futile(&position, check, Depth::new(1), BEHIND, Value::DRAW));
    }
}
