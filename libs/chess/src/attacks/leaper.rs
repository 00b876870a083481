//! The attacks of knights, kings and pawns, which nothing can block.

use super::super::{Bitboard, Color, Square};

pub(super) static KNIGHT: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index).bitboard();
        let sides = Bitboard::new(from.east().bits() | from.west().bits());
        let far_sides = Bitboard::new(from.east().east().bits() | from.west().west().bits());
        table[index] = Bitboard::new(
            sides.north().north().bits()
                | sides.south().south().bits()
                | far_sides.north().bits()
                | far_sides.south().bits(),
        );
        index += 1;
    }
    table
};

pub(super) static KING: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index).bitboard();
        let row = Bitboard::new(from.bits() | from.east().bits() | from.west().bits());
        table[index] = Bitboard::new((row.bits() | row.north().bits() | row.south().bits()) & !from.bits());
        index += 1;
    }
    table
};

pub(super) static PAWN: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let from = Square::from_index(index).bitboard();
        let sides = Bitboard::new(from.east().bits() | from.west().bits());
        table[Color::White.index()][index] = sides.north();
        table[Color::Black.index()][index] = sides.south();
        index += 1;
    }
    table
};
