//! What the evaluation counts: every feature has one place in the table of weights.
//!
//! Features of one idea are neighbours, in a [`Group`]. To add an idea, put its group at the end, a line of zeros at
//! the end of `weights.rs`, and let a term count it; the tuner finds the weights.

use super::Term;

/// One thing that is counted: the place of its weight in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature(u16);

impl Feature {
    /// The place of its weight.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Neighbouring features of one idea.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What is counted, and how the features follow each other.
    pub name: &'static str,
    /// The term to which they belong.
    pub term: Term,
    /// The place of the first.
    pub first: usize,
    /// How many there are.
    pub len: usize,
    /// How many make a row when the weights are written.
    pub per_row: usize,
}

impl Group {
    const fn first(name: &'static str, term: Term, len: usize, per_row: usize) -> Group {
        Group { name, term, first: 0, len, per_row }
    }

    /// The group that follows this one.
    const fn then(self, name: &'static str, term: Term, len: usize, per_row: usize) -> Group {
        Group { name, term, first: self.first + self.len, len, per_row }
    }

    /// The feature with this number.
    #[inline]
    pub const fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.len);
        Feature((self.first + index) as u16)
    }
}

/// The value of a piece, by its kind.
pub const MATERIAL: Group = Group::first("material: pawn to king", Term::Material, 6, 6);
/// What a square adds to it, by kind, rank as the owner counts, and distance of the file from the edge.
pub const PLACEMENT: Group =
    MATERIAL.then("placement: pawn to king, first rank to eighth, files a to d", Term::Placement, 192, 4);

/// A pawn with another of its side in front of it.
pub const DOUBLED: Group = PLACEMENT.then("doubled pawn", Term::Pawns, 1, 1);
/// A pawn without neighbours: behind an enemy pawn, or on a half-open file.
pub const ISOLATED: Group = DOUBLED.then("isolated pawn: opposed, on a half-open file", Term::Pawns, 2, 2);
/// A pawn that cannot step forward safely and that nothing can support.
pub const BACKWARD: Group = ISOLATED.then("backward pawn: opposed, on a half-open file", Term::Pawns, 2, 2);
/// A pawn beside another, by rank.
pub const PHALANX: Group = BACKWARD.then("pawn beside another, by rank", Term::Pawns, 8, 8);
/// A pawn that another defends, by rank.
pub const DEFENDED: Group = PHALANX.then("defended pawn, by rank", Term::Pawns, 8, 8);
/// A pawn that may become passed, by rank.
pub const CANDIDATE: Group = DEFENDED.then("candidate passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A pawn that no enemy pawn can stop, by rank.
pub const PASSED: Group = CANDIDATE.then("passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn that another defends, by rank.
pub const PASSED_DEFENDED: Group = PASSED.then("defended passed pawn, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose next square is empty, by rank.
pub const PASSED_FREE: Group =
    PASSED_DEFENDED.then("passed pawn before an empty square, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose next square is empty and safe, by rank.
pub const PASSED_SAFE: Group =
    PASSED_FREE.then("passed pawn before a safe empty square, by rank", Term::PassedPawns, 8, 8);
/// A passed pawn whose whole way is empty and safe, by rank.
pub const PASSED_CLEAR: Group =
    PASSED_SAFE.then("passed pawn with a safe way, by rank", Term::PassedPawns, 8, 8);
/// For each rank of a passed pawn beyond the third: the distance of the own king from its next square.
pub const PASSED_OWN_KING: Group =
    PASSED_CLEAR.then("own king from the square before a passed pawn, by distance", Term::PassedPawns, 8, 8);
/// The same for the enemy king.
pub const PASSED_ENEMY_KING: Group = PASSED_OWN_KING.then(
    "enemy king from the square before a passed pawn, by distance",
    Term::PassedPawns,
    8,
    8,
);
/// A passed pawn with a rook behind it: an own one, an enemy one.
pub const ROOK_BEHIND_PASSED: Group =
    PASSED_ENEMY_KING.then("rook behind a passed pawn: own, enemy", Term::PassedPawns, 2, 2);
/// A passed pawn that a lone king cannot catch.
pub const UNSTOPPABLE: Group = ROOK_BEHIND_PASSED.then("unstoppable pawn", Term::PassedPawns, 1, 1);

/// The squares a knight can safely go to.
pub const KNIGHT_MOBILITY: Group = UNSTOPPABLE.then("mobility of a knight, by squares", Term::Mobility, 9, 9);
/// The squares a bishop can safely go to.
pub const BISHOP_MOBILITY: Group =
    KNIGHT_MOBILITY.then("mobility of a bishop, by squares", Term::Mobility, 14, 7);
/// The squares a rook can safely go to.
pub const ROOK_MOBILITY: Group =
    BISHOP_MOBILITY.then("mobility of a rook, by squares", Term::Mobility, 15, 8);
/// The squares a queen can safely go to.
pub const QUEEN_MOBILITY: Group =
    ROOK_MOBILITY.then("mobility of a queen, by squares", Term::Mobility, 28, 7);

/// Bishops on both colours.
pub const BISHOP_PAIR: Group = QUEEN_MOBILITY.then("bishop pair", Term::Pieces, 1, 1);
/// Own pawns on the squares of a bishop.
pub const BISHOP_PAWN: Group = BISHOP_PAIR.then("own pawn on the colour of a bishop", Term::Pieces, 1, 1);
/// A bishop that sees both middle squares of a long diagonal.
pub const LONG_DIAGONAL: Group = BISHOP_PAWN.then("bishop on a long diagonal", Term::Pieces, 1, 1);
/// A bishop shut in by pawns in the enemy's corner.
pub const TRAPPED_BISHOP: Group = LONG_DIAGONAL.then("trapped bishop", Term::Pieces, 1, 1);
/// A minor piece that no enemy pawn can drive away: knight, bishop, and either defended by a pawn.
pub const OUTPOST: Group =
    TRAPPED_BISHOP.then("outpost: knight, defended, bishop, defended", Term::Pieces, 4, 4);
/// A minor piece behind a pawn.
pub const BEHIND_PAWN: Group = OUTPOST.then("minor piece behind a pawn", Term::Pieces, 1, 1);
/// A rook without own pawns on its file: half-open, open.
pub const ROOK_FILE: Group = BEHIND_PAWN.then("rook on a file: half-open, open", Term::Pieces, 2, 2);
/// A rook on the seventh rank that attacks something there.
pub const ROOK_ON_SEVENTH: Group = ROOK_FILE.then("rook on the seventh rank", Term::Pieces, 1, 1);
/// A rook shut in beside a king that cannot castle.
pub const TRAPPED_ROOK: Group = ROOK_ON_SEVENTH.then("trapped rook", Term::Pieces, 1, 1);
/// For each own pawn beyond five: a knight, a rook.
pub const WITH_PAWNS: Group = TRAPPED_ROOK.then("own pawns beyond five: knight, rook", Term::Pieces, 2, 2);

/// A pawn attacks a piece: knight, bishop, rook, queen.
pub const PAWN_THREAT: Group =
    WITH_PAWNS.then("attacked by a pawn: knight, bishop, rook, queen", Term::Threats, 4, 4);
/// A minor piece attacks: pawn to queen.
pub const MINOR_THREAT: Group =
    PAWN_THREAT.then("attacked by a minor piece: pawn to queen", Term::Threats, 5, 5);
/// A rook attacks: pawn to queen.
pub const ROOK_THREAT: Group = MINOR_THREAT.then("attacked by a rook: pawn to queen", Term::Threats, 5, 5);
/// The king attacks something weak: a pawn, a piece.
pub const KING_THREAT: Group = ROOK_THREAT.then("attacked by the king: pawn, piece", Term::Threats, 2, 2);
/// Something attacked that nothing defends.
pub const HANGING: Group = KING_THREAT.then("hanging: pawn, piece", Term::Threats, 2, 2);
/// A pawn can attack a piece by a safe step.
pub const PUSH_THREAT: Group = HANGING.then("piece that a pawn's step would attack", Term::Threats, 1, 1);
/// Enemy moves that our attacks make unsafe.
pub const RESTRICTED: Group = PUSH_THREAT.then("restricted square", Term::Threats, 1, 1);
/// Safe squares behind the own pawns, for each eight pieces.
pub const SPACE: Group = RESTRICTED.then("space", Term::Space, 1, 1);

/// The nearest own pawn before the king, by the file's distance from the edge and ranks between; 7 for none. First
/// the king's own file, then the files beside it.
pub const SHELTER: Group =
    SPACE.then("shelter: own file, then beside; files a to d, ranks to the pawn", Term::Shelter, 64, 8);
/// The nearest enemy pawn before the king, in the same way. First those that can move on, then those that a pawn
/// blocks.
pub const STORM: Group =
    SHELTER.then("storm: free, then blocked; files a to d, ranks to the pawn", Term::Shelter, 64, 8);

/// The first of the features that make up the danger of the enemy king.
pub const DANGER: Group = STORM.then("danger of the enemy king", Term::KingAttack, 1, 1);
/// A piece that attacks the ring of the king: knight to queen.
pub const ATTACKER: Group = DANGER.then("attacker: knight to queen", Term::KingAttack, 4, 4);
/// An attack on a square of the ring.
pub const RING_ATTACK: Group = ATTACKER.then("attack on the king's ring", Term::KingAttack, 1, 1);
/// A square of the ring that is attacked and badly defended.
pub const WEAK_RING: Group = RING_ATTACK.then("weak square of the king's ring", Term::KingAttack, 1, 1);
/// A square from which a check is safe: knight to queen.
pub const SAFE_CHECK: Group = WEAK_RING.then("safe check: knight to queen", Term::KingAttack, 4, 4);
/// A square from which a check costs the piece.
pub const UNSAFE_CHECK: Group = SAFE_CHECK.then("unsafe check", Term::KingAttack, 1, 1);
/// No queen attacks.
pub const NO_QUEEN: Group = UNSAFE_CHECK.then("attack without a queen", Term::KingAttack, 1, 1);
/// A knight defends the ring.
pub const KNIGHT_DEFENDER: Group = NO_QUEEN.then("knight that defends the ring", Term::KingAttack, 1, 1);
/// A file beside the king without a pawn of its side.
pub const OPEN_SHELTER: Group = KNIGHT_DEFENDER.then("file without shelter", Term::KingAttack, 1, 1);
/// Squares of the king's wing: attacked, attacked twice, defended.
pub const WING: Group =
    OPEN_SHELTER.then("wing of the king: attacked, attacked twice, defended", Term::KingAttack, 3, 3);
/// A piece that cannot leave its line to the king.
pub const PINNED: Group = WING.then("pinned defender", Term::KingAttack, 1, 1);

/// Steps of a lone king from the centre, or from the diagonal between the wrong corners, and of our king towards it.
pub const LONE_KING: Group = PINNED.then("lone king: driven, approached", Term::LoneKing, 2, 2);
/// Having the move.
pub const TEMPO: Group = LONE_KING.then("tempo", Term::Tempo, 1, 1);

/// Pieces of one side with each other, the number of one kind times that of another: for each kind from pawn to queen,
/// the kinds up to it.
pub const WITH_OWN: Group = TEMPO.then("own pieces with each other: pawn to queen", Term::Material, 15, 5);
/// Pieces against those of the other side: for each kind from knight to queen, the enemy's kinds below it.
pub const AGAINST_ENEMY: Group =
    WITH_OWN.then("pieces against lesser enemy ones: knight to queen", Term::Material, 10, 5);
/// A knight, by how closed the position is.
pub const CLOSED_KNIGHT: Group =
    AGAINST_ENEMY.then("knight, by how closed the position is", Term::Pieces, 9, 9);
/// A rook, by how closed the position is.
pub const CLOSED_ROOK: Group = CLOSED_KNIGHT.then("rook, by how closed the position is", Term::Pieces, 9, 9);
/// Steps between a minor piece and its king: knight, bishop.
pub const FROM_OWN_KING: Group =
    CLOSED_ROOK.then("steps from the own king: knight, bishop", Term::Pieces, 2, 2);
/// The right to castle: towards the h-file, towards the a-file.
pub const CASTLING: Group = FROM_OWN_KING.then("right to castle: short, long", Term::Shelter, 2, 2);
/// A safe square from which a piece of ours could attack the enemy queen: knight, bishop, rook.
pub const QUEEN_HUNT: Group =
    CASTLING.then("square to attack the queen from: knight, bishop, rook", Term::Threats, 3, 3);
/// A single piece between the enemy queen and a bishop or rook of ours.
pub const SCREENED_QUEEN: Group =
    QUEEN_HUNT.then("piece between the queen and a slider", Term::Threats, 1, 1);
/// The queen attacks something weak: a pawn, a piece.
pub const QUEEN_THREAT: Group =
    SCREENED_QUEEN.then("attacked by the queen: pawn, piece", Term::Threats, 2, 2);
/// Pieces that a capture would win, the first and those beyond it: when we are to move, when they are.
pub const WINNABLE: Group =
    QUEEN_THREAT.then("piece to be won: first, further; we, they are to move", Term::Threats, 4, 4);
/// Own pawns on the squares of a bishop, times the own centre pawns that are blocked.
pub const BLOCKED_BISHOP: Group =
    WINNABLE.then("own pawn on the colour of a bishop, by blocked centre pawns", Term::Pieces, 1, 1);
/// Enemy pawns on the diagonals of a bishop.
pub const BISHOP_BEFORE_PAWN: Group =
    BLOCKED_BISHOP.then("enemy pawn on a diagonal of a bishop", Term::Pieces, 1, 1);
/// A minor piece that can go to a defended outpost: knight, bishop.
pub const NEAR_OUTPOST: Group =
    BISHOP_BEFORE_PAWN.then("minor piece near an outpost: knight, bishop", Term::Pieces, 2, 2);
/// A slider in line with the king's ring, whatever stands between: bishop, rook.
pub const AIMED_AT_RING: Group =
    NEAR_OUTPOST.then("slider in line with the king's ring: bishop, rook", Term::Pieces, 2, 2);
/// A rook in line with the king and no pawn between.
pub const AIMED_AT_KING: Group =
    AIMED_AT_RING.then("rook in line with the king, no pawn between", Term::Pieces, 1, 1);
/// A passed pawn beside another, by rank.
pub const PASSED_BESIDE: Group =
    AIMED_AT_KING.then("passed pawn beside another, by rank", Term::PassedPawns, 8, 8);
/// A pawn beside another and behind an enemy one, by rank.
pub const OPPOSED_PHALANX: Group =
    PASSED_BESIDE.then("pawn beside another and opposed, by rank", Term::Pawns, 8, 8);
/// A group of pawns on neighbouring files.
pub const ISLAND: Group = OPPOSED_PHALANX.then("pawn island", Term::Pawns, 1, 1);
/// Steps from the king to the nearest pawn of either side, and twice those to all of them in the mean.
pub const KING_FROM_PAWNS: Group =
    ISLAND.then("steps of the king to pawns: nearest, mean", Term::Shelter, 2, 2);
/// Squares that only we attack; squares both attack, but we more often.
pub const CONTROL: Group = KING_FROM_PAWNS.then("square under control: alone, by more", Term::Space, 2, 2);
/// A square of the king's ring that a pawn attacks.
pub const RING_PAWN: Group =
    CONTROL.then("square of the king's ring attacked by a pawn", Term::KingAttack, 1, 1);
/// A square that the king could go to.
pub const FLIGHT: Group = RING_PAWN.then("flight square of the king", Term::KingAttack, 1, 1);
/// A piece of ours alone between a slider of ours and the king.
pub const DISCOVERY: Group = FLIGHT.then("discovered attack on the king", Term::KingAttack, 1, 1);
/// The attacker is to move.
pub const ATTACK_TO_MOVE: Group = DISCOVERY.then("attack with the move", Term::KingAttack, 1, 1);
/// A pawn of the attacker on the files of the king, by rank.
pub const PAWN_STORM: Group =
    ATTACK_TO_MOVE.then("pawn of the attacker before the king, by rank", Term::KingAttack, 8, 8);
/// The lead, in pawns, up to nine.
pub const LEAD: Group = PAWN_STORM.then("lead in pawns", Term::Lead, 9, 9);
/// The number of pawns of the side that leads.
pub const LEAD_PAWNS: Group = LEAD.then("leader by number of its pawns", Term::Lead, 9, 9);
/// What makes a lead easier or harder to turn into a win: pawns on both wings, only pawns, no queens, no rooks,
/// bishops of opposite colours; as pieces only rooks, only minor pieces, only queens.
pub const LEAD_BOARD: Group = LEAD_PAWNS.then("leader: pawns on both wings, only pawns, no queens, no rooks, opposite bishops; only rooks, minors, queens", Term::Lead, 8, 8);
/// The king of the side that leads beyond the middle; the distance of the kings by file, and by rank.
pub const LEAD_KINGS: Group =
    LEAD_BOARD.then("leader: king beyond the middle; kings apart by files, ranks", Term::Lead, 3, 3);

/// All groups, in the order of the table.
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
    WITH_PAWNS,
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
    WING,
    PINNED,
    LONE_KING,
    TEMPO,
    WITH_OWN,
    AGAINST_ENEMY,
    CLOSED_KNIGHT,
    CLOSED_ROOK,
    FROM_OWN_KING,
    CASTLING,
    QUEEN_HUNT,
    SCREENED_QUEEN,
    QUEEN_THREAT,
    WINNABLE,
    BLOCKED_BISHOP,
    BISHOP_BEFORE_PAWN,
    NEAR_OUTPOST,
    AIMED_AT_RING,
    AIMED_AT_KING,
    PASSED_BESIDE,
    OPPOSED_PHALANX,
    ISLAND,
    KING_FROM_PAWNS,
    CONTROL,
    RING_PAWN,
    FLIGHT,
    DISCOVERY,
    ATTACK_TO_MOVE,
    PAWN_STORM,
    LEAD,
    LEAD_PAWNS,
    LEAD_BOARD,
    LEAD_KINGS,
];

/// How many features there are.
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
