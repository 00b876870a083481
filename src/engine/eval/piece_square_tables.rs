//! What each piece is worth, and what each square adds to it.
//!
//! Values and tables are those of `PeSTO` (Ronald Friederich, "`PeSTO`'s Evaluation Function", Chess Programming Wiki),
//! tuned by him on games of strong engines. His tables tell the king's wing from the queen's; here each square has the
//! mean of itself and its mirror image, so that a mirrored position is worth the same.

use super::Score;
use crate::chess::{Color, PieceKind, Square};

/// The value of a piece for its owner, wherever it stands.
pub fn material(kind: PieceKind) -> Score {
    MATERIAL[kind.index()]
}

/// What standing on `square` adds to the value of a piece, for its owner.
pub fn placement(color: Color, kind: PieceKind, square: Square) -> Score {
    PLACEMENT[kind.index()][square.relative_to(color).index()]
}

const MATERIAL: [Score; 6] = [
    Score::new(82, 94),
    Score::new(337, 281),
    Score::new(365, 297),
    Score::new(477, 512),
    Score::new(1025, 936),
    Score::ZERO,
];

/// Middlegame and endgame for the files a to d, which the files h to e mirror; the eighth rank on top.
type HalfBoard = [[(i32, i32); 4]; 8];

static PLACEMENT: [[Score; 64]; 6] =
    [unfold(&PAWN), unfold(&KNIGHT), unfold(&BISHOP), unfold(&ROOK), unfold(&QUEEN), unfold(&KING)];

const fn unfold(half: &HalfBoard) -> [Score; 64] {
    let mut board = [Score::ZERO; 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let (mg, eg) = half[7 - rank][if file < 4 { file } else { 7 - file }];
        board[square] = Score::new(mg, eg);
        square += 1;
    }
    board
}

#[rustfmt::skip]
const PAWN: HalfBoard = [
    [(   0,    0), (   0,    0), (   0,    0), (   0,    0)],
    [(  44,  182), (  84,  169), (  94,  145), (  82,  140)],
    [( -13,   89), (  16,   91), (  41,   69), (  48,   62)],
    [( -18,   24), (  15,   20), (   9,    8), (  22,    2)],
    [( -26,    6), (   4,    6), (   0,   -6), (  14,   -7)],
    [( -19,   -2), (  14,    3), (   0,   -6), (  -4,    0)],
    [( -28,    3), (  18,    5), (   2,    4), ( -19,   12)],
    [(   0,    0), (   0,    0), (   0,    0), (   0,    0)],
];

#[rustfmt::skip]
const KNIGHT: HalfBoard = [
    [(-137,  -78), ( -52,  -50), ( -66,  -20), (   6,  -30)],
    [( -45,  -38), ( -17,  -16), (  67,  -25), (  30,   -6)],
    [(  -2,  -32), (  66,  -20), (  83,    0), (  74,    4)],
    [(   6,  -18), (  18,    6), (  44,   16), (  45,   22)],
    [( -10,  -18), (  12,   -1), (  18,   16), (  20,   20)],
    [( -20,  -22), (   8,  -12), (  14,   -2), (  14,   12)],
    [( -24,  -43), ( -34,  -22), (   3,  -15), (  -2,   -4)],
    [( -64,  -46), ( -20,  -50), ( -43,  -20), ( -25,  -18)],
];

#[rustfmt::skip]
const BISHOP: HalfBoard = [
    [( -18,  -19), (   6,  -19), ( -62,  -10), ( -31,   -8)],
    [( -36,  -11), (  17,   -4), (  20,   -3), (   8,   -8)],
    [(  -9,    3), (  37,   -4), (  46,    3), (  38,   -2)],
    [(  -3,    0), (   6,    6), (  28,   11), (  44,   12)],
    [(  -1,   -8), (  12,    0), (  12,   12), (  30,   13)],
    [(   5,  -14), (  16,   -5), (  21,    6), (  14,   12)],
    [(   2,  -20), (  24,  -16), (  18,   -8), (   4,    2)],
    [( -27,  -20), ( -21,   -7), ( -13,  -20), ( -17,   -7)],
];

#[rustfmt::skip]
const ROOK: HalfBoard = [
    [(  38,    9), (  36,    9), (  20,   15), (  57,   14)],
    [(  36,    7), (  29,   10), (  62,    8), (  71,    4)],
    [(   6,    2), (  40,    1), (  36,    2), (  26,    4)],
    [( -22,    3), ( -10,    1), (  21,    7), (  25,    2)],
    [( -30,   -4), ( -10,   -2), ( -10,    1), (   4,    0)],
    [( -39,  -10), ( -15,   -4), (  -8,   -8), (  -7,   -4)],
    [( -58,   -4), ( -11,   -8), (  -4,   -4), (  -5,   -4)],
    [( -22,  -14), ( -25,    3), (   4,   -5), (  16,   -3)],
];

#[rustfmt::skip]
const QUEEN: HalfBoard = [
    [(   8,    6), (  22,   16), (  36,   20), (  36,   27)],
    [(  15,   -8), (  -6,   25), (  26,   28), (  -8,   50)],
    [(  22,   -6), (  15,   12), (  32,   22), (  18,   48)],
    [( -13,   20), ( -14,   40), (   0,   32), (  -8,   51)],
    [(  -6,    2), ( -12,   34), (  -6,   26), (  -6,   39)],
    [(  -4,   -6), (   8,   -8), (  -4,   16), (  -4,    8)],
    [( -17,  -27), (  -6,  -30), (  13,  -26), (   5,  -16)],
    [( -26,  -37), ( -24,  -24), ( -17,  -27), (  -2,  -24)],
];

#[rustfmt::skip]
const KING: HalfBoard = [
    [( -26,  -46), (  12,  -16), (  -9,   -2), ( -36,  -14)],
    [(   0,    0), ( -20,   20), ( -12,   26), (  -8,   17)],
    [( -16,   12), (  23,   30), (   4,   34), ( -18,   18)],
    [( -26,   -2), ( -17,   24), ( -18,   28), ( -28,   26)],
    [( -50,  -14), ( -17,    2), ( -36,   22), ( -42,   26)],
    [( -20,  -14), ( -14,    2), ( -26,   14), ( -45,   22)],
    [(   4,  -22), (   8,   -8), ( -12,    4), ( -54,   14)],
    [(   0,  -48), (  30,  -29), (  -8,  -18), ( -23,  -20)],
];
