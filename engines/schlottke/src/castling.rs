//! The procedure `GenereRoque` (section V): castling, kept apart so that the search can do without it.
//!
//! The conditions are those of the rules, not quite those of the article: there, `EmpechementRoque` asks about all
//! squares from the king to the rook, but compares only the opponent's first move with them, and sees no pawn that
//! attacks an empty square.

use super::castling_rights::{Wing, king_home};
use super::moves::{Move, MoveList};
use super::pieces::{EMPTY, KING, ROOK};
use super::position::Position;
use super::square::Square;

impl Position {
    /// All moves of the side to move; some may leave its king in check.
    pub fn all_moves(&self) -> MoveList {
        let mut moves = self.ordinary_moves();
        let king = king_home(self.side);
        if self.own(king) == KING {
            for wing in Wing::BOTH {
                if self.castling.has(self.side, wing) && self.may_castle(king, wing) {
                    moves.push(Move { from: king, to: king.step(2 * wing.step()) });
                }
            }
        }
        moves
    }

    /// Whether the rook is at home, nothing stands between, and the king is attacked nowhere on its way.
    fn may_castle(&self, king: Square, wing: Wing) -> bool {
        let (rook, step) = (wing.rook(self.side), wing.step());
        self.own(rook) == ROOK
            && self.is_free_between(king, rook, step)
            && (0..=2).all(|steps| !self.with_king_moved(king, king.step(steps * step)).is_check())
    }

    fn is_free_between(&self, king: Square, rook: Square, step: i8) -> bool {
        let mut square = king.step(step);
        while square != rook {
            if self.board[square] != EMPTY {
                return false;
            }
            square = square.step(step);
        }
        true
    }

    fn with_king_moved(&self, from: Square, to: Square) -> Position {
        let mut moved = *self;
        if from != to {
            moved.board.shift(from, to);
        }
        moved
    }
}
