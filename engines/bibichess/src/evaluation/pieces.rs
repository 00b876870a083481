//! Evaluation terms for pieces (§3.2.2): where they stand (no knights at the edge, no king in the centre before the
//! endgame, pawns in the centre), where they can go, pieces in each other's way, rooks on open files and on the seventh
//! rank, and attacks on the squares around the enemy king.

use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square, attacks};

use super::Tapered;

pub fn placement(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for square in position.colored(side) {
        if let Some(kind) = position.kind_on(square) {
            sum += placement_of_piece(kind, square.relative_to(side));
        }
    }
    sum
}

fn placement_of_piece(kind: PieceKind, square: Square) -> Tapered {
    /// The king's score by the distance of its file from the edge: it is safest behind the pawns of a wing.
    const KING_FILE: [i32; 4] = [20, 25, 0, -5];
    /// The king's score by its rank: the further forward, the worse.
    const KING_RANK: [i32; 8] = [0, -20, -40, -60, -70, -80, -80, -80];
    /// A pawn's score in the opening, by the distance of its file from the edge.
    const PAWN_FILE: [i32; 4] = [-6, -2, 4, 8];
    /// Added for a pawn on a middle file, by its rank: the centre should be controlled from the fourth rank.
    const CENTRE_PAWN_RANK: [i32; 8] = [0, -12, 0, 14, 16, 16, 16, 0];

    let (file, rank) = (from_edge(square.file().index()), from_edge(square.rank().index()));
    let advance = square.rank().index();
    let centrality = (file + rank) as i32;
    match kind {
        PieceKind::Pawn => {
            let in_centre = if file == 3 { CENTRE_PAWN_RANK[advance] } else { 0 };
            Tapered::new(PAWN_FILE[file] + in_centre, 4 * advance as i32)
        }
        PieceKind::Knight => {
            let at_edge = if file == 0 || rank == 0 { -10 } else { 0 };
            Tapered::new(6 * centrality - 18 + at_edge, 4 * centrality - 12 + at_edge)
        }
        PieceKind::Bishop => Tapered::new(3 * centrality - 9, 2 * centrality - 6),
        PieceKind::Rook => Tapered::new(3 * file as i32 - 4, 0),
        PieceKind::Queen => Tapered::new(centrality - 3, 4 * centrality - 12),
        PieceKind::King => Tapered::new(KING_FILE[file] + KING_RANK[advance], 9 * centrality - 27),
    }
}

const fn from_edge(index: usize) -> usize {
    if index < 4 { index } else { 7 - index }
}

/// The score per square of mobility, and the number of squares that counts as zero.
const WEIGHTS: [(PieceKind, Tapered, i32); 4] = [
    (PieceKind::Knight, Tapered::new(4, 4), 4),
    (PieceKind::Bishop, Tapered::new(4, 4), 6),
    (PieceKind::Rook, Tapered::new(2, 4), 7),
    (PieceKind::Queen, Tapered::new(1, 2), 13),
];

pub fn mobility(position: &Position, side: Color) -> Tapered {
    let free = !position.colored(side) & !pawn_attacks(position, !side);
    let occupied = position.occupied();
    let mut sum = Tapered::ZERO;
    for (kind, weight, usual) in WEIGHTS {
        for from in position.pieces(side, kind) {
            let squares = (attacks::of_kind(kind, from, occupied) & free).count() as i32;
            sum += weight * (squares - usual);
        }
    }
    sum
}

fn pawn_attacks(position: &Position, side: Color) -> Bitboard {
    let ahead = position.pieces(side, PieceKind::Pawn).forward(side);
    ahead.east() | ahead.west()
}

/// A rook shut in behind three unmoved pawns, with its king beside it.
const SHUT_IN_ROOK: Tapered = Tapered::new(-50, 0);
/// A bishop on the seventh rank at the edge, with an enemy pawn blocking its way back.
const TRAPPED_BISHOP: Tapered = Tapered::always(-120);

/// A wing of the board, from the edge inwards: the three files whose pawns shut in a rook.
struct Wing {
    files: [File; 3],
}

const WINGS: [Wing; 2] =
    [Wing { files: [File::A, File::B, File::C] }, Wing { files: [File::H, File::G, File::F] }];

pub fn patterns(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for wing in &WINGS {
        if wing.has_shut_in_rook(position, side) {
            sum += SHUT_IN_ROOK;
        }
        if wing.has_trapped_bishop(position, side) {
            sum += TRAPPED_BISHOP;
        }
    }
    sum
}

impl Wing {
    fn has_shut_in_rook(&self, position: &Position, side: Color) -> bool {
        let [edge, second, third] = self.files;
        let at = |file, rank: Rank| Square::new(file, rank.relative_to(side)).bitboard();
        let home = |file| at(file, Rank::First);
        let pawns: Bitboard =
            self.files.map(|file| Square::new(file, Rank::Second.relative_to(side))).into_iter().collect();
        let king = position.pieces(side, PieceKind::King);
        let rook = position.pieces(side, PieceKind::Rook);
        let is_behind_king = ((home(third) & king).any() && (rook & (home(edge) | home(second))).any())
            || ((home(second) & king).any() && (rook & home(edge)).any());
        is_behind_king && (pawns & !position.pieces(side, PieceKind::Pawn)).is_empty()
    }

    fn has_trapped_bishop(&self, position: &Position, side: Color) -> bool {
        let [edge, second, _] = self.files;
        let bishop = Square::new(edge, Rank::Seventh.relative_to(side));
        let pawn = Square::new(second, Rank::Sixth.relative_to(side));
        position.pieces(side, PieceKind::Bishop).has(bishop)
            && position.pieces(!side, PieceKind::Pawn).has(pawn)
    }
}

/// A rook on a file without pawns. The bonus is small, because mobility counts as well.
const OPEN_FILE: Tapered = Tapered::new(12, 6);
/// A rook on the starting rank of the enemy pawns.
const SEVENTH_RANK: Tapered = Tapered::new(16, 20);

pub fn rooks(position: &Position, side: Color) -> Tapered {
    let seventh = Rank::Seventh.relative_to(side);
    let mut sum = Tapered::ZERO;
    for rook in position.pieces(side, PieceKind::Rook) {
        if (Bitboard::of_file(rook.file()) & position.of_kind(PieceKind::Pawn)).is_empty() {
            sum += OPEN_FILE;
        }
        if rook.rank() == seventh {
            sum += SEVENTH_RANK;
        }
    }
    sum
}

/// For each attacked square, counted once per attacker beyond the first.
const WEIGHT: Tapered = Tapered::new(5, 1);
const ATTACKERS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// One side's attack on the other's king. Defenders count nothing.
pub fn king_attack(position: &Position, side: Color) -> Tapered {
    let beside_king = attacks::king(position.king(!side));
    let occupied = position.occupied();
    let (mut attackers, mut squares) = (0, 0);
    for kind in ATTACKERS {
        for from in position.pieces(side, kind) {
            let attacked = (attacks::of_kind(kind, from, occupied) & beside_king).count() as i32;
            attackers += i32::from(attacked > 0);
            squares += attacked;
        }
    }
    WEIGHT * (squares * (attackers - 1).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: PieceKind, square: &str) -> Tapered {
        placement_of_piece(kind, square.parse().unwrap())
    }

    #[test]
    fn pieces_stand_where_they_do_most() {
        assert!(at(PieceKind::Knight, "c3").opening > at(PieceKind::Knight, "a3").opening + 10);
        let (castled, central) = (at(PieceKind::King, "g1"), at(PieceKind::King, "d4"));
        assert!(castled.opening > central.opening);
        assert!(castled.endgame < central.endgame);
        assert!(at(PieceKind::Pawn, "e4").opening > at(PieceKind::Pawn, "e2").opening);
        assert!(at(PieceKind::Pawn, "e4").opening > at(PieceKind::Pawn, "h4").opening);
    }

    #[test]
    fn a_square_that_a_pawn_attacks_does_not_count() {
        let open = Position::from_fen("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1").unwrap();
        let watched = Position::from_fen("4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(mobility(&open, Color::White), Tapered::new(16, 16));
        assert_eq!(mobility(&watched, Color::White), Tapered::new(8, 8), "c6 and e6 are watched");
    }

    fn patterns_of(fen: &str) -> Tapered {
        patterns(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn what_is_shut_in_or_trapped_is_worth_less() {
        assert_eq!(patterns_of("4k3/8/8/8/8/8/5PPP/5K1R w - - 0 1"), SHUT_IN_ROOK);
        assert_eq!(patterns_of("4k3/8/8/8/8/8/PPP5/R1K5 w - - 0 1"), SHUT_IN_ROOK);
        assert_eq!(patterns_of("4k3/8/8/8/8/7P/5PP1/5K1R w - - 0 1"), Tapered::ZERO, "it gets out by h2");
        assert_eq!(patterns_of("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1"), Tapered::ZERO, "castled");
        assert_eq!(patterns_of("4k3/5p1B/6p1/8/8/8/8/4K3 w - - 0 1"), TRAPPED_BISHOP);
        assert_eq!(patterns_of("4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1"), TRAPPED_BISHOP);
        assert_eq!(patterns_of("4k3/7B/8/6p1/8/8/8/4K3 w - - 0 1"), Tapered::ZERO);
    }

    #[test]
    fn a_rook_likes_open_files_and_the_seventh_rank() {
        let rooks_of = |fen| rooks(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(rooks_of("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), Tapered::ZERO);
        assert_eq!(rooks_of("4k3/p7/8/8/8/8/8/1R2K3 w - - 0 1"), OPEN_FILE);
        assert_eq!(rooks_of("4k3/pR6/8/8/8/8/8/4K3 w - - 0 1"), OPEN_FILE + SEVENTH_RANK);
    }

    #[test]
    fn a_single_piece_is_no_attack() {
        let attack_of = |fen| king_attack(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(attack_of("6k1/8/8/8/8/8/8/K5R1 b - - 0 1"), Tapered::ZERO);
        assert_eq!(attack_of("7k/8/8/8/8/8/8/K5RR b - - 0 1"), WEIGHT * 3, "g7 and g8, and h7");
    }
}
