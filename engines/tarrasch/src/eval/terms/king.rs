//! King safety: shelter, pawn storm and king danger.

use super::super::feature::{
    ATTACK_TO_MOVE, ATTACKER, CASTLING, DANGER, DISCOVERED_ATTACK, FLIGHT, KING_FLANK, KING_FROM_PAWNS,
    KNIGHT_DEFENDER, NO_QUEEN, OPEN_SHELTER, PAWN_STORM, PINNED, RING_ATTACK, RING_PAWN, SAFE_CHECK, SHELTER,
    STORM, UNSAFE_CHECK, WEAK_RING,
};
use super::super::pawn_sets;
use super::super::trace::Trace;
use super::AttackMap;
use chess::{Bitboard, CastlingSide, Color, File, PieceKind, Position, Square, attacks};

/// No pawn on the file.
const NO_PAWN: usize = 7;

/// The nearest pawns of both sides on the king's file and the files beside it. Depends only on the pawns and our king.
pub fn count_shelter(position: &Position, us: Color, trace: &mut impl Trace) {
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
        let distance = |pawn: Option<usize>| pawn.map_or(NO_PAWN, |pawn| pawn - rank);
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

/// The ranks 1 to 5.
const CAMP_OF_WHITE: Bitboard = Bitboard::new(0x0000_00FF_FFFF_FFFF);

/// The attack of `us` on the enemy king. Without a queen it takes two attackers.
pub fn count_attack(
    position: &Position,
    us: Color,
    ours: &AttackMap,
    theirs: &AttackMap,
    trace: &mut impl Trace,
) {
    let has_queen = position.pieces(us, PieceKind::Queen).any();
    let attackers: u8 = ours.attackers.iter().sum();
    if attackers < 2 - u8::from(has_queen) {
        return;
    }
    trace.add_danger(us, DANGER.at(0), 1);
    for (index, &count) in ours.attackers.iter().enumerate() {
        trace.add_danger(us, ATTACKER.at(index), i32::from(count));
    }
    trace.add_danger(us, RING_ATTACK.at(0), i32::from(ours.ring_attacks));
    let badly_defended = !theirs.all
        | theirs.by(PieceKind::King) & !theirs.twice
        | theirs.by(PieceKind::Queen) & !theirs.twice;
    let weak = ours.all & badly_defended;
    trace.add_danger(us, WEAK_RING.at(0), (weak & ours.ring).count() as i32);
    if !has_queen {
        trace.add_danger(us, NO_QUEEN.at(0), 1);
    }
    if (theirs.by(PieceKind::Knight) & ours.ring).any() {
        trace.add_danger(us, KNIGHT_DEFENDER.at(0), 1);
    }
    let king = position.king(!us);
    count_checks(position, us, king, weak, ours, theirs, trace);
    count_flank(us, king, ours, theirs, trace);
    let files = king.bitboard() | pawn_sets::beside(king.bitboard());
    let sheltered = pawn_sets::files(position.pieces(!us, PieceKind::Pawn));
    trace.add_danger(us, OPEN_SHELTER.at(0), (files & !sheltered).count() as i32);
    let between = alone_between(position, us, king);
    trace.add_danger(us, PINNED.at(0), (between & position.colored(!us)).count() as i32);
    trace.add_danger(us, DISCOVERED_ATTACK.at(0), (between & position.colored(us)).count() as i32);
    let flight = attacks::king(king) & !ours.all & !position.colored(!us);
    trace.add_danger(us, FLIGHT.at(0), flight.count() as i32);
    trace.add_danger(us, ATTACK_TO_MOVE.at(0), i32::from(position.side_to_move() == us));
    trace.add_danger(us, RING_PAWN.at(0), (ours.by(PieceKind::Pawn) & ours.ring).count() as i32);
    let before_king = files | pawn_sets::in_front(files, !us);
    for pawn in position.pieces(us, PieceKind::Pawn) & before_king {
        trace.add_danger(us, PAWN_STORM.at(pawn.relative_to(us).rank().index()), 1);
    }
}

/// The squares for safe and unsafe checks.
fn count_checks(
    position: &Position,
    us: Color,
    king: Square,
    weak: Bitboard,
    ours: &AttackMap,
    theirs: &AttackMap,
    trace: &mut impl Trace,
) {
    let occupied = position.occupied() & !position.pieces(!us, PieceKind::Queen);
    let safe = !position.colored(us) & (!theirs.all | weak & ours.twice);
    let diagonal = attacks::of_kind(PieceKind::Bishop, king, occupied);
    let straight = attacks::of_kind(PieceKind::Rook, king, occupied);
    let from = [attacks::knight(king), diagonal, straight, diagonal | straight];
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let mut without_safety = Bitboard::EMPTY;
    for (index, (from, kind)) in from.into_iter().zip(kinds).enumerate() {
        let checks = from & ours.by(kind) & !position.colored(us);
        trace.add_danger(us, SAFE_CHECK.at(index), (checks & safe).count().min(2) as i32);
        without_safety |= checks & !safe;
    }
    trace.add_danger(us, UNSAFE_CHECK.at(0), without_safety.count() as i32);
}

fn count_flank(us: Color, king: Square, ours: &AttackMap, theirs: &AttackMap, trace: &mut impl Trace) {
    let camp = match us {
        Color::White => Bitboard::new(CAMP_OF_WHITE.bits().swap_bytes()),
        Color::Black => CAMP_OF_WHITE,
    };
    let near = pawn_sets::files(king.bitboard());
    let near = near | pawn_sets::beside(near);
    let wing = camp & (near | pawn_sets::beside(near));
    trace.add_danger(us, KING_FLANK.at(0), (wing & ours.all).count() as i32);
    trace.add_danger(us, KING_FLANK.at(1), (wing & ours.twice).count() as i32);
    trace.add_danger(us, KING_FLANK.at(2), (wing & theirs.all).count() as i32);
}

/// The pieces of either side that stand alone between the enemy king and our slider.
fn alone_between(position: &Position, us: Color, king: Square) -> Bitboard {
    let snipers = attacks::rook_rays(king) & position.straight_sliders(us)
        | attacks::bishop_rays(king) & position.diagonal_sliders(us);
    let mut alone = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & position.occupied();
        if !between.more_than_one() {
            alone |= between;
        }
    }
    alone
}
