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
    s(  28,   97), s( 309,  340), s( 358,  324), s( 421,  592), s(1095,  797), s(   0,    0),
    // placement: pawn to king, first rank to eighth, files a to d
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(  -9,   27), s(  -7,   30), s(  -4,   26), s(  -6,   14),
    s( -18,   11), s( -21,   19), s( -16,   20), s(  -5,    7),
    s( -10,   12), s( -10,   15), s(  -8,   26), s(  14,    3),
    s(  -1,   22), s(  -5,   21), s(   0,   22), s(   8,   21),
    s(  10,    9), s(  17,   29), s(  53,   17), s(  44,   27),
    s(  86,  107), s(  63,  131), s(  83,  140), s(  64,  164),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(  26,  -56), s( -16,  -10), s(  -3,  -11), s( -18,   44),
    s(   1,  -23), s(  10,    7), s(  12,   -9), s(   2,   14),
    s(  -6,   -7), s(   6,   -1), s(   0,   15), s(   4,   28),
    s(  11,   -4), s(  19,   10), s(  26,   24), s(  20,   28),
    s(  20,   20), s(   8,   -6), s(  21,    3), s(  15,   16),
    s(   2,  -60), s(   2,   -2), s(  28,   16), s(  28,   13),
    s( -37,   14), s( -34,   -2), s(  14,  -39), s(  19,  -23),
    s(-111,  -30), s(-134,  -39), s( -62,    9), s( -23,  -35),
    s(  -2,    1), s(  15,  -32), s(   0,   23), s(   5,   10),
    s(  20,  -17), s(  19,  -30), s(  18,    2), s(   3,   14),
    s(  11,    0), s(  26,    5), s(   5,    2), s(  13,   28),
    s(  22,   -2), s(   9,   12), s(  20,   28), s(  25,  -16),
    s(  -4,    8), s(  13,   29), s(  10,    8), s(  -1,   -9),
    s(   2,   21), s(   0,   13), s(  14,   -1), s(  21,   -6),
    s( -10,   29), s( -31,  -11), s( -12,   -6), s(  -3,  -20),
    s( -75,   -3), s( -85,   21), s(-106,   23), s(  11,   -4),
    s( -12,   12), s(  -7,   13), s(  -9,   17), s( -10,    7),
    s( -18,    8), s( -26,    2), s(  -5,    9), s(   8,  -11),
    s( -24,   22), s( -11,   27), s( -27,   22), s(   2,    4),
    s(   3,    6), s( -27,   30), s(  15,    7), s( -16,    0),
    s(  -6,   28), s(  20,   16), s(  16,    0), s(  17,  -13),
    s( -18,   11), s(  26,    2), s(  64,  -16), s(  44,  -11),
    s(  24,    9), s(  20,   14), s(  41,   -8), s(  37,   -8),
    s(   1,   26), s(   7,   37), s( -29,   41), s(  -5,   24),
    s(  32, -101), s(  14, -125), s(   2,  -80), s(   6,  -35),
    s(  24,  -89), s(   8,   -3), s(   9,  -33), s(  12,  -30),
    s(  11,  -18), s(  11,    3), s(  -5,   36), s(  -3,   33),
    s(   4,    1), s(  -1,   38), s(  -6,   24), s(   1,   44),
    s(  -3,   23), s( -14,   44), s( -17,   50), s( -28,   76),
    s(  -9,   -5), s( -33,   76), s( -23,   51), s( -50,  104),
    s( -40,   61), s( -12,   45), s(  -8,   45), s( -25,   25),
    s(  41, -143), s( 103, -216), s( 106, -173), s(  51,  -49),
    s(  12,  -19), s(  26,  -14), s(  15,   -9), s(  -9,  -30),
    s( -15,    8), s(  -5,    5), s( -34,    5), s( -59,    7),
    s( -16,   -3), s(  23,    1), s( -14,   21), s( -72,   18),
    s( -20,  -18), s(  20,   24), s( -33,   33), s(-105,   39),
    s( -37,  -11), s( -38,   10), s( -58,   34), s( -30,   43),
    s( -65,  -26), s(  10,   24), s( -17,   14), s( -59,   54),
    s(  -6,  -90), s(  30,  -35), s( -48,   -3), s( -97,   17),
    s( -39,  -96), s(  48, -102), s( -26,  -39), s( -93,  -94),
    // doubled pawn
    s( -13,  -24),
    // isolated pawn: opposed, on a half-open file
    s(  -1,    2), s( -11,   -2),
    // backward pawn: opposed, on a half-open file
    s(   1,    0), s(  -6,  -10),
    // pawn beside another, by rank
    s(   0,    0), s(   4,   -7), s(   9,    7), s(   8,    5), s(  17,   30), s(  48,   67), s(  87,  132), s(   0,    0),
    // defended pawn, by rank
    s(   0,    0), s(   0,    0), s(  18,    3), s(   9,   -2), s(  18,   17), s(  35,   38), s(  65,   40), s(   0,    0),
    // candidate passed pawn, by rank
    s(   0,    0), s(   7,  -13), s(   5,  -11), s(   8,   18), s(  -2,   18), s(   9,   70), s(  18,   26), s(   0,    0),
    // passed pawn, by rank
    s(   0,    0), s(  -7,   10), s( -19,   18), s(  -5,   39), s(   6,   74), s(  36,  104), s(  55,   38), s(   0,    0),
    // defended passed pawn, by rank
    s(   0,    0), s(   0,    0), s(  23,  -13), s(  24,  -13), s(  26,   -4), s(   8,   21), s(  47,   26), s(   0,    0),
    // passed pawn before an empty square, by rank
    s(   0,    0), s( -12,  -33), s(   6,  -27), s( -14,  -11), s(   5,   -9), s( -18,   13), s(  24,   28), s(   0,    0),
    // passed pawn before a safe empty square, by rank
    s(   0,    0), s(   3,   21), s(  10,   23), s(  -1,   31), s(  -1,   32), s(  38,   37), s( -17,   71), s(   0,    0),
    // passed pawn with a safe way, by rank
    s(   0,    0), s( -26,   33), s(-122,   70), s( -92,   44), s( -37,   45), s(  36,   77), s( -17,   83), s(   0,    0),
    // own king from the square before a passed pawn, by distance
    s( -19,   63), s( -97,   38), s( -23,    4), s(   3,  -21), s(   2,  -28), s(  -1,  -25), s(  -3,  -24), s( -10,  -24),
    // enemy king from the square before a passed pawn, by distance
    s( -46,  -11), s(  -4,   -5), s(   7,   -1), s(   0,   11), s(  -1,   26), s(  -7,   31), s(  -2,   32), s(  15,   30),
    // rook behind a passed pawn: own, enemy
    s(  29,    7), s(   3,  -73),
    // unstoppable pawn
    s(-175,  147),
    // mobility of a knight, by squares
    s( -55,  -65), s( -28,  -26), s( -16,    4), s(  -6,    7), s(  -5,   40), s(  -3,   46), s(   5,   38), s(  16,   43), s(  14,   34),
    // mobility of a bishop, by squares
    s( -33,  -64), s( -22,  -40), s( -10,  -21), s(  -9,    7), s(  -4,   19), s(  -2,   26), s(  -4,   31),
    s(   6,   18), s(  -4,   36), s(  -2,   27), s(   2,   15), s(   9,   19), s(  19,    4), s(  19,  -11),
    // mobility of a rook, by squares
    s( -11, -115), s( -18,  -35), s(  -7,  -23), s( -14,    1), s(  -8,   17), s( -11,   21), s( -11,   28), s(  -8,   28),
    s(  -4,   25), s(  -1,   29), s(  -1,   41), s(  -1,   41), s(   4,   40), s(   0,   47), s(  59,    2),
    // mobility of a queen, by squares
    s(  27,  -37), s( -21,  -53), s(   0,   29), s(   1,  -89), s(  -4,    1), s(   0,  -11), s(  -5,   40),
    s(  -5,   69), s(   0,   67), s(  -4,   78), s(   1,   77), s(  -3,   76), s(  -3,   77), s(  -4,   95),
    s(  -3,   82), s(   4,   74), s(   2,   42), s(  -6,   46), s(  24,   60), s(  14,   11), s(  37,   28),
    s(  59, -271), s(  72,  -46), s(  60, -186), s( -17,    0), s(  51, -104), s(  -5,  -30), s( -21,  -57),
    // bishop pair
    s(  22,   49),
    // own pawn on the colour of a bishop
    s(  -5,    7),
    // bishop on a long diagonal
    s(  13,   25),
    // trapped bishop
    s(-138,  -52),
    // outpost: knight, defended, bishop, defended
    s(  -1,  -14), s(  18,   -1), s(  -1,  -10), s(  28,   -8),
    // minor piece behind a pawn
    s(   3,   27),
    // rook on a file: half-open, open
    s(  12,    2), s(  26,    1),
    // rook on the seventh rank
    s( -47,   33),
    // trapped rook
    s( -48,   30),
    // own pawns beyond five: knight, rook
    s(  12,   15), s(   9,   14),
    // attacked by a pawn: knight, bishop, rook, queen
    s(  35,   -1), s(  36,   36), s(  49,   -6), s(  50,  -19),
    // attacked by a minor piece: pawn to queen
    s(   2,   10), s(  21,   49), s(  37,   27), s(  36,   -1), s(  29,   17),
    // attacked by a rook: pawn to queen
    s(   1,    4), s(  38,   15), s(  36,   22), s(  15,   10), s(  51,  -37),
    // attacked by the king: pawn, piece
    s( -24,   31), s(  26,    8),
    // hanging: pawn, piece
    s( -26,   10), s( -15,  -16),
    // piece that a pawn's step would attack
    s(  16,   30),
    // restricted square
    s(   5,   -7),
    // space
    s(   4,  -14),
    // shelter: own file, then beside; files a to d, ranks to the pawn
    s(   0,    0), s(  13,   -9), s(  11,   -5), s( -29,   -2), s( -23,   17), s( -79,   18), s( -50,  -10), s( -62,   -1),
    s(   0,    0), s(  14,   -3), s(  -2,   -9), s( -32,    8), s( -36,   33), s( -26,  -35), s(  18,   31), s( -65,    3),
    s(   0,    0), s(  10,    7), s( -24,    4), s(   0,   15), s( -12,   -1), s( -54,  -37), s( -31,  -68), s( -38,    2),
    s(   0,    0), s(   1,   26), s(   5,   -8), s(  -7,    0), s( -16,  -14), s( -86,    0), s(   0,   19), s( -20,   -7),
    s(   9,  -20), s(   4,   -2), s(  -9,   -2), s( -18,    1), s( -28,   15), s( -18,   31), s(  29,   54), s( -42,    9),
    s(   8,    6), s(  -1,   -9), s( -16,   -8), s( -18,    3), s( -14,    8), s(  18,  -28), s(  -2,   -7), s( -64,    9),
    s(  11,   13), s(   1,    2), s( -19,    2), s( -16,    7), s(  27,  -42), s(  22,  -30), s(  17,  -74), s( -28,    4),
    s(  38,   -3), s(  -1,   15), s(  -5,    5), s( -14,    5), s( -18,  -25), s( -53,  -18), s(  -3,  -23), s( -13,    1),
    // storm: free, then blocked; files a to d, ranks to the pawn
    s( -55,   29), s(   6,   -6), s( -84,   17), s( -30,   12), s( -14,    2), s(  -5,   -9), s(  -1,   -8), s( -15,   -5),
    s(   9,   12), s( -12,  -24), s( -62,  -16), s( -15,   -4), s( -11,   22), s(  -4,    6), s(   0,    5), s( -10,    6),
    s(  55,    1), s( -18,  -13), s( -18,    0), s( -13,    2), s(  -2,   15), s(   7,    0), s(   1,    1), s(   1,    3),
    s(  -9,   14), s(  -1,  -10), s( -37,    2), s(  -5,   -3), s(   4,   -5), s(   8,    1), s(  -3,    3), s(  -3,   12),
    s(   0,    0), s(  -2,    0), s(  -6,  -15), s(  14,  -17), s(  16,   -1), s(   8,  -11), s(  59,   38), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -33,   20), s(  -2,   -7), s(  22,  -12), s(  14,   -7), s(  37,  -49), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -35,    1), s(  34,   -9), s(  14,  -21), s(  -4,    0), s( -34,  -12), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  -4,  -38), s(  -3,  -19), s(  13,    2), s(  16,  -43), s(  -2,  -34), s(   0,    0),
    // danger of the enemy king
    s(  17,   16),
    // attacker: knight to queen
    s(  57,  103), s(  44,  -11), s(  44,  -84), s(  -5,   76),
    // attack on the king's ring
    s(   4,   -8),
    // weak square of the king's ring
    s(  29,  -11),
    // safe check: knight to queen
    s(  75,   54), s(  41,  111), s(  93,  113), s(  65,   94),
    // unsafe check
    s(  12,   64),
    // attack without a queen
    s(-113, -128),
    // knight that defends the ring
    s( -30,    1),
    // file without shelter
    s(   7, -180),
    // wing of the king: attacked, attacked twice, defended
    s(   6,   -1), s(  12,  -21), s(  -5,   45),
    // pinned defender
    s(  41,  160),
    // lone king: driven, approached
    s(   0,   12), s(   0,    6),
    // tempo
    s(  16,   12),
];
