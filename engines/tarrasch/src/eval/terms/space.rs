//! Space and control of squares.

use super::super::attack_map::AttackMap;
use super::super::feature::{CONTROL, SPACE};
use super::super::pawn_sets;
use super::super::trace::Trace;
use chess::{Bitboard, Color, PieceKind, Position};

/// The ranks 2 to 4 of the files c to f.
const CENTRE_OF_WHITE: Bitboard = Bitboard::new(0x0000_0000_3C3C_3C00);
/// The divisor of squares × pieces.
const DIVISOR: i32 = 8;

/// Controlled squares; and the safe squares in the centre of our half, those behind own pawns twice, times our pieces.
pub fn count(position: &Position, us: Color, ours: &AttackMap, theirs: &AttackMap, trace: &mut impl Trace) {
    trace.add(us, CONTROL.at(0), (ours.all & !theirs.all).count() as i32);
    trace.add(us, CONTROL.at(1), (ours.twice & theirs.all & !theirs.twice).count() as i32);
    let area = match us {
        Color::White => CENTRE_OF_WHITE,
        Color::Black => Bitboard::new(CENTRE_OF_WHITE.bits().swap_bytes()),
    };
    let pawns = position.pieces(us, PieceKind::Pawn);
    let safe = area & !pawns & !theirs.by(PieceKind::Pawn);
    let behind = safe & pawn_sets::in_front(pawns, !us);
    let squares = (safe.count() + behind.count()) as i32;
    let pieces = (position.colored(us) & !pawns).count() as i32;
    trace.add(us, SPACE.at(0), squares * pieces / DIVISOR);
}
