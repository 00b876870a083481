//! The weights of the evaluation in centipawns, in the order of [`GROUPS`](super::feature::GROUPS). They are
//! fitted to games: see `docs/tuning.md`.

use super::PhasedScore;
use super::feature::COUNT;

/// A weight: middlegame, endgame.
const fn s(mg: i32, eg: i32) -> PhasedScore {
    PhasedScore::new(mg, eg)
}

#[rustfmt::skip]
pub static WEIGHTS: [PhasedScore; COUNT] = [
    // material: pawn to king
    s(  29,   54), s( 300,  320), s( 341,  250), s( 413,  556), s(1038,  680), s(   0,    0),
    // placement: pawn to king, first rank to eighth, files a to d
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s( -18,    6), s(  -5,   -1), s( -11,    7), s(  -9,    2),
    s( -19,    1), s(  -5,   -7), s(  -5,    1), s(  -7,    0),
    s(  -8,    1), s(  -4,   10), s(   4,   -6), s(  10,   -6),
    s(   5,   10), s(   6,   12), s(   5,   11), s(  15,    1),
    s(   7,   36), s(   3,   47), s(  17,   38), s(  19,   35),
    s( 106,  124), s(  33,  127), s(  64,  140), s(  89,  143),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s( -16,  -38), s( -11,  -15), s( -17,   -2), s(   3,   -5),
    s( -17,   -8), s(   2,  -32), s( -12,   -3), s(  -2,  -19),
    s( -11,    1), s(  -2,  -15), s(  10,  -19), s(   5,    0),
    s(   5,    7), s(   9,    2), s(  19,   -5), s(   6,   17),
    s(  20,    6), s(  12,    9), s(  14,   10), s(  13,   18),
    s(  14,  -10), s(   4,   -3), s(   8,   12), s(   6,    3),
    s(   1,  -24), s( -23,   -3), s(  12,  -11), s(   0,   -9),
    s(-104,  -14), s( -74,   20), s( -24,   20), s(   8,   20),
    s(  19,  -49), s(  29,  -30), s(  -9,  -17), s(   2,  -11),
    s(  25,  -43), s(  17,  -49), s(  20,  -24), s(   4,   -6),
    s(  10,  -15), s(  14,  -12), s(  13,  -21), s(  14,    0),
    s(   4,  -29), s(  11,  -16), s(   9,    1), s(  12,  -25),
    s( -10,  -28), s(   4,   -1), s(  19,  -13), s( -14,   -6),
    s( -10,  -22), s(   1,    4), s( -14,  -18), s(   5,    2),
    s( -13,    6), s( -13,   -7), s(   1,    6), s( -17,    9),
    s( -32,  -26), s(  -9,   -1), s( -24,   -9), s(  15,   -6),
    s( -16,   -1), s( -12,   -1), s(  -9,    0), s(   1,   -7),
    s( -14,   -3), s(  -4,   -4), s(  -6,   -1), s( -16,   11),
    s(  -7,    7), s(  -7,   -2), s( -11,   14), s( -13,   13),
    s( -28,   25), s(  -5,   22), s( -25,   32), s(  -9,   13),
    s(   3,   19), s(  -7,   14), s(   0,   21), s(   6,    8),
    s(  -8,   12), s(  37,    7), s(  22,    6), s(  22,    2),
    s(  54,  -12), s(  31,   -3), s(  36,   -8), s(  35,  -21),
    s(   5,   26), s(  56,    2), s(  13,   17), s(   4,   12),
    s( -16,  -22), s( -15,  -29), s(   0,  -48), s(   2,  -58),
    s(   2,  -37), s(   4,  -37), s(  14,  -60), s(   5,  -37),
    s(  -6,  -40), s(   5,  -20), s(   4,   -4), s(  -4,    3),
    s(   9,  -29), s(   9,  -43), s(  -2,    4), s(  -8,    2),
    s(  12,  -41), s(  -8,  -14), s(   5,  -29), s( -11,    3),
    s(  12,  -25), s( -16,   17), s(  -9,    0), s(   0,   -7),
    s(  -8,  -11), s( -19,   12), s(  -3,  -22), s(  22,  -47),
    s( -15,   -1), s(  -8,  -29), s(  76,  -72), s(  48,  -54),
    s(  29,  -29), s(  38,  -20), s(  20,  -12), s( -22,   -4),
    s(   7,   -7), s( -12,   -2), s( -29,    2), s( -60,    3),
    s( -30,  -10), s( -38,    0), s( -44,    1), s( -85,   14),
    s( -41,   -5), s( -39,   -3), s(-104,   16), s(-100,   18),
    s( -19,    0), s(  -1,    6), s( -57,   15), s( -77,   14),
    s( -57,    5), s(   1,   18), s( -13,   42), s( -76,   30),
    s(  56,  -27), s( 105,    6), s( -19,   44), s(-107,   37),
    s( -63,  -94), s( 106,  -28), s(   7,   -9), s( -57,   13),
    // doubled pawn
    s(  -2,  -23),
    // isolated pawn: opposed, on a half-open file
    s(  -1,   -9), s(  -4,  -22),
    // backward pawn: opposed, on a half-open file
    s(  -3,    1), s( -12,   -5),
    // phalanx, by rank
    s(   0,    0), s(   3,   -2), s(   0,   10), s(  10,   17), s(  41,   32), s(  82,   29), s( 122,  123), s(   0,    0),
    // defended pawn, by rank
    s(   0,    0), s(   0,    0), s(  10,   13), s(   8,    7), s(  18,    6), s(  28,   43), s( 132,   11), s(   0,    0),
    // candidate passed pawn, by rank
    s(   0,    0), s(   5,   -9), s(   3,   -6), s(   2,   -1), s(   5,   17), s(   4,   99), s(  18,   26), s(   0,    0),
    // passed pawn, by rank
    s(   0,    0), s( -16,   -3), s( -13,   11), s(  -4,   36), s(   9,   71), s(  34,   86), s(  50,   36), s(   0,    0),
    // defended passed pawn, by rank
    s(   0,    0), s(   0,    0), s(  13,  -10), s(   8,   -1), s(  26,   16), s(  55,   -2), s( 114,   -3), s(   0,    0),
    // passed pawn before an empty square, by rank
    s(   0,    0), s(  19,   -6), s(   1,   -6), s(   7,    1), s(  11,   -7), s(   3,   22), s(   6,   62), s(   0,    0),
    // passed pawn before a safe empty square, by rank
    s(   0,    0), s(   0,    9), s(   4,    9), s(  13,    3), s(   4,   20), s(  26,   22), s(  20,   59), s(   0,    0),
    // passed pawn with a safe way, by rank
    s(   0,    0), s(   9,   -5), s( -28,    6), s( -26,   17), s( -44,   47), s(  12,   80), s(  20,   71), s(   0,    0),
    // own king from the square before a passed pawn, by distance
    s( -71,   18), s( -65,    8), s( -12,   -5), s( -11,  -13), s(  -7,  -21), s(  -3,  -22), s(   1,  -25), s(  -4,  -19),
    // enemy king from the square before a passed pawn, by distance
    s( -37,   -3), s( -22,   -7), s(   3,   -8), s(   1,    8), s(  -3,   18), s(  -1,   22), s(   2,   21), s(   8,   10),
    // rook behind a passed pawn: own, enemy
    s(  11,   22), s(  21,  -67),
    // unstoppable pawn
    s(-463,  120),
    // mobility of a knight, by squares
    s( -51,  -65), s( -28,  -39), s( -17,  -11), s( -10,    7), s(  -6,   15), s(  -2,   30), s(   1,   37), s(   0,   37), s(   4,   28),
    // mobility of a bishop, by squares
    s( -34,  -85), s( -25,  -52), s( -16,  -32), s( -12,  -21), s(  -6,  -18), s(  -7,  -11), s(  -2,   -7),
    s(  -3,   -4), s(  -4,   -3), s(   0,   -9), s(  -3,    3), s(   5,  -16), s( -16,   10), s( -10,  -10),
    // mobility of a rook, by squares
    s( -56, -140), s( -21,  -62), s(  -9,  -26), s( -10,   -9), s(  -8,   -4), s( -10,   12), s(  -9,   11), s(  -5,   13),
    s(  -4,   25), s(  -1,   24), s(   3,   24), s(   4,   30), s(   4,   36), s(   8,   41), s(   8,   37),
    // mobility of a queen, by squares
    s(  55,  -36), s(  -5, -111), s( -18,  -16), s(  -8, -113), s(  -9,  -86), s( -10,  -14), s(  -7,  -18),
    s(  -6,  -19), s(  -5,  -10), s(  -3,    8), s(  -2,   11), s(   1,   24), s(  -1,   22), s(   0,   23),
    s(   0,   21), s(   1,   25), s(   1,   26), s(   0,   15), s(  -9,   20), s(   7,   20), s(  14,    0),
    s(  27,  -20), s(  40,   -3), s(  89,  -45), s(  -7,    6), s( 118,  -73), s(   1,  -12), s(  -4,  -54),
    // bishop pair
    s(  17,   87),
    // own pawn on the colour of a bishop
    s(  -1,   -1),
    // bishop on a long diagonal
    s(  12,   17),
    // trapped bishop
    s(-129,  -46),
    // outpost: knight, defended knight, bishop, defended bishop
    s(  22,  -13), s(  31,    4), s(  21,   -3), s(  38,    6),
    // minor piece behind a pawn
    s(   2,   11),
    // rook on a file: half-open, open
    s(  10,   -4), s(  18,    5),
    // rook on the seventh rank
    s( -24,   32),
    // trapped rook
    s( -22,   -6),
    // own pawns minus five: knight, rook
    s(   6,   22), s(   2,   25),
    // attacked by a pawn: knight, bishop, rook, queen
    s(  44,   43), s(  44,   49), s(  58,   28), s(  64,  -18),
    // attacked by a minor piece: pawn to queen
    s(   4,   14), s(  19,   44), s(  39,   42), s(  29,   28), s(  48,   30),
    // attacked by a rook: pawn to queen
    s(   6,   17), s(  27,   22), s(  35,   35), s( -12,   45), s(  61,   56),
    // attacked by the king: pawn, piece
    s(  -1,   14), s(  10,   40),
    // hanging: pawn, piece
    s(  15,   16), s(   4,  -15),
    // piece threatened by a pawn push
    s(  12,   22),
    // restricted square
    s(   2,    1),
    // space
    s(   1,   -4),
    // shelter: king's file, file beside; files a to d, ranks to the pawn
    s(   0,    0), s(  15,  -30), s(   2,   -5), s(  -8,    8), s( -36,   27), s( -20,   27), s( -12,  -30), s( -22,   20),
    s(   0,    0), s(   1,   -6), s(  -4,   -3), s( -13,  -17), s( -17,  -15), s(   0,   16), s(  -3,   21), s( -39,    5),
    s(   0,    0), s(   4,   -8), s(  -7,   -1), s( -26,  -14), s( -19,  -15), s(  49,  -42), s( -29,   -5), s( -51,    7),
    s(   0,    0), s(  -7,   13), s(  -3,    5), s(  -9,    6), s( -22,    0), s( -94,   25), s( -86,  -49), s( -16,   -3),
    s(  -6,  -19), s(  -4,  -15), s(  -4,   -7), s( -15,   19), s( -32,   21), s( -61,   36), s( -43,  -46), s( -27,   21),
    s(  11,   -6), s(   3,  -10), s( -14,    2), s( -28,    4), s( -18,    6), s(  -2,    5), s( -70,  -42), s( -24,   13),
    s(  32,   -6), s(  11,  -12), s( -17,    5), s( -14,   -5), s( -24,    0), s( -21,   -4), s( -38,   29), s( -27,    8),
    s(   9,    6), s(  -7,    0), s( -13,   -3), s( -14,   -1), s( -27,  -11), s( -48,    2), s( -26,  -22), s( -21,    2),
    // storm: unblocked, blocked; files a to d, ranks to the pawn
    s( -42,    6), s(   0,   -5), s( -35,  -11), s( -29,    6), s(  -3,    5), s(  -5,    8), s( -10,   18), s(   9,    4),
    s(  35,    6), s(  -1,   -1), s( -22,    2), s(  -1,    0), s(  -3,   -2), s(  -4,    9), s(  -7,   13), s(   4,    3),
    s(   0,    5), s( -45,   -1), s( -34,   -4), s( -11,   -3), s(  -9,   -4), s(  -3,    2), s(   0,   -3), s(   4,    2),
    s(  20,   -1), s( -71,   45), s( -59,    9), s( -15,    3), s(  -8,    2), s(  -3,   -2), s(  -3,    6), s(  -6,    1),
    s(   0,    0), s(  -2,    0), s(  12,  -18), s(  16,  -10), s(   5,   -9), s(  12,    3), s(  52,  -37), s(   0,    0),
    s(   0,    0), s(  -2,    0), s(  11,  -16), s(  12,   -3), s(  -6,   16), s( -18,    1), s( -30,    3), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -21,  -17), s(   7,  -12), s(  -7,   -4), s( -10,  -12), s(   0,   11), s(   0,    0),
    s(   0,    0), s(  -2,    0), s( -12,  -21), s(  -6,   -2), s(   4,   -8), s(  11,  -12), s(  45,  -17), s(   0,    0),
    // king danger
    s(  71,   33),
    // attacker: knight to queen
    s(  54,  196), s(  28,  143), s(  16,  -88), s(  -3,   12),
    // attack on the king ring
    s(   3,    3),
    // weak square of the king ring
    s(  18,  -10),
    // safe check: knight to queen
    s(  90,   64), s(  72,  328), s( 114,  241), s(  65,  380),
    // unsafe check
    s(  12,   53),
    // attack without a queen
    s(-165,  -93),
    // knight that defends the king ring
    s( -13,   69),
    // file without shelter
    s(  16, -180),
    // king flank: attacked, attacked twice, defended
    s(   9,   -9), s(  10,   -6), s(  -7,    6),
    // pinned defender
    s(  46,  306),
    // lone king: driven, approached
    s(   0,  100), s(   0,   50),
    // tempo
    s(  16,   12),
    // imbalance, own pieces: pawn to queen
    s(   0,   -1), s(  -8,  -17), s(  -5,   -7), s(  -1,    1), s( -19,   -8),
    s(  -8,  -21), s( -11,  -24), s(  -6,  -12), s( -21,  -20), s(   6,  -38),
    s(  10,  -28), s(   3,  -56), s(  -4,  -73), s(  12, -113), s( -34, -110),
    // imbalance, lesser enemy pieces: knight to queen
    s(   4,    2), s(   2,    5), s(   2,   -7), s(   1,    2), s( -12,   -3),
    s( -17,   -9), s( -27,    9), s( -19,   22), s( -16,   57), s( -64,   75),
    // knight, by how closed the position is
    s(  -3,  -25), s(   4,  -28), s(  -8,   -7), s(  -1,  -13), s(   1,   -8), s(  -4,    1), s(  -6,  -14), s( -16,  -10), s( -33,   90),
    // rook, by how closed the position is
    s(  -2,    5), s(  11,  -13), s(   1,   -6), s( -11,  -14), s(   1,  -44), s(  -6,  -27), s(   7,  -43), s(  -8,  -73), s(  13, -156),
    // distance from the own king: knight, bishop
    s(  -2,   -4), s(  -1,   -2),
    // castling right: kingside, queenside
    s(  20,  -43), s(  -1,   28),
    // square to attack the queen from: knight, bishop, rook
    s(  19,  -11), s(  19,   32), s(  31,  -18),
    // queen in a pin or discovered attack
    s(  22,   27),
    // attacked by the queen: pawn, piece
    s(   4,    6), s(  10,   28),
    // piece to be won: first, further; we, they are to move
    s( -27,  -19), s(  36,  -29), s(  14,   19), s(  77,   82),
    // own pawn on the colour of a bishop, by blocked centre pawns
    s(  -1,   -3),
    // enemy pawn on a diagonal of a bishop
    s(  -7,   -2),
    // minor piece near an outpost: knight, bishop
    s(  18,   17), s(  10,    6),
    // x-ray on the king ring: bishop, rook
    s(   3,    2), s(   6,  -14),
    // rook in line with the king, no pawn between
    s(  67,   24),
    // passed phalanx, by rank
    s(   0,    0), s(  14,  -15), s(  -8,  -18), s(   5,   -7), s(  19,  -23), s(  41,   -9), s(   9,  -74), s(   0,    0),
    // opposed phalanx, by rank
    s(   0,    0), s(  -1,    7), s(   4,   -6), s(  -3,  -14), s( -29,  -20), s( -25,  -19), s(   0,    0), s(   0,    0),
    // pawn island
    s( -11,   17),
    // distance of the king from pawns: nearest, twice the mean
    s(   6,   -4), s( -11,  -13),
    // square under control: alone, twice
    s(   1,    1), s(   2,    3),
    // square of the king ring attacked by a pawn
    s(  31,   91),
    // flight square of the king
    s(  -3,  -25),
    // discovered attack on the king
    s(  53,   19),
    // attacker to move
    s(  53,   79),
    // pawn of the attacker before the king, by rank
    s(   0,    0), s( -25,   12), s( -37,  -72), s( -21,  -36), s( -31,   23), s(  20,   75), s( -16,   -7), s(   0,    0),
    // lead in pawns
    s( -19,  -55), s(  13,   49), s(  28,  114), s(  36,  122), s(  51,   82), s(  28,    1), s(  -4,  -33), s( -26,  -53), s( -41, -139),
    // leader by number of its pawns
    s(-155,  -30), s(-127,   22), s( -23,   26), s(  14,   31), s(   7,   38), s(  14,   49), s(  21,   60), s(  20,   66), s(  13,   89),
    // leader: pawns on both wings, only pawns, no queens, no rooks, opposite bishops; only rooks, minors, queens
    s(  24,   64), s(   0,  127), s(  42,   12), s( -72,   86), s(  -7,   58), s(  12,    8), s(-142,  -65), s( -87,   99),
    // leader: king beyond the middle; kings apart by files, ranks
    s(-132,   23), s(  -2,    1), s(   4,   -2),
];
