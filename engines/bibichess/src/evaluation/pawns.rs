//! Evaluation terms for pawns (§3.2.2): doubled and isolated pawns, candidate and passed pawns, and pawns that nothing
//! can stop from becoming queens.
//!
//! Against king and pawns alone, a pawn is as good as a queen if the enemy king is outside its square, or if its own king
//! guards both the pawn and its promotion square. The document does not say that the way has to be free, but here it must
//! be.

use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square, attacks};

use super::{Tapered, worth};

const DOUBLED: Tapered = Tapered::new(-8, -16);
const ISOLATED: Tapered = Tapered::new(-8, -14);
/// A candidate's score, by its rank as seen by its side.
const CANDIDATE: [Tapered; 8] = [
    Tapered::ZERO,
    Tapered::new(2, 4),
    Tapered::new(3, 6),
    Tapered::new(5, 12),
    Tapered::new(10, 25),
    Tapered::new(20, 45),
    Tapered::ZERO,
    Tapered::ZERO,
];

pub fn pawn_structure(position: &Position, side: Color) -> Tapered {
    let ours = position.pieces(side, PieceKind::Pawn);
    let mut sum = Tapered::ZERO;
    for file in File::ALL {
        let on_file = (ours & Bitboard::of_file(file)).count() as i32;
        sum += DOUBLED * (on_file - 1).max(0);
        if (ours & neighbours(file)).is_empty() {
            sum += ISOLATED * on_file;
        }
    }
    for pawn in ours.into_iter().filter(|&pawn| is_candidate(position, side, pawn)) {
        sum += CANDIDATE[pawn.rank().relative_to(side).index()];
    }
    sum
}

/// Whether no enemy pawn can stop or capture a pawn on its way.
pub fn is_passed(position: &Position, side: Color, pawn: Square) -> bool {
    let way = Bitboard::of_file(pawn.file()) | neighbours(pawn.file());
    (position.pieces(!side, PieceKind::Pawn) & way & ahead(side, pawn)).is_empty()
}

/// Whether a pawn may become passed: no enemy pawn is ahead on its file, and at most as many enemy pawns guard its way as
/// own pawns can support it.
fn is_candidate(position: &Position, side: Color, pawn: Square) -> bool {
    let enemies = position.pieces(!side, PieceKind::Pawn) & ahead(side, pawn);
    let guards = (enemies & neighbours(pawn.file())).count();
    let supporters = position.pieces(side, PieceKind::Pawn) & neighbours(pawn.file()) & !ahead(side, pawn);
    (enemies & Bitboard::of_file(pawn.file())).is_empty() && guards > 0 && supporters.count() >= guards
}

fn ahead(side: Color, pawn: Square) -> Bitboard {
    let rank = pawn.rank().relative_to(side);
    Rank::ALL
        .into_iter()
        .filter(|&other| other > rank)
        .fold(Bitboard::EMPTY, |set, other| set | Bitboard::of_rank(other.relative_to(side)))
}

fn neighbours(file: File) -> Bitboard {
    let set = Bitboard::of_file(file);
    set.east() | set.west()
}

const PASSED: [Tapered; 8] = [
    Tapered::ZERO,
    Tapered::new(4, 10),
    Tapered::new(6, 16),
    Tapered::new(12, 30),
    Tapered::new(24, 55),
    Tapered::new(45, 95),
    Tapered::new(75, 140),
    Tapered::ZERO,
];

pub fn passed_pawns(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for pawn in position.pieces(side, PieceKind::Pawn) {
        if is_passed(position, side, pawn) {
            sum += PASSED[pawn.rank().relative_to(side).index()];
        }
    }
    sum
}

const PROMOTION: Tapered = Tapered::always(worth(PieceKind::Queen) - worth(PieceKind::Pawn));

/// The bonus for a side with at least one pawn that cannot be stopped.
pub fn unstoppable(position: &Position, side: Color) -> Tapered {
    if has_pieces(position, !side) {
        return Tapered::ZERO;
    }
    let mut pawns = position.pieces(side, PieceKind::Pawn).into_iter();
    let is_there = pawns.any(|pawn| is_passed(position, side, pawn) && is_unstoppable(position, side, pawn));
    if is_there { PROMOTION } else { Tapered::ZERO }
}

/// Whether a side has more than king and pawns.
pub fn has_pieces(position: &Position, side: Color) -> bool {
    let weak = position.of_kind(PieceKind::Pawn) | position.of_kind(PieceKind::King);
    (position.colored(side) & !weak).any()
}

fn is_unstoppable(position: &Position, side: Color, pawn: Square) -> bool {
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(side));
    let way = attacks::between(pawn, goal) | goal.bitboard();
    if (way & position.occupied()).any() {
        return false;
    }
    let guarded = attacks::king(position.king(side));
    let is_escorted = guarded.has(pawn) && guarded.has(goal);
    is_escorted || is_outside_square(position, side, pawn, goal)
}

/// Whether the enemy king comes too late: it must be farther from the goal than the pawn, by one more step if it is to
/// move. A pawn on its first square can advance two steps at once.
fn is_outside_square(position: &Position, side: Color, pawn: Square, goal: Square) -> bool {
    let is_at_home = Bitboard::of_rank(Rank::Second.relative_to(side)).has(pawn);
    let pawn_steps = pawn.distance(goal) - u8::from(is_at_home);
    let king_steps = position.king(!side).distance(goal) - u8::from(position.side_to_move() != side);
    king_steps > pawn_steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structure_of(fen: &str) -> Tapered {
        pawn_structure(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn doubled_isolated_and_candidate_pawns_count() {
        assert_eq!(structure_of("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), Tapered::ZERO);
        assert_eq!(structure_of("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1"), ISOLATED * 2);
        assert_eq!(structure_of("4k3/8/8/8/8/P7/PP6/4K3 w - - 0 1"), DOUBLED);
        // As many supporters as guards, and fewer.
        assert_eq!(structure_of("4k3/3p4/8/4PP2/8/8/8/4K3 w - - 0 1"), CANDIDATE[4]);
        assert_eq!(structure_of("4k3/3p1p2/8/4PP2/8/8/8/4K3 w - - 0 1"), Tapered::ZERO);
    }

    #[test]
    fn a_pawn_is_passed_when_no_enemy_pawn_is_on_its_way_or_beside_it() {
        for (fen, expected) in [
            ("4k3/2p3p1/8/4P3/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", true),
            ("4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", false),
            ("4k3/4p3/8/4P3/8/8/8/4K3 w - - 0 1", false),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(is_passed(&position, Color::White, "e5".parse().unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn a_pawn_that_the_king_does_not_catch_is_worth_a_promotion() {
        for (fen, expected) in [
            // Outside the square, and a step nearer.
            ("8/8/8/P4k2/8/8/8/K7 w - - 0 1", PROMOTION),
            ("8/8/8/P4k2/8/8/8/K7 b - - 0 1", PROMOTION),
            ("8/8/8/P2k4/8/8/8/K7 w - - 0 1", Tapered::ZERO),
            // To move, the king gains a step.
            ("8/8/8/P3k3/8/8/8/K7 w - - 0 1", PROMOTION),
            ("8/8/8/P3k3/8/8/8/K7 b - - 0 1", Tapered::ZERO),
            // A king that guards pawn and goal, and one that guards the pawn alone.
            ("3k4/1K6/P7/8/8/8/8/8 b - - 0 1", PROMOTION),
            ("1k6/8/P1K5/8/8/8/8/8 b - - 0 1", Tapered::ZERO),
            // A piece of the other side, and a blocked way.
            ("8/8/8/P5kn/8/8/8/K7 w - - 0 1", Tapered::ZERO),
            ("K7/8/8/P5k1/8/8/8/8 w - - 0 1", Tapered::ZERO),
        ] {
            assert_eq!(unstoppable(&Position::from_fen(fen).unwrap(), Color::White), expected, "{fen}");
        }
    }
}
