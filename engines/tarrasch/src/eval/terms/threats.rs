//! Threats: attacked and hanging pieces, and attacks possible next move; and the control of squares.

use super::super::feature::{
    CONTROL, HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, QUEEN_ATTACK, QUEEN_THREAT,
    RESTRICTED, ROOK_THREAT, SPACE, WEAK_QUEEN, WINNABLE,
};
use super::super::pawn_sets;
use super::super::trace::Trace;
use super::AttackMap;
use chess::{Bitboard, Color, PieceKind, Position, Rank, Square, attacks};

pub fn count(position: &Position, us: Color, ours: &AttackMap, theirs: &AttackMap, trace: &mut impl Trace) {
    let threats = Threats::new(position, us, ours, theirs);
    threats.count_by_lesser(trace);
    threats.count_on_weak(trace);
    threats.count_winnable(trace);
    for queen in position.pieces(!us, PieceKind::Queen) {
        threats.count_queen_attacks(queen, trace);
    }
    threats.count_pushes(trace);
    let contested = ours.all & theirs.all & !theirs.by(PieceKind::Pawn) & !position.colored(!us);
    trace.add(us, RESTRICTED.at(0), contested.count() as i32);
}

/// The attacks of both sides, and the enemy's pieces.
struct Threats<'a> {
    position: &'a Position,
    us: Color,
    ours: &'a AttackMap,
    theirs: &'a AttackMap,
    /// The enemy's pieces and pawns without the king.
    enemies: Bitboard,
    /// The enemy's pieces without king and pawns.
    pieces: Bitboard,
    /// The `enemies` that we attack, not defended by a pawn, and not defended twice unless attacked twice.
    weak: Bitboard,
}

impl<'a> Threats<'a> {
    fn new(position: &'a Position, us: Color, ours: &'a AttackMap, theirs: &'a AttackMap) -> Self {
        let enemies = position.colored(!us) & !position.of_kind(PieceKind::King);
        let pieces = enemies & !position.of_kind(PieceKind::Pawn);
        let strong = theirs.by(PieceKind::Pawn) | theirs.twice & !ours.twice;
        let weak = enemies & ours.all & !strong;
        Threats { position, us, ours, theirs, enemies, pieces, weak }
    }

    fn by_minor(&self) -> Bitboard {
        self.ours.by(PieceKind::Knight) | self.ours.by(PieceKind::Bishop)
    }

    /// Pieces attacked by a pawn or a minor piece, and the queen by a rook, whether defended or not.
    fn count_by_lesser(&self, trace: &mut impl Trace) {
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            let victims = self.position.pieces(!self.us, kind);
            let by_pawn = victims & self.ours.by(PieceKind::Pawn);
            trace.add(self.us, PAWN_THREAT.at(kind.index() - 1), by_pawn.count() as i32);
            trace.add(self.us, MINOR_THREAT.at(kind.index()), (victims & self.by_minor()).count() as i32);
        }
        let queens = self.position.pieces(!self.us, PieceKind::Queen) & self.ours.by(PieceKind::Rook);
        trace.add(self.us, ROOK_THREAT.at(PieceKind::Queen.index()), queens.count() as i32);
    }

    /// Weak pieces and pawns, by their attackers, and hanging ones.
    fn count_on_weak(&self, trace: &mut impl Trace) {
        let weak_pawns = self.weak & self.position.of_kind(PieceKind::Pawn);
        trace.add(self.us, MINOR_THREAT.at(0), (weak_pawns & self.by_minor()).count() as i32);
        let by_rook = self.weak & self.ours.by(PieceKind::Rook);
        for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook] {
            let victims = by_rook & self.position.of_kind(kind);
            trace.add(self.us, ROOK_THREAT.at(kind.index()), victims.count() as i32);
        }
        let by_king = self.weak & self.ours.by(PieceKind::King);
        let by_queen = self.weak & self.ours.by(PieceKind::Queen);
        for (index, kind) in [(0, self.enemies & !self.pieces), (1, self.pieces)] {
            trace.add(self.us, KING_THREAT.at(index), (by_king & kind).count() as i32);
            trace.add(self.us, HANGING.at(index), (self.hanging() & kind).count() as i32);
            trace.add(self.us, QUEEN_THREAT.at(index), (by_queen & kind).count() as i32);
        }
    }

    /// Weak and undefended.
    fn hanging(&self) -> Bitboard {
        self.weak & !self.theirs.all
    }

    /// Pieces that a capture would win: the side to move wins or saves the first, so further ones count separately.
    fn count_winnable(&self, trace: &mut impl Trace) {
        let (position, us) = (self.position, self.us);
        let queens = position.pieces(!us, PieceKind::Queen);
        let majors = position.pieces(!us, PieceKind::Rook) | queens;
        let safe_pawns = position.pieces(us, PieceKind::Pawn) & (self.ours.all | !self.theirs.all);
        let winnable = self.pieces & (pawn_sets::attacks(safe_pawns, us) | self.hanging())
            | majors & self.by_minor()
            | queens & self.ours.by(PieceKind::Rook);
        let count = winnable.count() as i32;
        let side = if position.side_to_move() == us { 0 } else { 2 };
        trace.add(us, WINNABLE.at(side), count.min(1));
        trace.add(us, WINNABLE.at(side + 1), (count - 1).max(0));
    }

    /// Safe squares to attack the enemy queen from, and pins of or discovered attacks on it.
    fn count_queen_attacks(&self, queen: Square, trace: &mut impl Trace) {
        let (position, us, ours, theirs) = (self.position, self.us, self.ours, self.theirs);
        let is_safe = !theirs.all | ours.twice & !theirs.twice & !theirs.by(PieceKind::Pawn);
        let safe = is_safe & !position.colored(us);
        for (index, kind) in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook].into_iter().enumerate() {
            let from = attacks::of_kind(kind, queen, position.occupied());
            trace.add(us, QUEEN_ATTACK.at(index), (from & ours.by(kind) & safe).count() as i32);
        }
        let snipers = attacks::rook_rays(queen) & position.pieces(us, PieceKind::Rook)
            | attacks::bishop_rays(queen) & position.pieces(us, PieceKind::Bishop);
        for sniper in snipers {
            let between = attacks::between(queen, sniper) & position.occupied();
            trace.add(us, WEAK_QUEEN.at(0), i32::from(between.any() && !between.more_than_one()));
        }
    }

    /// Pieces that a safe pawn push would attack.
    fn count_pushes(&self, trace: &mut impl Trace) {
        let attacked = pawn_sets::attacks(self.safe_pushes(), self.us) & !self.ours.by(PieceKind::Pawn);
        trace.add(self.us, PUSH_THREAT.at(0), (attacked & self.pieces).count() as i32);
    }

    /// The target squares of safe pawn pushes.
    fn safe_pushes(&self) -> Bitboard {
        let empty = !self.position.occupied();
        let third = Bitboard::of_rank(Rank::Third.relative_to(self.us));
        let one = self.position.pieces(self.us, PieceKind::Pawn).forward(self.us) & empty;
        let two = (one & third).forward(self.us) & empty;
        (one | two) & !self.theirs.by(PieceKind::Pawn) & (self.ours.all | !self.theirs.all)
    }
}

/// The ranks 2 to 4 of the files c to f.
const CENTRE_OF_WHITE: Bitboard = Bitboard::new(0x0000_0000_3C3C_3C00);
/// The divisor of squares × pieces.
const DIVISOR: i32 = 8;

/// Controlled squares; and the safe squares in the centre of our half, those behind own pawns twice, times our pieces.
pub fn count_space(
    position: &Position,
    us: Color,
    ours: &AttackMap,
    theirs: &AttackMap,
    trace: &mut impl Trace,
) {
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
