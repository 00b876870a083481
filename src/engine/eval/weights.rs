//! The weights of the evaluation, in centipawns, in the order of [`GROUPS`](super::feature::GROUPS), in the form in
//! which `tune` writes them. They are by hand: `docs/tuning.md` says what came of fitting them.

use super::Score;
use super::feature::COUNT;

/// A weight for the middlegame and the endgame.
const fn s(mg: i32, eg: i32) -> Score {
    Score::new(mg, eg)
}

/// What each feature is worth for the side that has it.
#[rustfmt::skip]
pub static WEIGHTS: [Score; COUNT] = [
    // material: pawn to king
    s(  82,   94), s( 337,  281), s( 365,  297), s( 477,  512), s(1025,  936), s(   0,    0),
    // placement: pawn to king, first rank to eighth, files a to d
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s( -28,    3), s(  18,    5), s(   2,    4), s( -19,   12),
    s( -19,   -2), s(  14,    3), s(   0,   -6), s(  -4,    0),
    s( -26,    6), s(   4,    6), s(   0,   -6), s(  14,   -7),
    s( -18,   24), s(  15,   20), s(   9,    8), s(  22,    2),
    s( -13,   89), s(  16,   91), s(  41,   69), s(  48,   62),
    s(  44,  182), s(  84,  169), s(  94,  145), s(  82,  140),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s( -64,  -46), s( -20,  -50), s( -43,  -20), s( -25,  -18),
    s( -24,  -43), s( -34,  -22), s(   3,  -15), s(  -2,   -4),
    s( -20,  -22), s(   8,  -12), s(  14,   -2), s(  14,   12),
    s( -10,  -18), s(  12,   -1), s(  18,   16), s(  20,   20),
    s(   6,  -18), s(  18,    6), s(  44,   16), s(  45,   22),
    s(  -2,  -32), s(  66,  -20), s(  83,    0), s(  74,    4),
    s( -45,  -38), s( -17,  -16), s(  67,  -25), s(  30,   -6),
    s(-137,  -78), s( -52,  -50), s( -66,  -20), s(   6,  -30),
    s( -27,  -20), s( -21,   -7), s( -13,  -20), s( -17,   -7),
    s(   2,  -20), s(  24,  -16), s(  18,   -8), s(   4,    2),
    s(   5,  -14), s(  16,   -5), s(  21,    6), s(  14,   12),
    s(  -1,   -8), s(  12,    0), s(  12,   12), s(  30,   13),
    s(  -3,    0), s(   6,    6), s(  28,   11), s(  44,   12),
    s(  -9,    3), s(  37,   -4), s(  46,    3), s(  38,   -2),
    s( -36,  -11), s(  17,   -4), s(  20,   -3), s(   8,   -8),
    s( -18,  -19), s(   6,  -19), s( -62,  -10), s( -31,   -8),
    s( -22,  -14), s( -25,    3), s(   4,   -5), s(  16,   -3),
    s( -58,   -4), s( -11,   -8), s(  -4,   -4), s(  -5,   -4),
    s( -39,  -10), s( -15,   -4), s(  -8,   -8), s(  -7,   -4),
    s( -30,   -4), s( -10,   -2), s( -10,    1), s(   4,    0),
    s( -22,    3), s( -10,    1), s(  21,    7), s(  25,    2),
    s(   6,    2), s(  40,    1), s(  36,    2), s(  26,    4),
    s(  36,    7), s(  29,   10), s(  62,    8), s(  71,    4),
    s(  38,    9), s(  36,    9), s(  20,   15), s(  57,   14),
    s( -26,  -37), s( -24,  -24), s( -17,  -27), s(  -2,  -24),
    s( -17,  -27), s(  -6,  -30), s(  13,  -26), s(   5,  -16),
    s(  -4,   -6), s(   8,   -8), s(  -4,   16), s(  -4,    8),
    s(  -6,    2), s( -12,   34), s(  -6,   26), s(  -6,   39),
    s( -13,   20), s( -14,   40), s(   0,   32), s(  -8,   51),
    s(  22,   -6), s(  15,   12), s(  32,   22), s(  18,   48),
    s(  15,   -8), s(  -6,   25), s(  26,   28), s(  -8,   50),
    s(   8,    6), s(  22,   16), s(  36,   20), s(  36,   27),
    s(   0,  -48), s(  30,  -29), s(  -8,  -18), s( -23,  -20),
    s(   4,  -22), s(   8,   -8), s( -12,    4), s( -54,   14),
    s( -20,  -14), s( -14,    2), s( -26,   14), s( -45,   22),
    s( -50,  -14), s( -17,    2), s( -36,   22), s( -42,   26),
    s( -26,   -2), s( -17,   24), s( -18,   28), s( -28,   26),
    s( -16,   12), s(  23,   30), s(   4,   34), s( -18,   18),
    s(   0,    0), s( -20,   20), s( -12,   26), s(  -8,   17),
    s( -26,  -46), s(  12,  -16), s(  -9,   -2), s( -36,  -14),
    // doubled pawn
    s(  -8,  -18),
    // isolated pawn: opposed, on a half-open file
    s(  -8,  -14), s( -14,  -14),
    // backward pawn: opposed, on a half-open file
    s(  -6,  -10), s( -12,  -10),
    // pawn beside another, by rank
    s(   0,    0), s(   2,    0), s(   4,    2), s(   8,    6), s(  14,   14), s(  24,   24), s(  30,   30), s(   0,    0),
    // defended pawn, by rank
    s(   0,    0), s(   0,    0), s(   8,    4), s(   8,    6), s(  10,   10), s(  20,   20), s(  30,   30), s(   0,    0),
    // candidate passed pawn, by rank
    s(   0,    0), s(   0,    2), s(   0,    3), s(   2,    7), s(   6,   14), s(  13,   22), s(  18,   26), s(   0,    0),
    // passed pawn, by rank
    s(   0,    0), s(   0,    6), s(   2,   10), s(   6,   22), s(  18,   42), s(  40,   66), s(  55,   80), s(   0,    0),
    // defended passed pawn, by rank
    s(   0,    0), s(   0,    0), s(   0,    0), s(   3,    4), s(   6,    8), s(   9,   12), s(  12,   16), s(   0,    0),
    // passed pawn before an empty square, by rank
    s(   0,    0), s(   0,    0), s(   0,    0), s(   2,    3), s(   4,    6), s(   6,    9), s(   8,   12), s(   0,    0),
    // passed pawn before a safe empty square, by rank
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    3), s(   0,    6), s(   0,    9), s(   0,   12), s(   0,    0),
    // passed pawn with a safe way, by rank
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    6), s(   0,   12), s(   0,   18), s(   0,   24), s(   0,    0),
    // own king from the square before a passed pawn, by distance
    s(   0,    0), s(   0,   -2), s(   0,   -4), s(   0,   -6), s(   0,   -8), s(   0,  -10), s(   0,  -10), s(   0,  -10),
    // enemy king from the square before a passed pawn, by distance
    s(   0,    0), s(   0,    4), s(   0,    8), s(   0,   12), s(   0,   16), s(   0,   20), s(   0,   20), s(   0,   20),
    // rook behind a passed pawn: own, enemy
    s(   0,   10), s(   0,   -8),
    // unstoppable pawn
    s(   0,  250),
    // mobility of a knight, by squares
    s( -16,  -16), s( -12,  -12), s(  -8,   -8), s(  -4,   -4), s(   0,    0), s(   4,    4), s(   8,    8), s(  12,   12), s(  16,   16),
    // mobility of a bishop, by squares
    s( -24,  -24), s( -20,  -20), s( -16,  -16), s( -12,  -12), s(  -8,   -8), s(  -4,   -4), s(   0,    0),
    s(   4,    4), s(   8,    8), s(  12,   12), s(  16,   16), s(  20,   20), s(  24,   24), s(  28,   28),
    // mobility of a rook, by squares
    s( -14,  -28), s( -12,  -24), s( -10,  -20), s(  -8,  -16), s(  -6,  -12), s(  -4,   -8), s(  -2,   -4), s(   0,    0),
    s(   2,    4), s(   4,    8), s(   6,   12), s(   8,   16), s(  10,   20), s(  12,   24), s(  14,   28),
    // mobility of a queen, by squares
    s( -13,  -39), s( -12,  -36), s( -11,  -33), s( -10,  -30), s(  -9,  -27), s(  -8,  -24), s(  -7,  -21),
    s(  -6,  -18), s(  -5,  -15), s(  -4,  -12), s(  -3,   -9), s(  -2,   -6), s(  -1,   -3), s(   0,    0),
    s(   1,    3), s(   2,    6), s(   3,    9), s(   4,   12), s(   5,   15), s(   6,   18), s(   7,   21),
    s(   8,   24), s(   9,   27), s(  10,   30), s(  11,   33), s(  12,   36), s(  13,   39), s(  14,   42),
    // bishop pair
    s(  25,   45),
    // own pawn on the colour of a bishop
    s(  -2,   -4),
    // bishop on a long diagonal
    s(  12,    4),
    // trapped bishop
    s( -80,  -80),
    // outpost: knight, defended, bishop, defended
    s(   8,    4), s(  22,   14), s(   4,    2), s(  14,    8),
    // minor piece behind a pawn
    s(   4,    2),
    // rook on a file: half-open, open
    s(  12,    8), s(  28,   10),
    // rook on the seventh rank
    s(   8,   18),
    // trapped rook
    s( -36,   -8),
    // own pawns beyond five: knight, rook
    s(   2,    2), s(  -3,   -3),
    // attacked by a pawn: knight, bishop, rook, queen
    s(  45,   30), s(  45,   30), s(  45,   30), s(  45,   30),
    // attacked by a minor piece: pawn to queen
    s(   4,    8), s(  16,   14), s(  16,   14), s(  32,   24), s(  32,   24),
    // attacked by a rook: pawn to queen
    s(   2,    8), s(  12,   12), s(  12,   12), s(   8,    4), s(  30,   16),
    // attacked by the king: pawn, piece
    s(   6,   16), s(  12,   20),
    // hanging: pawn, piece
    s(   6,   14), s(  20,   22),
    // piece that a pawn's step would attack
    s(  16,   10),
    // restricted square
    s(   3,    3),
    // space
    s(   3,    0),
    // shelter: own file, then beside; files a to d, ranks to the pawn
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    s(   0,    0), s(   0,    0), s(  -6,    0), s( -12,    0), s( -18,    0), s( -20,    0), s( -22,    0), s( -24,    0),
    // storm: free, then blocked; files a to d, ranks to the pawn
    s(   0,    0), s(  -8,    0), s( -18,    0), s( -12,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -8,    0), s( -18,    0), s( -12,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -8,    0), s( -18,    0), s( -12,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -8,    0), s( -18,    0), s( -12,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  -8,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  -8,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  -8,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  -8,    0), s(  -4,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    // danger of the enemy king
    s( -30,  -10),
    // attacker: knight to queen
    s(  30,   10), s(  24,   10), s(  30,   10), s(  40,   20),
    // attack on the king's ring
    s(  10,    2),
    // weak square of the king's ring
    s(  26,    6),
    // safe check: knight to queen
    s(  75,   20), s(  40,   10), s(  75,   20), s(  60,   20),
    // unsafe check
    s(  12,    2),
    // attack without a queen
    s(-110,  -20),
    // knight that defends the ring
    s( -20,   -4),
    // file without shelter
    s(  24,    0),
    // wing of the king: attacked, attacked twice, defended
    s(   2,    0), s(   3,    0), s(  -3,    0),
    // pinned defender
    s(  24,    6),
    // lone king: driven, approached
    s(   0,   12), s(   0,    6),
    // tempo
    s(  16,   12),
];
