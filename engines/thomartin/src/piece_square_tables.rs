//! Piece-square tables (chapter "Piece Square Tables").
//!
//! The report prints a single table, the knight's in the middlegame. It equals the one in Tomasz Michniewski's
//! "Simplified Evaluation Function" (Chess Programming Wiki), so the other middlegame tables and the king's endgame table
//! are taken from there too. That function has no other endgame tables: those are ours, and so is the table that drives a
//! lone king to the edge, which the report mentions without figures.
//!
//! Tables are printed as White sees the board: the first row is the eighth rank.

use shakmaty::{Color, Role, Square};

use super::phase::Phase;

type Table = [i32; 64];

#[rustfmt::skip]
const PAWN_MIDDLE: Table = [
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  25,  25,  10,   5,   5,
      0,   0,   0,  20,  20,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -20, -20,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

/// Our table: the further a pawn is, the better, on every file; the first number is the eighth rank.
const PAWN_END: [i32; 8] = [0, 90, 55, 30, 15, 5, 0, 0];

/// The table that the report prints.
#[rustfmt::skip]
const KNIGHT_MIDDLE: Table = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
];

#[rustfmt::skip]
const BISHOP_MIDDLE: Table = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -10, -10, -10, -10, -10, -20,
];

#[rustfmt::skip]
const ROOK_MIDDLE: Table = [
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10,  10,  10,  10,  10,   5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      0,   0,   0,   5,   5,   0,   0,   0,
];

#[rustfmt::skip]
const QUEEN_MIDDLE: Table = [
    -20, -10, -10,  -5,  -5, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
     -5,   0,   5,   5,   5,   5,   0,  -5,
      0,   0,   5,   5,   5,   5,   0,  -5,
    -10,   5,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,   0,   0,   0,   0, -10,
    -20, -10, -10,  -5,  -5, -10, -10, -20,
];

#[rustfmt::skip]
const KING_MIDDLE: Table = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

#[rustfmt::skip]
const KING_END: Table = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];

/// Our table: the lone king's score falls from the centre to the edge, and is lowest in the corners.
#[rustfmt::skip]
const LONE_KING: Table = [
   -160, -140, -120, -110, -110, -120, -140, -160,
   -140, -100,  -80,  -70,  -70,  -80, -100, -140,
   -120,  -80,  -50,  -40,  -40,  -50,  -80, -120,
   -110,  -70,  -40,    0,    0,  -40,  -70, -110,
   -110,  -70,  -40,    0,    0,  -40,  -70, -110,
   -120,  -80,  -50,  -40,  -40,  -50,  -80, -120,
   -140, -100,  -80,  -70,  -70,  -80, -100, -140,
   -160, -140, -120, -110, -110, -120, -140, -160,
];

/// The bonus of a piece of `side` on `square`. Knights, bishops, rooks and queens keep their tables to the end.
pub fn bonus(phase: Phase, role: Role, side: Color, square: Square) -> i32 {
    let table = match (role, phase) {
        (Role::Pawn, Phase::Middlegame) => &PAWN_MIDDLE,
        (Role::Pawn, _) => return PAWN_END[index(side, square) / 8],
        (Role::Knight, _) => &KNIGHT_MIDDLE,
        (Role::Bishop, _) => &BISHOP_MIDDLE,
        (Role::Rook, _) => &ROOK_MIDDLE,
        (Role::Queen, _) => &QUEEN_MIDDLE,
        (Role::King, Phase::Middlegame) => &KING_MIDDLE,
        (Role::King, _) => &KING_END,
    };
    table[index(side, square)]
}

pub fn lone_king_bonus(square: Square) -> i32 {
    LONE_KING[usize::from(square)]
}

fn index(side: Color, square: Square) -> usize {
    usize::from(side.fold_wb(square.flip_vertical(), square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_from_the_side_of_its_owner() {
        let pawn = |side, square| bonus(Phase::Middlegame, Role::Pawn, side, square);
        assert_eq!(pawn(Color::White, Square::E7), 50);
        assert_eq!(pawn(Color::White, Square::E2), -20);
        assert_eq!(pawn(Color::Black, Square::E2), 50);
        assert_eq!(bonus(Phase::Middlegame, Role::Knight, Color::White, Square::B5), 5);
        assert_eq!(bonus(Phase::Middlegame, Role::Knight, Color::White, Square::B4), 0);
    }

    #[test]
    fn a_lone_king_is_worse_off_the_nearer_it_is_to_the_edge() {
        let way = [Square::E4, Square::F5, Square::G6, Square::H6, Square::H7, Square::H8];
        assert!(way.windows(2).all(|pair| lone_king_bonus(pair[0]) > lone_king_bonus(pair[1])));
    }
}
