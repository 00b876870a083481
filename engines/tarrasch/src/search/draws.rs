//! Draws by rule, and upcoming repetitions.

use super::Searcher;
use chess::Position;

impl Searcher<'_> {
    /// Whether the position is a draw by repetition, the fifty-move rule or insufficient material.
    ///
    /// The first repetition of a position inside the search counts as a draw. A position of the game must occur for the
    /// third time.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        is_fifty_move_draw(position) || position.is_insufficient_material() || self.is_repetition(position)
    }

    /// Upcoming repetition: whether a move of the side to move repeats a position of this search. Then it has at least a
    /// draw.
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

/// A half-move clock of 100, unless the last move gave mate.
fn is_fifty_move_draw(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && (!position.is_check() || position.has_legal_move())
}
