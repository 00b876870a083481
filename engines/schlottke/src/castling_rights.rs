//! Which castlings are still allowed (sections III-D and IV).

use super::side::Side;
use super::square::Square;

/// The wing to which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

impl Wing {
    /// Both, in the order in which the article tries them.
    pub const BOTH: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The step from file to file on the king's way.
    pub const fn step(self) -> i8 {
        match self {
            Wing::King => 10,
            Wing::Queen => -10,
        }
    }

    /// Where the rook of this wing begins.
    pub const fn rook(self, side: Side) -> Square {
        match self {
            Wing::King => Square::new(8, side.home_rank()),
            Wing::Queen => Square::new(1, side.home_rank()),
        }
    }
}

/// The square on which a king begins.
pub const fn king_home(side: Side) -> Square {
    Square::new(5, side.home_rank())
}

/// The castlings whose king and rook have not moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CastlingRights([[bool; 2]; 2]);

impl CastlingRights {
    /// Whether this castling is still allowed.
    pub const fn has(self, side: Side, wing: Wing) -> bool {
        self.0[side.index()][wing as usize]
    }

    /// Allows a castling, for a position that is set up.
    pub fn allow(&mut self, side: Side, wing: Wing) {
        self.0[side.index()][wing as usize] = true;
    }

    /// A piece left or reached `square`: what began there has moved or is gone.
    ///
    /// The article looks only at squares that are left. A rook that is taken keeps its right there, and the other rook
    /// may come and castle in its place, which the rules do not allow.
    pub fn touch(&mut self, square: Square) {
        for side in [Side::White, Side::Black] {
            for wing in Wing::BOTH {
                if square == king_home(side) || square == wing.rook(side) {
                    self.0[side.index()][wing as usize] = false;
                }
            }
        }
    }
}
