//! What several terms need to know about the pawns.

use super::pawn_sets;
use chess::{Bitboard, Color, PieceKind, Position, Rank};

/// Sets of squares that depend only on the pawns of both sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct PawnInfo {
    /// The squares that each side's pawns attack.
    pub attacks: [Bitboard; 2],
    /// The squares that each side's pawns attack or could attack after advancing.
    pub spans: [Bitboard; 2],
    /// The passed pawns of each side.
    pub passed: [Bitboard; 2],
    /// How closed the position is, from 0 to [`PawnInfo::MAX_CLOSEDNESS`].
    pub closedness: u8,
}

impl PawnInfo {
    /// The largest `closedness`: nearly all pawns are on the board and block each other.
    pub const MAX_CLOSEDNESS: i32 = 8;

    /// Finds the sets of this position.
    pub fn new(position: &Position) -> PawnInfo {
        let of = |color| position.pieces(color, PieceKind::Pawn);
        PawnInfo {
            attacks: Color::ALL.map(|color| pawn_sets::attacks(of(color), color)),
            spans: Color::ALL.map(|color| pawn_sets::attack_span(of(color), color)),
            passed: Color::ALL.map(|color| pawn_sets::passed(position, color)),
            closedness: closedness(of(Color::White), of(Color::Black)),
        }
    }
}

/// (pawns + 3 × blocked pawns - 4 × open files) / 3, as in Ethereal (Andrew Grant, 2019).
fn closedness(white: Bitboard, black: Bitboard) -> u8 {
    let all = white | black;
    let blocked = (white.forward(Color::White) & black).count() as i32;
    let open_files = 8 - (pawn_sets::files(all) & Bitboard::of_rank(Rank::First)).count() as i32;
    let sum = all.count() as i32 + 3 * blocked - 4 * open_files;
    (sum / 3).clamp(0, PawnInfo::MAX_CLOSEDNESS) as u8
}
