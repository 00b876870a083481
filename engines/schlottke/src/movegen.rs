//! The procedure `GenereCoupsOrdinaires` (section V): every move but castling, whether or not it leaves the king in
//! check. The order of squares and steps is that of the article, since the last of equal moves is the one played.

use super::moves::{Move, MoveList};
use super::pieces::{BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK};
use super::position::Position;
use super::square::Square;

/// Steps, as sums of files and ranks (section III-C).
const BISHOP_STEPS: [i8; 4] = [10 + 1, -10 - 1, -10 + 1, 10 - 1];
const ROOK_STEPS: [i8; 4] = [-1, 1, -10, 10];
const KNIGHT_STEPS: [i8; 8] = [10 + 2, 20 + 1, 20 - 1, 10 - 2, -10 - 2, -20 - 1, -20 + 1, -10 + 2];
/// The queen goes the same ways, only further.
const KING_STEPS: [i8; 8] = [-1, 1, -10, 10, 10 + 1, -10 - 1, 10 - 1, -10 + 1];
/// Those of a white pawn that takes; Black's are the opposite.
const PAWN_CAPTURES: [i8; 2] = [-10 + 1, 10 + 1];

impl Position {
    /// The moves of the side to move, castling left out.
    pub fn ordinary_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        for from in Square::all() {
            match self.own(from) {
                PAWN => self.pawn_moves(from, &mut moves),
                BISHOP => self.slides(from, &BISHOP_STEPS, &mut moves),
                KNIGHT => self.steps(from, &KNIGHT_STEPS, &mut moves),
                ROOK => self.slides(from, &ROOK_STEPS, &mut moves),
                QUEEN => self.slides(from, &KING_STEPS, &mut moves),
                KING => self.steps(from, &KING_STEPS, &mut moves),
                _ => {}
            }
        }
        moves
    }

    fn pawn_moves(&self, from: Square, moves: &mut MoveList) {
        let sign = self.side.sign();
        let to = from.step(sign);
        if self.board[to] == EMPTY {
            moves.push(Move { from, to });
            let to = to.step(sign);
            if from.rank() == self.side.pawn_rank() && self.board[to] == EMPTY {
                moves.push(Move { from, to });
            }
        }
        for step in PAWN_CAPTURES {
            let to = from.step(step * sign);
            let is_en_passant = self.passed[self.side.other().index()] == Some(to);
            if is_en_passant || (self.may_enter(to) && self.board[to] != EMPTY) {
                moves.push(Move { from, to });
            }
        }
    }

    fn steps(&self, from: Square, steps: &[i8], moves: &mut MoveList) {
        let targets = steps.iter().map(|&step| from.step(step));
        moves.extend(targets.filter(|&to| self.may_enter(to)).map(|to| Move { from, to }));
    }

    /// From the nearest square to the furthest. The edge stops a piece as another piece would.
    fn slides(&self, from: Square, steps: &[i8], moves: &mut MoveList) {
        for &step in steps {
            let mut to = from.step(step);
            while self.may_enter(to) {
                moves.push(Move { from, to });
                if self.board[to] != EMPTY {
                    break;
                }
                to = to.step(step);
            }
        }
    }
}
