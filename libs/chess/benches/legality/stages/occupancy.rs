//! The occupied squares, four times: as they are and rotated for files and both diagonals (§3.1.3).

use chess::{Bitboard, Square};

use super::lines::{self, Direction};

/// The document's `all_pieces`, `all_pieces_sym`, `all_pieces_a1h8` and `all_pieces_a8h1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy([u64; 4]);

impl Occupancy {
    /// Computed square by square.
    pub fn of(occupied: Bitboard) -> Occupancy {
        let mut occupancy = Occupancy::default();
        for square in Square::all() {
            if occupied.has(square) {
                occupancy.toggle(square);
            }
        }
        occupancy
    }

    /// A piece comes or goes.
    pub fn toggle(&mut self, square: Square) {
        for direction in Direction::ALL {
            self.0[direction as usize] ^= lines::bit(direction, square);
        }
    }

    /// The occupied squares as they are: in the rotation for ranks, the squares have their own numbers.
    pub fn squares(self) -> Bitboard {
        Bitboard::new(self.0[Direction::Rank as usize])
    }

    /// The squares a rook attacks.
    pub fn rook_attacks(self, square: Square) -> Bitboard {
        self.along(Direction::STRAIGHT, square)
    }

    /// The squares a bishop attacks.
    pub fn bishop_attacks(self, square: Square) -> Bitboard {
        self.along(Direction::DIAGONAL, square)
    }

    fn along(self, directions: [Direction; 2], square: Square) -> Bitboard {
        let [one, other] =
            directions.map(|direction| lines::attacks(direction, square, self.0[direction as usize]));
        one | other
    }
}
