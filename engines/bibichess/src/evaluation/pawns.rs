//! Pawns that are weak for being doubled or isolated, and candidates for passing (§3.2.2).

use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square};

use super::Tapered;

const DOUBLED: Tapered = Tapered::new(-8, -16);
const ISOLATED: Tapered = Tapered::new(-8, -14);
/// A candidate, by its rank as its side counts.
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

/// What one side gets, or loses, for the structure of its pawns.
pub fn of(position: &Position, side: Color) -> Tapered {
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

/// Whether a pawn is not passed, but may be: no enemy pawn on its file is ahead, and those that guard its way are not
/// more than those that can support it.
fn is_candidate(position: &Position, side: Color, pawn: Square) -> bool {
    let enemies = position.pieces(!side, PieceKind::Pawn) & ahead(side, pawn);
    let guards = (enemies & neighbours(pawn.file())).count();
    let supporters = position.pieces(side, PieceKind::Pawn) & neighbours(pawn.file()) & !ahead(side, pawn);
    (enemies & Bitboard::of_file(pawn.file())).is_empty() && guards > 0 && supporters.count() >= guards
}

/// The squares on the ranks before a pawn.
fn ahead(side: Color, pawn: Square) -> Bitboard {
    let rank = pawn.rank().relative_to(side);
    Rank::ALL
        .into_iter()
        .filter(|&other| other > rank)
        .fold(Bitboard::EMPTY, |set, other| set | Bitboard::of_rank(other.relative_to(side)))
}

/// The files beside a file.
fn neighbours(file: File) -> Bitboard {
    let set = Bitboard::of_file(file);
    set.east() | set.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(fen: &str) -> Tapered {
        of(&Position::from_fen(fen).unwrap(), Color::White)
    }

    fn is_passed_on(square: &str, fen: &str) -> bool {
        is_passed(&Position::from_fen(fen).unwrap(), Color::White, square.parse().unwrap())
    }

    #[test]
    fn doubled_and_isolated_pawns_are_weak() {
        assert_eq!(white("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), Tapered::ZERO);
        assert_eq!(white("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1"), ISOLATED * 2);
        assert_eq!(white("4k3/8/8/8/8/P7/PP6/4K3 w - - 0 1"), DOUBLED);
    }

    #[test]
    fn a_pawn_is_passed_when_no_enemy_pawn_is_on_its_way_or_beside_it() {
        assert!(is_passed_on("e5", "4k3/2p3p1/8/4P3/8/8/8/4K3 w - - 0 1"));
        assert!(is_passed_on("e5", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"));
        assert!(!is_passed_on("e5", "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1"));
        assert!(!is_passed_on("e5", "4k3/4p3/8/4P3/8/8/8/4K3 w - - 0 1"));
    }

    #[test]
    fn a_pawn_with_as_many_supporters_as_guards_is_a_candidate() {
        assert_eq!(white("4k3/3p4/8/4PP2/8/8/8/4K3 w - - 0 1"), CANDIDATE[4]);
        assert_eq!(white("4k3/3p1p2/8/4PP2/8/8/8/4K3 w - - 0 1"), Tapered::ZERO);
    }
}
