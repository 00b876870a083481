//! Who would still stand well after passing need not look for a move (§2.3.1).
//!
//! The value after passing, to a depth reduced by 3, foretells a cutoff. A side with nothing but king and pawns may be
//! in zugzwang, where having to move is the trouble; it does not pass. Nor does one in check, where it would be against
//! the rules, or one whose opponent has just passed: the idea is that the opponent moves twice.

use chess::{PieceKind, Position};

use super::{Interrupted, LastMove, Search};
use crate::depth::Depth;
use crate::ply::Ply;
use crate::technique::Technique;
use crate::window::Window;

/// How many plies less than the node the position after passing is searched, whatever the depth.
const REDUCTION: i32 = 3;

impl Search<'_> {
    /// Whether the side to move has at least `beta` even if it passes.
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
            && !last.is_pass()
            && !position.is_check()
            && has_pieces(position);
        if !may_pass {
            return Ok(false);
        }
        let theirs = window.zero_below_beta().of_opponent();
        let passed = position.play_null();
        let value = -self.descend(&passed, depth - REDUCTION, ply.next(), theirs, LastMove::PASS)?;
        Ok(value >= window.beta)
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(position: &Position) -> bool {
    let us = position.side_to_move();
    let weak = position.pieces(us, PieceKind::Pawn) | position.pieces(us, PieceKind::King);
    (position.colored(us) & !weak).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_with_king_and_pawns_only_may_be_in_zugzwang() {
        let has = |fen| has_pieces(&Position::from_fen(fen).unwrap());
        assert!(!has("4k2r/8/8/8/8/8/PPP5/4K3 w - - 0 1"));
        assert!(has("4k2r/8/8/8/8/8/PPP5/4K3 b - - 0 1"));
    }
}
