//! The board (section III-A): one array from -10 to 109, wide enough for every jump of a knight to end inside.

use std::ops::{Index, IndexMut};

use super::pieces::{EMPTY, OFF_BOARD};
use super::square::Square;

const CELLS: usize = (Square::LAST - Square::FIRST) as usize + 1;

/// What stands on each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox([i8; CELLS]);

impl Mailbox {
    /// A board without pieces.
    pub fn empty() -> Mailbox {
        let mut board = Mailbox([OFF_BOARD; CELLS]);
        Square::all().for_each(|square| board[square] = EMPTY);
        board
    }

    /// The value of all pieces, positive where White has more.
    pub fn material(&self) -> i32 {
        Square::all().map(|square| i32::from(self[square])).sum()
    }

    /// Moves a piece, and gives what stood on `to`.
    pub fn shift(&mut self, from: Square, to: Square) -> i8 {
        let taken = self[to];
        self[to] = self[from];
        self[from] = EMPTY;
        taken
    }
}

impl Index<Square> for Mailbox {
    type Output = i8;

    fn index(&self, square: Square) -> &i8 {
        &self.0[square.index()]
    }
}

impl IndexMut<Square> for Mailbox {
    fn index_mut(&mut self, square: Square) -> &mut i8 {
        &mut self.0[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_every_piece_stays_in_the_array() {
        let board = Mailbox::empty();
        for square in Square::all() {
            for step in [12, 21, 19, 8, -12, -21, -19, -8, 1, -1, 10, -10, 11, -11, 9, -9, 2, -2] {
                assert!(matches!(board[square.step(step)], EMPTY | OFF_BOARD));
            }
        }
    }
}
