//! The features of the evaluation. Each has an index into the weights.
//!
//! The features of one idea form a [`Group`]. To add an idea: add its group at the end, a line of zeros at the end of
//! `weights.rs`, and let a term count it. The tuner finds the weights.

use super::Term;

/// A feature: the index of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature(u16);

impl Feature {
    /// The index of its weight.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The features of one idea, which have consecutive indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The idea and the order of its features, for people.
    pub name: &'static str,
    /// The term of the features.
    pub term: Term,
    /// The index of the first feature.
    pub first: usize,
    /// The number of features.
    pub len: usize,
    /// The number of weights per row of `weights.rs`.
    pub per_row: usize,
}

impl Group {
    const fn first(name: &'static str, term: Term, len: usize, per_row: usize) -> Group {
        Group { name, term, first: 0, len, per_row }
    }

    /// The group after this one.
    const fn then(self, name: &'static str, term: Term, len: usize, per_row: usize) -> Group {
        Group { name, term, first: self.first + self.len, len, per_row }
    }

    /// The feature with this index in the group.
    #[inline]
    pub const fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.len);
        Feature((self.first + index) as u16)
    }
}

/// Material, by kind.
pub const MATERIAL: Group = Group::first("material: pawn to king", Term::Material, 6, 6);
/// Piece-square tables, by kind, relative rank, and the file's distance from the edge.
pub const PLACEMENT: Group =
    MATERIAL.then("placement: pawn to king, first rank to eighth, files a to d", Term::Placement, 192, 4);

/// A pawn with an own pawn in front of it.
pub const DOUBLED: Group = PLACEMENT.then("doubled pawn", Term::Pawns, 1, 1);
/// An isolated pawn: with an enemy pawn in front, or on a half-open file.
pub const ISOLATED: Group = DOUBLED.then("isolated pawn: opposed, on a half-open file", Term::Pawns, 2, 2);
/// A pawn that cannot advance safely and that no pawn can support.
pub const BACKWARD: Group = ISOLATED.then("backward pawn: opposed, on a half-open file", Term::Pawns, 2, 2);
/// A pawn beside an own pawn, by rank.
pub const PHALANX: Group = BACKWARD.then("phalanx, by rank", Term::Pawns, 8, 8);
/// A pawn that an own pawn defends, by rank.
pub const DEFENDED: Group = PHALANX.then("defended pawn, by rank", Term::Pawns, 8, 8);
/// A pawn that may become passed, by rank.
pub const CANDIDATE: Group = DEFENDED.then("candidate passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A pawn that no enemy pawn can stop, by rank.
pub const PASSED: Group = CANDIDATE.then("passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn that an own pawn defends, by rank.
pub const PASSED_DEFENDED: Group = PASSED.then("defended passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose next square is empty, by rank.
pub const PASSED_FREE: Group =
    PASSED_DEFENDED.then("passed pawn before an empty square, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose next square is empty and safe, by rank.
pub const PASSED_SAFE: Group =
    PASSED_FREE.then("passed pawn before a safe empty square, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose whole way to promotion is empty and safe, by rank.
pub const PASSED_CLEAR: Group =
    PASSED_SAFE.then("passed pawn with a safe way, by rank", Term::PassedPawns, 8, 8);
/// The distance of the own king from the square in front of a passed pawn, times the pawn's ranks beyond the third.
pub const PASSED_OWN_KING: Group =
    PASSED_CLEAR.then("own king from the square before a passed pawn, by distance", Term::PassedPawns, 8, 8);
/// The same for the enemy king.
pub const PASSED_ENEMY_KING: Group = PASSED_OWN_KING.then(
    "enemy king from the square before a passed pawn, by distance",
    Term::PassedPawns,
    8,
    8,
);
/// A passed pawn with a rook behind it: an own rook, an enemy rook.
pub const ROOK_BEHIND_PASSED: Group =
    PASSED_ENEMY_KING.then("rook behind a passed pawn: own, enemy", Term::PassedPawns, 2, 2);
/// A passed pawn that a lone king cannot catch.
pub const UNSTOPPABLE: Group = ROOK_BEHIND_PASSED.then("unstoppable pawn", Term::PassedPawns, 1, 1);

/// The mobility of a knight.
pub const KNIGHT_MOBILITY: Group = UNSTOPPABLE.then("mobility of a knight, by squares", Term::Mobility, 9, 9);
/// The mobility of a bishop.
pub const BISHOP_MOBILITY: Group =
    KNIGHT_MOBILITY.then("mobility of a bishop, by squares", Term::Mobility, 14, 7);
/// The mobility of a rook.
pub const ROOK_MOBILITY: Group =
    BISHOP_MOBILITY.then("mobility of a rook, by squares", Term::Mobility, 15, 8);
/// The mobility of a queen.
pub const QUEEN_MOBILITY: Group =
    ROOK_MOBILITY.then("mobility of a queen, by squares", Term::Mobility, 28, 7);

/// Bishops on both colours.
pub const BISHOP_PAIR: Group = QUEEN_MOBILITY.then("bishop pair", Term::Pieces, 1, 1);
/// An own pawn on the colour of a bishop.
pub const BISHOP_PAWN: Group = BISHOP_PAIR.then("own pawn on the colour of a bishop", Term::Pieces, 1, 1);
/// A bishop on a long diagonal that sees both of its centre squares.
pub const LONG_DIAGONAL: Group = BISHOP_PAWN.then("bishop on a long diagonal", Term::Pieces, 1, 1);
/// A bishop on a7 or h7 (a2 or h2) trapped by a pawn.
pub const TRAPPED_BISHOP: Group = LONG_DIAGONAL.then("trapped bishop", Term::Pieces, 1, 1);
/// An outpost: knight, knight defended by a pawn, bishop, bishop defended by a pawn.
pub const OUTPOST: Group =
    TRAPPED_BISHOP.then("outpost: knight, defended knight, bishop, defended bishop", Term::Pieces, 4, 4);
/// A minor piece behind a pawn.
pub const BEHIND_PAWN: Group = OUTPOST.then("minor piece behind a pawn", Term::Pieces, 1, 1);
/// A rook without own pawns on its file: half-open, open.
pub const ROOK_FILE: Group = BEHIND_PAWN.then("rook on a file: half-open, open", Term::Pieces, 2, 2);
/// A rook on the seventh rank with an enemy pawn there, or the enemy king on the eighth.
pub const ROOK_ON_SEVENTH: Group = ROOK_FILE.then("rook on the seventh rank", Term::Pieces, 1, 1);
/// A rook trapped beside a king that cannot castle.
pub const TRAPPED_ROOK: Group = ROOK_ON_SEVENTH.then("trapped rook", Term::Pieces, 1, 1);
/// A knight or a rook, times the number of own pawns minus five.
pub const BY_PAWN_COUNT: Group = TRAPPED_ROOK.then("own pawns minus five: knight, rook", Term::Pieces, 2, 2);

/// A pawn attacks a piece: knight, bishop, rook, queen.
pub const PAWN_THREAT: Group =
    BY_PAWN_COUNT.then("attacked by a pawn: knight, bishop, rook, queen", Term::Threats, 4, 4);
/// A minor piece attacks: pawn to queen.
pub const MINOR_THREAT: Group =
    PAWN_THREAT.then("attacked by a minor piece: pawn to queen", Term::Threats, 5, 5);
/// A rook attacks: pawn to queen.
pub const ROOK_THREAT: Group = MINOR_THREAT.then("attacked by a rook: pawn to queen", Term::Threats, 5, 5);
/// The king attacks a weak pawn or piece.
pub const KING_THREAT: Group = ROOK_THREAT.then("attacked by the king: pawn, piece", Term::Threats, 2, 2);
/// An attacked and undefended pawn or piece.
pub const HANGING: Group = KING_THREAT.then("hanging: pawn, piece", Term::Threats, 2, 2);
/// A piece that a safe pawn push would attack.
pub const PUSH_THREAT: Group = HANGING.then("piece threatened by a pawn push", Term::Threats, 1, 1);
/// A square that both sides attack, not occupied by the enemy and not attacked by an enemy pawn.
pub const RESTRICTED: Group = PUSH_THREAT.then("restricted square", Term::Threats, 1, 1);
/// Safe squares in the centre of the own half, those behind own pawns twice, times the number of pieces / 8.
pub const SPACE: Group = RESTRICTED.then("space", Term::Space, 1, 1);

/// The nearest own pawn in front of the king, by the file's distance from the edge and the number of ranks to it (7 for
/// none): on the king's file, then on a file beside it.
pub const SHELTER: Group =
    SPACE.then("shelter: king's file, file beside; files a to d, ranks to the pawn", Term::Shelter, 64, 8);
/// The nearest enemy pawn in front of the king, in the same way: unblocked, then blocked by an own pawn.
pub const STORM: Group =
    SHELTER.then("storm: unblocked, blocked; files a to d, ranks to the pawn", Term::Shelter, 64, 8);

/// King danger: the constant. All features of [`Term::KingAttack`] add to it.
pub const DANGER: Group = STORM.then("king danger", Term::KingAttack, 1, 1);
/// A piece that attacks the king ring: knight to queen.
pub const ATTACKER: Group = DANGER.then("attacker: knight to queen", Term::KingAttack, 4, 4);
/// An attack on a square of the ring.
pub const RING_ATTACK: Group = ATTACKER.then("attack on the king ring", Term::KingAttack, 1, 1);
/// A square of the ring that is attacked and badly defended.
pub const WEAK_RING: Group = RING_ATTACK.then("weak square of the king ring", Term::KingAttack, 1, 1);
/// A square for a safe check: knight to queen.
pub const SAFE_CHECK: Group = WEAK_RING.then("safe check: knight to queen", Term::KingAttack, 4, 4);
/// A square for an unsafe check.
pub const UNSAFE_CHECK: Group = SAFE_CHECK.then("unsafe check", Term::KingAttack, 1, 1);
/// The attacker has no queen.
pub const NO_QUEEN: Group = UNSAFE_CHECK.then("attack without a queen", Term::KingAttack, 1, 1);
/// A knight defends the ring.
pub const KNIGHT_DEFENDER: Group = NO_QUEEN.then("knight that defends the king ring", Term::KingAttack, 1, 1);
/// A file of the king or beside it without a pawn of its side.
pub const OPEN_SHELTER: Group = KNIGHT_DEFENDER.then("file without shelter", Term::KingAttack, 1, 1);
/// Squares of the king flank: attacked, attacked twice, defended.
pub const KING_FLANK: Group =
    OPEN_SHELTER.then("king flank: attacked, attacked twice, defended", Term::KingAttack, 3, 3);
/// A pinned piece of the attacked side.
pub const PINNED: Group = KING_FLANK.then("pinned defender", Term::KingAttack, 1, 1);

/// A lone king: its distance from the centre (or from the diagonal between the wrong corners), and 7 minus the distance of
/// the kings.
pub const LONE_KING: Group = PINNED.then("lone king: driven, approached", Term::LoneKing, 2, 2);
/// The side to move.
pub const TEMPO: Group = LONE_KING.then("tempo", Term::Tempo, 1, 1);

/// Imbalance: the product of the numbers of own pieces of two kinds, for each kind from pawn to queen and each kind up to
/// it.
pub const IMBALANCE_OURS: Group = TEMPO.then("imbalance, own pieces: pawn to queen", Term::Material, 15, 5);
/// Imbalance: the product of the numbers of own and enemy pieces, for each own kind from knight to queen and each enemy
/// kind below it.
pub const IMBALANCE_THEIRS: Group =
    IMBALANCE_OURS.then("imbalance, lesser enemy pieces: knight to queen", Term::Material, 10, 5);
/// A knight, by how closed the position is.
pub const CLOSED_KNIGHT: Group =
    IMBALANCE_THEIRS.then("knight, by how closed the position is", Term::Pieces, 9, 9);
/// A rook, by how closed the position is.
pub const CLOSED_ROOK: Group = CLOSED_KNIGHT.then("rook, by how closed the position is", Term::Pieces, 9, 9);
/// The distance of a minor piece from its king: knight, bishop.
pub const FROM_OWN_KING: Group =
    CLOSED_ROOK.then("distance from the own king: knight, bishop", Term::Pieces, 2, 2);
/// A castling right: kingside, queenside.
pub const CASTLING: Group = FROM_OWN_KING.then("castling right: kingside, queenside", Term::Shelter, 2, 2);
/// A safe square from which a piece could attack the enemy queen next move: knight, bishop, rook.
pub const QUEEN_ATTACK: Group =
    CASTLING.then("square to attack the queen from: knight, bishop, rook", Term::Threats, 3, 3);
/// The enemy queen in a pin or a discovered attack: a single piece stands between it and our bishop or rook.
pub const WEAK_QUEEN: Group = QUEEN_ATTACK.then("queen in a pin or discovered attack", Term::Threats, 1, 1);
/// The queen attacks a weak pawn or piece.
pub const QUEEN_THREAT: Group = WEAK_QUEEN.then("attacked by the queen: pawn, piece", Term::Threats, 2, 2);
/// Pieces that a capture would win, the first and further ones: with us to move, with them to move.
pub const WINNABLE: Group =
    QUEEN_THREAT.then("piece to be won: first, further; we, they are to move", Term::Threats, 4, 4);
/// The number of own pawns on the colour of a bishop, times the number of blocked own pawns on the files c to f.
pub const BLOCKED_BISHOP: Group =
    WINNABLE.then("own pawn on the colour of a bishop, by blocked centre pawns", Term::Pieces, 1, 1);
/// An enemy pawn on a diagonal of a bishop.
pub const PAWN_ON_BISHOP_DIAGONAL: Group =
    BLOCKED_BISHOP.then("enemy pawn on a diagonal of a bishop", Term::Pieces, 1, 1);
/// A minor piece that can move to a defended outpost: knight, bishop.
pub const NEAR_OUTPOST: Group =
    PAWN_ON_BISHOP_DIAGONAL.then("minor piece near an outpost: knight, bishop", Term::Pieces, 2, 2);
/// A slider with an x-ray on the king ring: bishop, rook.
pub const RING_XRAY: Group = NEAR_OUTPOST.then("x-ray on the king ring: bishop, rook", Term::Pieces, 2, 2);
/// A rook in line with the enemy king, without a pawn between.
pub const ROOK_ON_KING_LINE: Group =
    RING_XRAY.then("rook in line with the king, no pawn between", Term::Pieces, 1, 1);
/// A passed pawn beside a passed pawn, by rank.
pub const PASSED_BESIDE: Group = ROOK_ON_KING_LINE.then("passed phalanx, by rank", Term::PassedPawns, 8, 8);
/// A phalanx pawn with an enemy pawn in front, by rank.
pub const OPPOSED_PHALANX: Group = PASSED_BESIDE.then("opposed phalanx, by rank", Term::Pawns, 8, 8);
/// A pawn island: pawns on neighbouring files.
pub const ISLAND: Group = OPPOSED_PHALANX.then("pawn island", Term::Pawns, 1, 1);
/// The distance of the king from the nearest pawn of either side, and twice its mean distance from all pawns.
pub const KING_FROM_PAWNS: Group =
    ISLAND.then("distance of the king from pawns: nearest, twice the mean", Term::Shelter, 2, 2);
/// Squares that only we attack; squares that both sides attack, but only we twice.
pub const CONTROL: Group = KING_FROM_PAWNS.then("square under control: alone, twice", Term::Space, 2, 2);
/// A square of the king ring that a pawn attacks.
pub const RING_PAWN: Group =
    CONTROL.then("square of the king ring attacked by a pawn", Term::KingAttack, 1, 1);
/// A flight square of the king.
pub const FLIGHT: Group = RING_PAWN.then("flight square of the king", Term::KingAttack, 1, 1);
/// An own piece that can discover an attack on the king.
pub const DISCOVERED_ATTACK: Group = FLIGHT.then("discovered attack on the king", Term::KingAttack, 1, 1);
/// The attacker is to move.
pub const ATTACK_TO_MOVE: Group = DISCOVERED_ATTACK.then("attacker to move", Term::KingAttack, 1, 1);
/// A pawn of the attacker in front of the king, by rank.
pub const PAWN_STORM: Group =
    ATTACK_TO_MOVE.then("pawn of the attacker before the king, by rank", Term::KingAttack, 8, 8);
/// The material lead in pawns, up to nine.
pub const LEAD: Group = PAWN_STORM.then("lead in pawns", Term::Lead, 9, 9);
/// The number of pawns of the side that leads.
pub const LEAD_PAWNS: Group = LEAD.then("leader by number of its pawns", Term::Lead, 9, 9);
/// How well a lead converts: pawns on both wings, only pawns, no queens, no rooks, bishops of opposite colours; of the
/// pieces only rooks, only minor pieces, only queens.
pub const LEAD_BOARD: Group = LEAD_PAWNS.then("leader: pawns on both wings, only pawns, no queens, no rooks, opposite bishops; only rooks, minors, queens", Term::Lead, 8, 8);
/// The king of the leading side beyond its fourth rank; the distance of the kings in files, and in ranks.
pub const LEAD_KINGS: Group =
    LEAD_BOARD.then("leader: king beyond the middle; kings apart by files, ranks", Term::Lead, 3, 3);

/// All groups, in the order of the weights.
pub const GROUPS: [Group; 83] = [
    MATERIAL,
    PLACEMENT,
    DOUBLED,
    ISOLATED,
    BACKWARD,
    PHALANX,
    DEFENDED,
    CANDIDATE,
    PASSED,
    PASSED_DEFENDED,
    PASSED_FREE,
    PASSED_SAFE,
    PASSED_CLEAR,
    PASSED_OWN_KING,
    PASSED_ENEMY_KING,
    ROOK_BEHIND_PASSED,
    UNSTOPPABLE,
    KNIGHT_MOBILITY,
    BISHOP_MOBILITY,
    ROOK_MOBILITY,
    QUEEN_MOBILITY,
    BISHOP_PAIR,
    BISHOP_PAWN,
    LONG_DIAGONAL,
    TRAPPED_BISHOP,
    OUTPOST,
    BEHIND_PAWN,
    ROOK_FILE,
    ROOK_ON_SEVENTH,
    TRAPPED_ROOK,
    BY_PAWN_COUNT,
    PAWN_THREAT,
    MINOR_THREAT,
    ROOK_THREAT,
    KING_THREAT,
    HANGING,
    PUSH_THREAT,
    RESTRICTED,
    SPACE,
    SHELTER,
    STORM,
    DANGER,
    ATTACKER,
    RING_ATTACK,
    WEAK_RING,
    SAFE_CHECK,
    UNSAFE_CHECK,
    NO_QUEEN,
    KNIGHT_DEFENDER,
    OPEN_SHELTER,
    KING_FLANK,
    PINNED,
    LONE_KING,
    TEMPO,
    IMBALANCE_OURS,
    IMBALANCE_THEIRS,
    CLOSED_KNIGHT,
    CLOSED_ROOK,
    FROM_OWN_KING,
    CASTLING,
    QUEEN_ATTACK,
    WEAK_QUEEN,
    QUEEN_THREAT,
    WINNABLE,
    BLOCKED_BISHOP,
    PAWN_ON_BISHOP_DIAGONAL,
    NEAR_OUTPOST,
    RING_XRAY,
    ROOK_ON_KING_LINE,
    PASSED_BESIDE,
    OPPOSED_PHALANX,
    ISLAND,
    KING_FROM_PAWNS,
    CONTROL,
    RING_PAWN,
    FLIGHT,
    DISCOVERED_ATTACK,
    ATTACK_TO_MOVE,
    PAWN_STORM,
    LEAD,
    LEAD_PAWNS,
    LEAD_BOARD,
    LEAD_KINGS,
];

/// The number of features.
pub const COUNT: usize = LEAD_KINGS.first + LEAD_KINGS.len;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_follow_each_other_without_a_gap() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.first, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, COUNT);
    }
}
