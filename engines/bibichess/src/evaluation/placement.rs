//! Where the pieces stand (§3.2.2): no knights at the edge, no king in the centre before the endgame, pawns in the
//! centre.

use chess::{Color, PieceKind, Position, Square};

use super::Tapered;

/// What all pieces of one side get for where they stand.
pub fn of(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for square in position.colored(side) {
        if let Some(kind) = position.kind_on(square) {
            sum += of_piece(kind, square.relative_to(side));
        }
    }
    sum
}

/// What a piece gets for standing on a square, as its side sees the board.
fn of_piece(kind: PieceKind, square: Square) -> Tapered {
    /// A king on its own ranks, by the steps of its file from the edge: behind the pawns of a wing it is safest.
    const KING_FILE: [i32; 4] = [20, 25, 0, -5];
    /// The same by its rank: the further forward the worse.
    const KING_RANK: [i32; 8] = [0, -20, -40, -60, -70, -80, -80, -80];
    /// A pawn in the opening by the steps of its file from the edge.
    const PAWN_FILE: [i32; 4] = [-6, -2, 4, 8];
    /// What a pawn on a middle file gets for its rank on top: the centre is to be controlled from the fourth rank.
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

/// Steps from the nearer edge, 0 to 3.
const fn from_edge(index: usize) -> usize {
    if index < 4 { index } else { 7 - index }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: PieceKind, square: &str) -> Tapered {
        of_piece(kind, square.parse().unwrap())
    }

    #[test]
    fn knights_are_better_off_away_from_the_edge() {
        assert!(at(PieceKind::Knight, "c3").opening > at(PieceKind::Knight, "a3").opening + 10);
    }

    #[test]
    fn the_king_hides_in_the_opening_and_comes_out_in_the_endgame() {
        let (castled, central) = (at(PieceKind::King, "g1"), at(PieceKind::King, "d4"));
        assert!(castled.opening > central.opening);
        assert!(castled.endgame < central.endgame);
    }

    #[test]
    fn pawns_belong_in_the_centre() {
        assert!(at(PieceKind::Pawn, "e4").opening > at(PieceKind::Pawn, "e2").opening);
        assert!(at(PieceKind::Pawn, "e4").opening > at(PieceKind::Pawn, "h4").opening);
    }
}
