//! What stands under attack, or soon will.

use super::super::attack_map::AttackMap;
use super::super::feature::{
    HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, QUEEN_HUNT, QUEEN_THREAT, RESTRICTED,
    ROOK_THREAT, SCREENED_QUEEN, WINNABLE,
};
use super::super::pawn_sets;
use super::super::tally::Tally;
use crate::chess::{Bitboard, Color, PieceKind, Position, Rank, Square, attacks};

/// What `us` threatens.
pub fn count(position: &Position, us: Color, ours: &AttackMap, theirs: &AttackMap, tally: &mut impl Tally) {
    let enemies = position.colored(!us) & !position.of_kind(PieceKind::King);
    let pieces = enemies & !position.of_kind(PieceKind::Pawn);
    // Defended by a pawn, or more often than attacked.
    let strong = theirs.by(PieceKind::Pawn) | theirs.twice & !ours.twice;
    let weak = enemies & ours.all & !strong;
    let by_minor = ours.by(PieceKind::Knight) | ours.by(PieceKind::Bishop);
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let victims = position.pieces(!us, kind);
        let index = kind.index();
        tally.add(us, PAWN_THREAT.at(index - 1), (victims & ours.by(PieceKind::Pawn)).count() as i32);
        tally.add(us, MINOR_THREAT.at(index), (victims & by_minor).count() as i32);
    }
    let weak_pawns = weak & position.of_kind(PieceKind::Pawn);
    tally.add(us, MINOR_THREAT.at(0), (weak_pawns & by_minor).count() as i32);
    let by_rook = ours.by(PieceKind::Rook);
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook] {
        let victims = weak & position.of_kind(kind);
        tally.add(us, ROOK_THREAT.at(kind.index()), (victims & by_rook).count() as i32);
    }
    let queens = position.pieces(!us, PieceKind::Queen);
    tally.add(us, ROOK_THREAT.at(PieceKind::Queen.index()), (queens & by_rook).count() as i32);
    let by_queen = weak & ours.by(PieceKind::Queen);
    let by_king = ours.by(PieceKind::King);
    let hanging = weak & !theirs.all;
    for (index, kind) in [(0, enemies & !pieces), (1, pieces)] {
        tally.add(us, KING_THREAT.at(index), (weak & by_king & kind).count() as i32);
        tally.add(us, HANGING.at(index), (hanging & kind).count() as i32);
        tally.add(us, QUEEN_THREAT.at(index), (by_queen & kind).count() as i32);
    }
    let majors = position.pieces(!us, PieceKind::Rook) | queens;
    let by_pawn = pawn_sets::attacks(position.pieces(us, PieceKind::Pawn) & (ours.all | !theirs.all), us);
    let winnable = pieces & (by_pawn | hanging) | majors & by_minor | queens & by_rook;
    count_winnable(position, us, winnable.count() as i32, tally);
    for queen in queens {
        count_queen_hunt(position, us, queen, ours, theirs, tally);
    }
    let attacked_by_steps = pawn_sets::attacks(safe_steps(position, us, ours, theirs), us);
    tally.add(us, PUSH_THREAT.at(0), (attacked_by_steps & pieces & !ours.by(PieceKind::Pawn)).count() as i32);
    let contested = ours.all & theirs.all & !theirs.by(PieceKind::Pawn) & !position.colored(!us);
    tally.add(us, RESTRICTED.at(0), contested.count() as i32);
}

/// Who is to move wins a piece, or saves one: only what is beyond the first is lost.
fn count_winnable(position: &Position, us: Color, pieces: i32, tally: &mut impl Tally) {
    let side = if position.side_to_move() == us { 0 } else { 2 };
    tally.add(us, WINNABLE.at(side), pieces.min(1));
    tally.add(us, WINNABLE.at(side + 1), (pieces - 1).max(0));
}

/// The squares from which the enemy queen could be attacked next, and our sliders that will attack it when the only
/// piece between moves away.
fn count_queen_hunt(
    position: &Position,
    us: Color,
    queen: Square,
    ours: &AttackMap,
    theirs: &AttackMap,
    tally: &mut impl Tally,
) {
    let is_safe = !theirs.all | ours.twice & !theirs.twice & !theirs.by(PieceKind::Pawn);
    let safe = is_safe & !position.colored(us);
    for (index, kind) in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook].into_iter().enumerate() {
        let from = attacks::of_kind(kind, queen, position.occupied());
        tally.add(us, QUEEN_HUNT.at(index), (from & ours.by(kind) & safe).count() as i32);
    }
    let snipers = attacks::rook_rays(queen) & position.pieces(us, PieceKind::Rook)
        | attacks::bishop_rays(queen) & position.pieces(us, PieceKind::Bishop);
    for sniper in snipers {
        let between = attacks::between(queen, sniper) & position.occupied();
        tally.add(us, SCREENED_QUEEN.at(0), i32::from(between.any() && !between.more_than_one()));
    }
}

/// The squares that our pawns can step to without being lost.
fn safe_steps(position: &Position, us: Color, ours: &AttackMap, theirs: &AttackMap) -> Bitboard {
    let empty = !position.occupied();
    let third = Bitboard::of_rank(Rank::Third.relative_to(us));
    let one = position.pieces(us, PieceKind::Pawn).forward(us) & empty;
    let two = (one & third).forward(us) & empty;
    (one | two) & !theirs.by(PieceKind::Pawn) & (ours.all | !theirs.all)
}
