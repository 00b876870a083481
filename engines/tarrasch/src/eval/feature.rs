//! The features of the evaluation. Each has an index into the weights.
//!
//! The features of one idea form a [`Group`]. To add an idea: add its group at the end, a line of zeros at the end of
//! `weights.rs`, and let a term count it.

use super::Term;

/// A feature: the index of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature(u16);

impl Feature {
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The features of one idea, which have consecutive indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub term: Term,
    pub first: usize,
    pub len: usize,
}

impl Group {
    #[inline]
    pub const fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.len);
        Feature((self.first + index) as u16)
    }
}

/// Defines a constant for each group, and the list of all groups. A row holds a description of the idea and the order of
/// its features, the term, and the number of features.
macro_rules! groups {
    ($($group:ident = $name:literal, $term:ident, $len:literal;)+) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are those of the groups")]
        enum Place {
            $($group,)+
        }

        /// The number of features of each group.
        const LENGTHS: &[usize] = &[$($len),+];

        $(
            #[doc = $name]
            pub const $group: Group = Group {
                term: Term::$term,
                first: features_before(Place::$group as usize),
                len: $len,
            };
        )+

        /// All groups, in the order of the weights.
        pub const GROUPS: [Group; LENGTHS.len()] = [$($group),+];
    };
}

const fn features_before(group: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < group {
        sum += LENGTHS[index];
        index += 1;
    }
    sum
}

pub const COUNT: usize = features_before(LENGTHS.len());

groups! {
    MATERIAL = "material: pawn to king", Material, 6;
    // Piece-square tables, by kind, relative rank, and the file's distance from the edge.
    PLACEMENT = "placement: pawn to king, first rank to eighth, files a to d", Placement, 192;
    // A pawn with an own pawn in front of it.
    DOUBLED = "doubled pawn", Pawns, 1;
    // An isolated pawn: with an enemy pawn in front, or on a half-open file.
    ISOLATED = "isolated pawn: opposed, on a half-open file", Pawns, 2;
    // A pawn that cannot advance safely and that no pawn can support.
    BACKWARD = "backward pawn: opposed, on a half-open file", Pawns, 2;
    // A pawn beside an own pawn, by rank.
    PHALANX = "phalanx, by rank", Pawns, 8;
    // A pawn that an own pawn defends, by rank.
    DEFENDED = "defended pawn, by rank", Pawns, 8;
    // A pawn that may become passed, by rank.
    CANDIDATE = "candidate passed pawn, by rank", PassedPawns, 8;
    // A pawn that no enemy pawn can stop, by rank.
    PASSED = "passed pawn, by rank", PassedPawns, 8;
    // A passed pawn that an own pawn defends, by rank.
    PASSED_DEFENDED = "defended passed pawn, by rank", PassedPawns, 8;
    // A passed pawn whose next square is empty, by rank.
    PASSED_FREE = "passed pawn before an empty square, by rank", PassedPawns, 8;
    // A passed pawn whose next square is empty and safe, by rank.
    PASSED_SAFE = "passed pawn before a safe empty square, by rank", PassedPawns, 8;
    // A passed pawn whose whole way to promotion is empty and safe, by rank.
    PASSED_CLEAR = "passed pawn with a safe way, by rank", PassedPawns, 8;
    // The distance of the own king from the square in front of a passed pawn, times the number of the pawn's ranks beyond
    // the third.
    PASSED_OWN_KING = "own king from the square before a passed pawn, by distance", PassedPawns, 8;
    // The same for the enemy king.
    PASSED_ENEMY_KING = "enemy king from the square before a passed pawn, by distance", PassedPawns, 8;
    // A passed pawn with a rook behind it: an own rook, an enemy rook.
    ROOK_BEHIND_PASSED = "rook behind a passed pawn: own, enemy", PassedPawns, 2;
    // A passed pawn that a lone king cannot catch.
    UNSTOPPABLE = "unstoppable pawn", PassedPawns, 1;
    KNIGHT_MOBILITY = "mobility of a knight, by squares", Mobility, 9;
    BISHOP_MOBILITY = "mobility of a bishop, by squares", Mobility, 14;
    ROOK_MOBILITY = "mobility of a rook, by squares", Mobility, 15;
    QUEEN_MOBILITY = "mobility of a queen, by squares", Mobility, 28;
    BISHOP_PAIR = "bishop pair", Pieces, 1;
    BISHOP_PAWN = "own pawn on the colour of a bishop", Pieces, 1;
    // A bishop on a long diagonal that sees both of its centre squares.
    LONG_DIAGONAL = "bishop on a long diagonal", Pieces, 1;
    // A bishop on a7 or h7 (a2 or h2) trapped by a pawn.
    TRAPPED_BISHOP = "trapped bishop", Pieces, 1;
    // An outpost: knight, knight defended by a pawn, bishop, bishop defended by a pawn.
    OUTPOST = "outpost: knight, defended knight, bishop, defended bishop", Pieces, 4;
    BEHIND_PAWN = "minor piece behind a pawn", Pieces, 1;
    // A rook without own pawns on its file: half-open, open.
    ROOK_FILE = "rook on a file: half-open, open", Pieces, 2;
    // A rook on the seventh rank with an enemy pawn there, or the enemy king on the eighth.
    ROOK_ON_SEVENTH = "rook on the seventh rank", Pieces, 1;
    // A rook trapped beside a king that cannot castle.
    TRAPPED_ROOK = "trapped rook", Pieces, 1;
    BY_PAWN_COUNT = "own pawns minus five: knight, rook", Pieces, 2;
    PAWN_THREAT = "attacked by a pawn: knight, bishop, rook, queen", Threats, 4;
    MINOR_THREAT = "attacked by a minor piece: pawn to queen", Threats, 5;
    ROOK_THREAT = "attacked by a rook: pawn to queen", Threats, 5;
    KING_THREAT = "attacked by the king: pawn, piece", Threats, 2;
    // An attacked and undefended pawn or piece.
    HANGING = "hanging: pawn, piece", Threats, 2;
    // A piece that a safe pawn push would attack.
    PUSH_THREAT = "piece threatened by a pawn push", Threats, 1;
    // A square that both sides attack, not occupied by the enemy and not attacked by an enemy pawn.
    RESTRICTED = "restricted square", Threats, 1;
    // Safe squares in the centre of the own half, those behind own pawns twice, times the number of pieces /
    // 8.
    SPACE = "space", Space, 1;
    // The nearest own pawn in front of the king, by the file's distance from the edge and the number of ranks
    // to it (7 for none): on the king's file, then on a file beside it.
    SHELTER = "shelter: king's file, file beside; files a to d, ranks to the pawn", Shelter, 64;
    // The nearest enemy pawn in front of the king, in the same way: unblocked, then blocked by an own pawn.
    STORM = "storm: unblocked, blocked; files a to d, ranks to the pawn", Shelter, 64;
    // King danger: the constant. All features of [`Term::KingAttack`] add to it.
    DANGER = "king danger", KingAttack, 1;
    ATTACKER = "attacker: knight to queen", KingAttack, 4;
    RING_ATTACK = "attack on the king ring", KingAttack, 1;
    // A square of the ring that is attacked and badly defended.
    WEAK_RING = "weak square of the king ring", KingAttack, 1;
    SAFE_CHECK = "safe check: knight to queen", KingAttack, 4;
    UNSAFE_CHECK = "unsafe check", KingAttack, 1;
    NO_QUEEN = "attack without a queen", KingAttack, 1;
    KNIGHT_DEFENDER = "knight that defends the king ring", KingAttack, 1;
    // A file of the king or beside it without a pawn of its side.
    OPEN_SHELTER = "file without shelter", KingAttack, 1;
    KING_FLANK = "king flank: attacked, attacked twice, defended", KingAttack, 3;
    PINNED = "pinned defender", KingAttack, 1;
    // A lone king: its distance from the centre (or from the diagonal between the wrong corners), and 7 minus
    // the distance of the kings.
    LONE_KING = "lone king: driven, approached", LoneKing, 2;
    TEMPO = "tempo", Tempo, 1;
    // Imbalance: the product of the numbers of own pieces of two kinds, for each kind from pawn to queen and
    // each kind up to it.
    IMBALANCE_OURS = "imbalance, own pieces: pawn to queen", Material, 15;
    // Imbalance: the product of the numbers of own and enemy pieces, for each own kind from knight to queen
    // and each enemy kind below it.
    IMBALANCE_THEIRS = "imbalance, lesser enemy pieces: knight to queen", Material, 10;
    CLOSED_KNIGHT = "knight, by how closed the position is", Pieces, 9;
    CLOSED_ROOK = "rook, by how closed the position is", Pieces, 9;
    FROM_OWN_KING = "distance from the own king: knight, bishop", Pieces, 2;
    CASTLING = "castling right: kingside, queenside", Shelter, 2;
    // A safe square from which a piece could attack the enemy queen next move: knight, bishop, rook.
    QUEEN_ATTACK = "square to attack the queen from: knight, bishop, rook", Threats, 3;
    // The enemy queen in a pin or a discovered attack: a single piece stands between it and our bishop or
    // rook.
    WEAK_QUEEN = "queen in a pin or discovered attack", Threats, 1;
    QUEEN_THREAT = "attacked by the queen: pawn, piece", Threats, 2;
    WINNABLE = "piece to be won: first, further; we, they are to move", Threats, 4;
    // The number of own pawns on the colour of a bishop, times the number of blocked own pawns on the files c
    // to f.
    BLOCKED_BISHOP = "own pawn on the colour of a bishop, by blocked centre pawns", Pieces, 1;
    PAWN_ON_BISHOP_DIAGONAL = "enemy pawn on a diagonal of a bishop", Pieces, 1;
    // A minor piece that can move to a defended outpost: knight, bishop.
    NEAR_OUTPOST = "minor piece near an outpost: knight, bishop", Pieces, 2;
    RING_XRAY = "x-ray on the king ring: bishop, rook", Pieces, 2;
    ROOK_ON_KING_LINE = "rook in line with the king, no pawn between", Pieces, 1;
    PASSED_BESIDE = "passed phalanx, by rank", PassedPawns, 8;
    OPPOSED_PHALANX = "opposed phalanx, by rank", Pawns, 8;
    // A pawn island: pawns on neighbouring files.
    ISLAND = "pawn island", Pawns, 1;
    KING_FROM_PAWNS = "distance of the king from pawns: nearest, twice the mean", Shelter, 2;
    // Squares that only we attack; squares that both sides attack, but only we twice.
    CONTROL = "square under control: alone, twice", Space, 2;
    RING_PAWN = "square of the king ring attacked by a pawn", KingAttack, 1;
    FLIGHT = "flight square of the king", KingAttack, 1;
    DISCOVERED_ATTACK = "discovered attack on the king", KingAttack, 1;
    ATTACK_TO_MOVE = "attacker to move", KingAttack, 1;
    PAWN_STORM = "pawn of the attacker before the king, by rank", KingAttack, 8;
    LEAD = "lead in pawns", Lead, 9;
    LEAD_PAWNS = "leader by number of its pawns", Lead, 9;
    LEAD_BOARD = "leader: pawns on both wings, only pawns, no queens, no rooks, opposite bishops; only rooks, minors, queens", Lead, 8;
    LEAD_KINGS = "leader: king beyond the middle; kings apart by files, ranks", Lead, 3;
}
