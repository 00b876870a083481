//! The function `MeilleurCoup` (section VI-B), the second stage: which of the moves that win most looks best.

use super::mailbox::Mailbox;
use super::moves::Move;
use super::pieces::{BISHOP, EMPTY, KING, KNIGHT, PAWN};
use super::position::Position;

/// For a piece that still stands where it began.
const FIRST_MOVE: i32 = 5;
/// On top of it for a pawn.
const FIRST_PAWN_MOVE: i32 = 2;
/// For a move of the king, castling included.
const KING_MOVE: i32 = -10;
/// For leaving the edge, and against going there.
const EDGE: i32 = 2;
/// For a pawn, a knight or a bishop in the opening.
const OPENING_MOVE: i32 = 20;
/// How many half-moves the opening lasts.
const OPENING: u32 = 32;

/// What the second stage knows of the game beside the position.
#[derive(Clone, Copy, Debug)]
pub struct GameSoFar<'a> {
    /// The board as it was set up: a piece that stands as it did there has not moved.
    pub start: &'a Mailbox,
    /// Half-moves since the first move of the game.
    pub half_moves: u32,
}

impl GameSoFar<'_> {
    /// The last of the best among `moves`, with its mark.
    pub fn choose(&self, position: &Position, moves: impl IntoIterator<Item = Move>) -> Option<(Move, i32)> {
        moves.into_iter().map(|mv| (mv, self.mark(position, mv))).max_by_key(|(_, mark)| *mark)
    }

    /// How good a move looks, whatever it wins.
    pub fn mark(&self, position: &Position, mv: Move) -> i32 {
        let kind = position.own(mv.from);
        let mut mark = 0;
        if self.start[mv.from] == position.board[mv.from] {
            mark += FIRST_MOVE + if kind == PAWN { FIRST_PAWN_MOVE } else { 0 };
        }
        if kind == KING {
            mark += KING_MOVE;
        }
        if mv.from.is_on_edge() {
            mark += EDGE;
        }
        if mv.to.is_on_edge() {
            mark -= EDGE;
        }
        if self.half_moves < OPENING && matches!(kind, PAWN | KNIGHT | BISHOP) {
            mark += OPENING_MOVE;
        }
        mark + mobility(&position.after(mv).with_other_side())
    }
}

/// What the side to move could do if it moved again: a point for each move, another for each capture.
fn mobility(position: &Position) -> i32 {
    let points = |mv: &Move| if position.board[mv.to] == EMPTY { 1 } else { 2 };
    position.ordinary_moves().iter().map(points).sum()
}
