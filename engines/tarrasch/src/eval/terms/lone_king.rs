//! Mating a lone king.

use super::super::feature::LONE_KING;
use super::super::trace::Trace;
use chess::{Bitboard, Color, PieceKind, Position, Square};

/// Drives a lone king to the edge (with bishop and knight, to a corner of the bishop's colour) and our king towards it.
///
/// The weights are chosen, not tuned, so that they outweigh all other terms: they guide the search until it sees the
/// mate.
pub fn count(position: &Position, us: Color, trace: &mut impl Trace) {
    if position.colored(!us).more_than_one() || !can_mate(position, us) {
        return;
    }
    let (ours, theirs) = (position.king(us), position.king(!us));
    let driven = if needs_right_corner(position, us) {
        wrong_diagonal_distance(theirs, position.pieces(us, PieceKind::Bishop))
    } else {
        centre_distance(theirs)
    };
    trace.add(us, LONE_KING.at(0), driven);
    trace.add(us, LONE_KING.at(1), 7 - i32::from(ours.distance(theirs)));
}

fn can_mate(position: &Position, us: Color) -> bool {
    let count = |kind| position.pieces(us, kind).count();
    let (knights, bishops) = (count(PieceKind::Knight), count(PieceKind::Bishop));
    count(PieceKind::Queen) + count(PieceKind::Rook) > 0 || bishops >= 2 || (bishops == 1 && knights >= 1)
}

fn needs_right_corner(position: &Position, us: Color) -> bool {
    let others = position.colored(us)
        & !(position.of_kind(PieceKind::King)
            | position.of_kind(PieceKind::Bishop)
            | position.of_kind(PieceKind::Knight));
    others.is_empty() && position.pieces(us, PieceKind::Bishop).count() == 1
}

/// The Manhattan distance from the four centre squares, 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let outward = |index: usize| if index < 4 { 3 - index } else { index - 4 } as i32;
    outward(square.file().index()) + outward(square.rank().index())
}

/// The distance from the diagonal between the corners that the bishop does not attack, 0 to 7. Unlike the distance from
/// the right corners, it changes with every step along the edge.
fn wrong_diagonal_distance(square: Square, bishop: Bitboard) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    let is_dark = (bishop & Bitboard::DARK).any();
    if is_dark { (7 - file - rank).abs() } else { (file - rank).abs() }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Term, explain};
    use super::*;

    fn eg(fen: &str) -> i32 {
        explain(&Position::from_fen(fen).unwrap()).score(Term::LoneKing, Color::White).eg()
    }

    #[test]
    fn a_lone_king_belongs_at_the_edge() {
        assert!(eg("k7/8/2K5/8/8/8/8/1R6 w - - 0 1") > eg("8/8/2K1k3/8/8/8/8/1R6 w - - 0 1"));
        assert_eq!(eg("k7/p7/2K5/8/8/8/8/R7 w - - 0 1"), 0);
    }

    #[test]
    fn bishop_and_knight_need_a_corner_of_the_bishops_colour() {
        // The bishop on c1 goes on dark squares; a1 is dark, a8 light.
        let right = eg("8/8/8/8/8/2K5/8/k1B1N3 w - - 0 1");
        let wrong = eg("k7/8/2K5/8/8/8/8/2B1N3 w - - 0 1");
        assert!(right > wrong);
        let on_the_way = eg("8/8/8/8/k7/2K5/8/2B1N3 w - - 0 1");
        assert!(right > on_the_way && on_the_way > eg("8/k7/8/8/8/2K5/8/2B1N3 w - - 0 1"));
    }
}
