//! Positions that are drawn whatever their evaluation.

use super::Searcher;
use chess::Position;

impl Searcher<'_> {
    /// Whether the position is a draw by repetition, by the fifty-move rule, or for want of material.
    ///
    /// A repetition of a position that arose in the search counts at once: whoever could repeat once could repeat
    /// again. Positions of the game must have occurred twice before.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        is_fifty_move_draw(position) || position.is_insufficient_material() || self.is_repetition(position)
    }

    /// Whether the side to move can play a move that repeats a position of this search. Then the draw is its for the
    /// taking.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let current = self.keys.len() - 1;
        let reversible =
            usize::from(position.halfmove_clock()).min((current - self.root_index).saturating_sub(1));
        position.can_return_to(&self.keys[current - reversible..=current])
    }

    fn is_repetition(&self, position: &Position) -> bool {
        let current = self.keys.len() - 1;
        let reversible = usize::from(position.halfmove_clock()).min(current);
        let mut occurrences_in_game = 0;
        for index in (current - reversible..current).rev().skip(3).step_by(2) {
            if self.keys[index] == position.key() {
                if index > self.root_index {
                    return true;
                }
                occurrences_in_game += 1;
                if occurrences_in_game == 2 {
                    return true;
                }
            }
        }
        false
    }
}

/// A hundred plies without capture or pawn move, unless the last of them gave mate.
fn is_fifty_move_draw(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && (!position.is_check() || position.has_legal_move())
}
