//! King shelter and pawn storm.

use super::super::feature::{CASTLING, KING_FROM_PAWNS, SHELTER, STORM};
use super::super::pawn_sets;
use super::super::trace::Trace;
use chess::{Bitboard, CastlingSide, Color, File, PieceKind, Position};

/// No pawn on the file.
const NONE: usize = 7;

/// The nearest pawns of both sides on the king's file and the files beside it. Depends only on the pawns and our king.
pub fn count(position: &Position, us: Color, trace: &mut impl Trace) {
    let king = position.king(us);
    let rank = king.relative_to(us).rank().index();
    let around = king.bitboard() | pawn_sets::beside(king.bitboard());
    let ahead = around | pawn_sets::in_front(around, us);
    let ours = position.pieces(us, PieceKind::Pawn) & ahead;
    let theirs = position.pieces(!us, PieceKind::Pawn) & ahead;
    for square in around {
        let file = Bitboard::of_file(square.file());
        let edge = distance_from_edge(square.file());
        let (shield, attacker) = (nearest(ours & file, us), nearest(theirs & file, us));
        let distance = |pawn: Option<usize>| pawn.map_or(NONE, |pawn| pawn - rank);
        let is_beside = usize::from(square.file() != king.file());
        trace.add(us, SHELTER.at(is_beside * 32 + edge * 8 + distance(shield)), 1);
        let is_blocked = usize::from(shield.is_some() && attacker == shield.map(|pawn| pawn + 1));
        trace.add(us, STORM.at(is_blocked * 32 + edge * 8 + distance(attacker)), 1);
    }
}

/// The distance of our king from the pawns of both sides.
pub fn count_pawn_distance(position: &Position, us: Color, trace: &mut impl Trace) {
    let pawns = position.of_kind(PieceKind::Pawn);
    let steps = || pawns.into_iter().map(|pawn| i32::from(position.king(us).distance(pawn)));
    if let Some(nearest) = steps().min() {
        trace.add(us, KING_FROM_PAWNS.at(0), nearest);
        trace.add(us, KING_FROM_PAWNS.at(1), 2 * steps().sum::<i32>() / pawns.count() as i32);
    }
}

/// Castling rights.
pub fn count_rights(position: &Position, us: Color, trace: &mut impl Trace) {
    let king = position.king(us);
    for (index, side) in [CastlingSide::King, CastlingSide::Queen].into_iter().enumerate() {
        let may_castle = position.castling().rook(us, side, king).is_some();
        trace.add(us, CASTLING.at(index), may_castle.into());
    }
}

fn distance_from_edge(file: File) -> usize {
    file.index().min(7 - file.index())
}

/// The relative rank of the pawn nearest to our first rank.
fn nearest(pawns: Bitboard, us: Color) -> Option<usize> {
    let nearest = match us {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    };
    nearest.map(|square| square.relative_to(us).rank().index())
}

#[cfg(test)]
mod tests {
    use super::super::super::{Term, explain};
    use super::*;

    #[test]
    fn a_king_behind_its_pawns_is_safer() {
        let shelter =
            |fen: &str| explain(&Position::from_fen(fen).unwrap()).score(Term::Shelter, Color::White).mg();
        let intact = shelter("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1");
        let pushed = shelter("4k3/8/8/8/6P1/8/5P1P/6K1 w - - 0 1");
        let stormed = shelter("4k3/8/8/8/8/6p1/5P1P/6K1 w - - 0 1");
        assert!(stormed < intact && pushed < intact, "{stormed} {pushed} {intact}");
    }
}
