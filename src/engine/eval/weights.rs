//! The weights of the evaluation, in centipawns, in the order of [`GROUPS`](super::feature::GROUPS): made by `tune`, as
//! `docs/tuning.md` says.

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
    s(  17,   90), s( 304,  336), s( 345,  258), s( 411,  577), s(1024,  628), s(   0,    0),
    // placement: pawn to king, first rank to eighth, files a to d
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s( -11,   19), s(  -6,   28), s(  -9,   31), s(  -2,   23),
    s( -22,   16), s( -19,   20), s( -17,   16), s(  -2,   15),
    s(  -9,   19), s( -11,   16), s( -13,   27), s(   8,    2),
    s(   4,   25), s(  -3,   21), s(  -7,   16), s(  -1,   17),
    s(  22,   -3), s(  12,   20), s(  44,    9), s(  43,   25),
    s( 101,   73), s(  75,  119), s(  98,  129), s(  55,  165),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(  28,  -68), s( -22,  -12), s(  -9,  -10), s( -20,   26),
    s(  -4,  -20), s(   9,   -7), s(  10,  -29), s(  -2,  -13),
    s(   1,   -7), s(   4,  -15), s(  -6,   -5), s(   4,    8),
    s(  13,    3), s(  20,   15), s(  30,   11), s(  17,   20),
    s(  32,   29), s(  15,    4), s(  19,    5), s(  19,   16),
    s(  24,  -33), s(   0,   12), s(  26,   40), s(  22,   30),
    s( -27,   35), s( -34,    9), s(  14,  -18), s(   8,    3),
    s( -93,  -26), s(-172,   13), s( -25,    4), s(   1,  -10),
    s(   1,  -11), s(  19,  -42), s(  -9,    1), s(   4,    0),
    s(  26,  -28), s(  14,  -56), s(  18,  -22), s(  -3,  -10),
    s(  12,  -22), s(  37,  -21), s(   2,  -17), s(  10,    7),
    s(  24,    1), s(   9,   -5), s(  20,    8), s(  19,  -28),
    s(   1,  -19), s(  14,   16), s(  20,  -18), s(   2,  -21),
    s(   9,    8), s(   0,    8), s(  11,   -7), s(   9,  -17),
    s(  -7,    2), s( -25,  -24), s(   0,  -16), s( -11,  -21),
    s( -71,  -24), s( -90,   20), s(-116,   15), s(  39,  -17),
    s( -20,   -6), s(  -3,  -11), s( -14,    5), s( -12,   -3),
    s( -16,    6), s( -25,    5), s(  -4,    0), s(   6,  -13),
    s( -23,   13), s( -13,   28), s( -24,   25), s(  -6,    9),
    s(   0,   10), s( -15,   28), s(  10,   11), s( -18,    5),
    s( -13,   37), s(  21,   18), s(  26,   -3), s(  26,   -6),
    s( -13,   22), s(   1,   17), s(  71,  -17), s(  38,   -3),
    s(  31,    6), s(  46,    3), s(  54,   -8), s(  52,   -4),
    s( -14,   34), s(  -1,   51), s( -10,   34), s( -15,   41),
    s(  18,  -82), s(   0,  -73), s(  -7,  -67), s(  -3,  -70),
    s(  13,  -82), s(   5,  -51), s(   9,  -62), s(   7,  -50),
    s(  16,  -52), s(   9,  -32), s(  -3,    4), s(  -5,   12),
    s(   0,  -25), s(   2,  -12), s(  -6,   -9), s(  -1,    9),
    s(   7,  -13), s( -13,   12), s(  -5,    0), s( -28,   50),
    s(  -2,  -52), s( -31,   40), s( -11,   15), s( -37,   61),
    s( -37,   14), s( -16,   13), s(   5,    0), s( -14,  -10),
    s(   3,  -84), s( 113, -143), s( 118, -138), s(  50,  -86),
    s(  20,  -28), s(  30,  -25), s(  14,  -11), s( -22,  -29),
    s( -12,   -3), s( -10,   10), s( -44,    6), s( -56,    6),
    s( -22,    0), s(  13,   11), s( -16,   25), s( -98,   24),
    s( -21,  -13), s(  34,   22), s( -31,   33), s(-101,   40),
    s( -25,  -11), s(  41,   -6), s( -40,   21), s( -50,   39),
    s( -47,   -4), s(  62,    0), s(  28,    5), s( -48,   38),
    s(  13,  -62), s(  71,  -31), s( -58,   -4), s(-104,   14),
    s( -62,  -75), s(  95,  -64), s( -17,  -33), s(-106,  -27),
    // doubled pawn
    s( -15,  -23),
    // isolated pawn: opposed, on a half-open file
    s(  -2,   -2), s(  -7,   -9),
    // backward pawn: opposed, on a half-open file
    s(   2,   -3), s(  -6,  -12),
    // pawn beside another, by rank
    s(   0,    0), s(   1,   -4), s(   8,    6), s(   8,    4), s(  22,   28), s(  41,   58), s( 113,  197), s(   0,    0),
    // defended pawn, by rank
    s(   0,    0), s(   0,    0), s(  15,    7), s(   8,    0), s(  20,   14), s(  28,   50), s(  70,   49), s(   0,    0),
    // candidate passed pawn, by rank
    s(   0,    0), s(   9,   -9), s(   6,  -16), s(   2,   23), s(  -6,   29), s(  -5,  110), s(  18,   26), s(   0,    0),
    // passed pawn, by rank
    s(   0,    0), s(  -5,   30), s(  -8,   22), s(  -3,   44), s(  11,   79), s(  24,  120), s(  68,    9), s(   0,    0),
    // defended passed pawn, by rank
    s(   0,    0), s(   0,    0), s(  25,  -25), s(   9,  -14), s(  21,    1), s(  23,    0), s(  52,   35), s(   0,    0),
    // passed pawn before an empty square, by rank
    s(   0,    0), s(   8,  -45), s(  12,  -26), s(   6,   -6), s(   8,  -12), s(  -4,    6), s(  48,   23), s(   0,    0),
    // passed pawn before a safe empty square, by rank
    s(   0,    0), s(  -7,   23), s(   3,   25), s( -10,   25), s(   0,   26), s(  56,   14), s(   7,   85), s(   0,    0),
    // passed pawn with a safe way, by rank
    s(   0,    0), s( -32,   26), s(-116,   60), s( -66,   39), s(  -8,   42), s(  63,   89), s(   7,   97), s(   0,    0),
    // own king from the square before a passed pawn, by distance
    s( -28,   59), s( -74,   30), s( -14,   -2), s(  18,  -25), s(   2,  -29), s(   0,  -26), s(  -4,  -22), s( -15,  -19),
    // enemy king from the square before a passed pawn, by distance
    s( -53,   -8), s(  -5,   -4), s(   7,   -4), s(  -4,    7), s(   2,   22), s(  -6,   28), s(   3,   32), s(  11,   32),
    // rook behind a passed pawn: own, enemy
    s(  19,   18), s(   5,  -72),
    // unstoppable pawn
    s(-268,  181),
    // mobility of a knight, by squares
    s( -54, -125), s( -34,  -43), s( -19,  -12), s( -11,    3), s(  -7,   34), s(  -3,   48), s(   6,   43), s(  14,   51), s(  14,   41),
    // mobility of a bishop, by squares
    s( -38,  -98), s( -30,  -67), s( -12,  -53), s( -13,  -25), s(  -8,   -8), s(  -3,    3), s(  -5,    7),
    s(   0,    3), s(  -3,   12), s(  -6,   11), s(   6,  -10), s(  19,   -3), s(  55,  -35), s(  49,  -35),
    // mobility of a rook, by squares
    s(  10, -178), s( -18,  -44), s(  -6,  -25), s( -14,   -2), s(  -6,    8), s( -11,   12), s( -10,   23), s(  -6,   22),
    s(  -6,   24), s(  -3,   31), s(  -5,   40), s(  -4,   41), s(   1,   38), s(   2,   43), s(  26,   26),
    // mobility of a queen, by squares
    s(  55,  -36), s( -22,  -98), s( -17,   64), s( -10, -134), s( -14,  -42), s( -10,  -59), s( -13,   16),
    s( -12,   30), s(  -6,   24), s(  -8,   29), s(  -5,   38), s(  -4,   25), s(  -2,   37), s(  -1,   37),
    s(  -1,   36), s(   3,   26), s(   1,   14), s( -11,   24), s(  32,   12), s(  -5,   19), s(  38,   -3),
    s( 153, -126), s( 121,  -71), s( 161, -127), s( -10,   -8), s( 141, -132), s( -11,  -44), s( -20, -112),
    // bishop pair
    s(  16,   73),
    // own pawn on the colour of a bishop
    s(  -6,   -2),
    // bishop on a long diagonal
    s(  12,   29),
    // trapped bishop
    s(-143,  -56),
    // outpost: knight, defended, bishop, defended
    s(  -2,  -16), s(  18,   -3), s(   2,   -9), s(  36,   -5),
    // minor piece behind a pawn
    s(   4,   24),
    // rook on a file: half-open, open
    s(  14,   -1), s(  29,    4),
    // rook on the seventh rank
    s( -58,   29),
    // trapped rook
    s( -34,   12),
    // own pawns beyond five: knight, rook
    s(  11,   31), s(   7,   44),
    // attacked by a pawn: knight, bishop, rook, queen
    s(  66,   43), s(  65,   88), s(  82,   42), s(  79,   -6),
    // attacked by a minor piece: pawn to queen
    s(   4,   14), s(  20,   49), s(  42,   32), s(  58,   31), s(  57,   52),
    // attacked by a rook: pawn to queen
    s(   2,    9), s(  42,   20), s(  42,   26), s(  25,   13), s(  76,   16),
    // attacked by the king: pawn, piece
    s( -52,   38), s(  32,   11),
    // hanging: pawn, piece
    s(  10,   30), s(   6,   21),
    // piece that a pawn's step would attack
    s(  18,   31),
    // restricted square
    s(   3,   -1),
    // space
    s(   5,   -7),
    // shelter: own file, then beside; files a to d, ranks to the pawn
    s(   0,    0), s(  24,  -15), s(  22,  -19), s( -24,   -4), s( -46,   21), s(-102,   25), s(  -3,   38), s( -69,   15),
    s(   0,    0), s(  19,  -10), s(  -2,  -19), s( -30,   -4), s( -35,   28), s( -25,  -10), s(  21,   43), s( -62,   10),
    s(   0,    0), s(  10,    2), s( -27,   10), s(  -8,    4), s( -12,    3), s( -23,  -22), s( -59, -119), s( -36,    5),
    s(   0,    0), s(  -3,   18), s(   0,   -2), s( -16,   16), s( -21,   -5), s(-108,    1), s(  -1,   -1), s( -22,   -3),
    s(  13,  -21), s(  11,   -6), s(  -3,   -5), s( -15,   -3), s( -51,   20), s( -55,    4), s(  68,   83), s( -49,   13),
    s(  13,    5), s(   0,  -12), s( -19,   -9), s( -19,   -7), s(  -5,   15), s(  67,  -30), s( -14,   -4), s( -62,   13),
    s(  16,    9), s(  -1,    4), s( -22,    9), s( -24,   12), s(  30,  -55), s(  58,  -55), s(  38,  -89), s( -30,    6),
    s(  32,    4), s(  -5,   14), s( -16,    9), s( -19,    9), s( -20,  -25), s( -57,  -19), s( -13,  -41), s( -17,    1),
    // storm: free, then blocked; files a to d, ranks to the pawn
    s( -80,   32), s(  11,  -13), s( -99,   23), s( -27,    8), s( -13,    4), s(  -4,  -10), s(   3,   -8), s( -20,   -1),
    s( -15,   26), s( -20,   -2), s( -79,    2), s( -17,   -6), s(  -3,   12), s(   6,   -9), s(   5,   -7), s( -16,    9),
    s(  81,    0), s(   3,    4), s( -42,    9), s( -19,    8), s(  -6,   11), s(   8,   -4), s(   3,    0), s(   0,    0),
    s(  24,   22), s( -18,   14), s( -49,   19), s( -19,    4), s(  -3,    1), s(   1,   -1), s( -10,   -6), s(  -8,   10),
    s(   0,    0), s(  -2,    0), s(  -7,  -13), s(  25,  -24), s(  28,   -6), s(  38,  -24), s(  90,   41), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -49,   30), s(  11,  -14), s(  14,  -11), s(  10,  -22), s(  36,  -52), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -33,   -9), s(  41,  -31), s(  14,  -21), s(  -7,   -4), s( -57,    9), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  12,  -32), s(  -7,  -16), s(   7,    5), s(  12,  -50), s(  10,  -69), s(   0,    0),
    // danger of the enemy king
    s(  55,   31),
    // attacker: knight to queen
    s(  49,  195), s(  40,  103), s(  40, -167), s(  -7,   61),
    // attack on the king's ring
    s(   4,   12),
    // weak square of the king's ring
    s(  30,  -13),
    // safe check: knight to queen
    s(  89,   62), s(  52,  238), s( 102,  178), s(  71,  291),
    // unsafe check
    s(  12,   58),
    // attack without a queen
    s(-120, -111),
    // knight that defends the ring
    s( -13,   42),
    // file without shelter
    s(  10, -217),
    // wing of the king: attacked, attacked twice, defended
    s(   7,  -12), s(  15,  -62), s(  -8,   28),
    // pinned defender
    s(  47,  244),
    // lone king: driven, approached
    s(   0,   12), s(   0,    6),
    // tempo
    s(  16,   12),
    // own pieces with each other: pawn to queen
    s(   2,    6), s(  -4,    2), s(  -8,   -8), s(   5,   33), s(  -6,  -46),
    s(  -8,  -24), s(  -9,   11), s(  10,  -39), s(   5,  -46), s(  22,  -47),
    s(   1,   56), s(  -4,  -53), s( -20,  -78), s(   9, -123), s( -58, -166),
    // pieces against lesser enemy ones: knight to queen
    s(   5,   40), s(   2,   41), s(   5,  -18), s(  -4,   60), s( -19,   -4),
    s( -12,   10), s( -11,  124), s( -10,   44), s(  -9,   67), s( -76,  124),
    // knight, by how closed the position is
    s( -12,    5), s(  -7,  -16), s(   5,  -22), s(  -4,  -11), s(  -9,    3), s(   2,   -3), s(  -5,   18), s(  -6,  -14), s(   9,   16),
    // rook, by how closed the position is
    s(  18,   25), s( -17,    4), s( -19,    7), s(  -9,  -29), s(  -2,  -36), s(  -1,  -32), s( -19,  -54), s( -38,  -67), s(  39, -125),
    // steps from the own king: knight, bishop
    s(  -5,   -8), s(  -3,    0),
    // right to castle: short, long
    s(  35,  -57), s(  11,   -8),
];
