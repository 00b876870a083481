//! Mobility and other features of knights, bishops, rooks and queens.

use super::super::feature::{
    BEHIND_PAWN, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWN, BLOCKED_BISHOP, BY_PAWN_COUNT, CLOSED_KNIGHT,
    CLOSED_ROOK, FROM_OWN_KING, Group, KNIGHT_MOBILITY, LONG_DIAGONAL, NEAR_OUTPOST, OUTPOST,
    PAWN_ON_BISHOP_DIAGONAL, QUEEN_MOBILITY, RING_XRAY, ROOK_FILE, ROOK_MOBILITY, ROOK_ON_KING_LINE,
    ROOK_ON_SEVENTH, TRAPPED_BISHOP, TRAPPED_ROOK,
};
use super::super::pawn_sets::{self, PawnInfo};
use super::super::trace::Trace;
use super::AttackMap;
use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square, attacks};

/// The ranks 4 to 6: the outposts of White.
const OUTPOST_RANKS: Bitboard = Bitboard::new(0x0000_FFFF_FF00_0000);
/// d4, e4, d5 and e5.
const CENTRE: Bitboard = Bitboard::new(0x0000_0018_1800_0000);
const CENTRE_FILES: Bitboard = Bitboard::new(0x3C3C_3C3C_3C3C_3C3C);
/// The mobility up to which a rook may be trapped.
const TRAPPED_MOBILITY: usize = 3;

/// Counts the pieces of `us` and adds their attacks to `map`.
pub fn count(position: &Position, us: Color, pawns: &PawnInfo, map: &mut AttackMap, trace: &mut impl Trace) {
    let seen = Board::new(position, us, pawns);
    for square in position.pieces(us, PieceKind::Knight) {
        seen.mobility(KNIGHT_MOBILITY, PieceKind::Knight, square, map, trace);
        seen.minor_piece(0, square, trace);
        trace.add(us, CLOSED_KNIGHT.at(pawns.closedness.into()), 1);
    }
    for square in position.pieces(us, PieceKind::Bishop) {
        seen.mobility(BISHOP_MOBILITY, PieceKind::Bishop, square, map, trace);
        seen.minor_piece(2, square, trace);
        seen.bishop(square, map.ring, trace);
    }
    for square in position.pieces(us, PieceKind::Rook) {
        let moves = seen.mobility(ROOK_MOBILITY, PieceKind::Rook, square, map, trace);
        seen.rook(square, moves, trace);
        seen.aim_of_rook(square, map.ring, trace);
        trace.add(us, CLOSED_ROOK.at(pawns.closedness.into()), 1);
    }
    for square in position.pieces(us, PieceKind::Queen) {
        seen.mobility(QUEEN_MOBILITY, PieceKind::Queen, square, map, trace);
    }
    seen.whole_side(trace);
}

/// The state that all pieces of one side use.
struct Board<'a> {
    position: &'a Position,
    us: Color,
    /// The mobility area: all squares but those of our king and pawns, and those attacked by enemy pawns.
    area: Bitboard,
    /// The squares of the ranks 4 to 6 that enemy pawns can never attack.
    outposts: Bitboard,
    attacked_by_pawns: Bitboard,
    our_pawns: Bitboard,
    all_pawns: Bitboard,
}

impl Board<'_> {
    fn new<'a>(position: &'a Position, us: Color, pawns: &PawnInfo) -> Board<'a> {
        let our_pawns = position.pieces(us, PieceKind::Pawn);
        let ranks = match us {
            Color::White => OUTPOST_RANKS,
            Color::Black => Bitboard::new(OUTPOST_RANKS.bits().swap_bytes()),
        };
        Board {
            position,
            us,
            area: !(our_pawns | position.pieces(us, PieceKind::King) | pawns.attacks[(!us).index()]),
            outposts: ranks & !pawns.spans[(!us).index()],
            attacked_by_pawns: pawns.attacks[us.index()],
            our_pawns,
            all_pawns: position.of_kind(PieceKind::Pawn),
        }
    }

    /// Counts the mobility of a piece, returns it, and adds the attacks to the map. Bishops x-ray own queens, rooks own
    /// rooks and queens.
    #[inline]
    fn mobility(
        &self,
        group: Group,
        kind: PieceKind,
        square: Square,
        map: &mut AttackMap,
        trace: &mut impl Trace,
    ) -> usize {
        let transparent = match kind {
            PieceKind::Bishop => self.position.pieces(self.us, PieceKind::Queen),
            PieceKind::Rook => self.position.straight_sliders(self.us),
            _ => Bitboard::EMPTY,
        };
        let attacked = attacks::of_kind(kind, square, self.position.occupied() & !transparent);
        map.add(kind, attacked);
        let squares = (attacked & self.area).count() as usize;
        trace.add(self.us, group.at(squares), 1);
        if matches!(kind, PieceKind::Knight | PieceKind::Bishop) && !self.outposts.has(square) {
            let near = attacked & self.outposts & self.attacked_by_pawns & !self.position.colored(self.us);
            let index = usize::from(kind == PieceKind::Bishop);
            trace.add(self.us, NEAR_OUTPOST.at(index), near.any().into());
        }
        squares
    }

    /// Features of both minor pieces. `kind` is 0 for a knight, 2 for a bishop.
    fn minor_piece(&self, kind: usize, square: Square, trace: &mut impl Trace) {
        if self.outposts.has(square) {
            let defended = usize::from(self.attacked_by_pawns.has(square));
            trace.add(self.us, OUTPOST.at(kind + defended), 1);
        }
        if (square.bitboard().forward(self.us) & self.all_pawns).any() {
            trace.add(self.us, BEHIND_PAWN.at(0), 1);
        }
        let distance = square.distance(self.position.king(self.us));
        trace.add(self.us, FROM_OWN_KING.at(kind / 2), distance.into());
    }

    fn bishop(&self, square: Square, ring: Bitboard, trace: &mut impl Trace) {
        let its_color = if Bitboard::DARK.has(square) { Bitboard::DARK } else { !Bitboard::DARK };
        trace.add(self.us, BISHOP_PAWN.at(0), (self.our_pawns & its_color).count() as i32);
        let blocked = self.our_pawns & self.position.occupied().forward(!self.us) & CENTRE_FILES;
        let hemmed_in = (self.our_pawns & its_color).count() * blocked.count();
        trace.add(self.us, BLOCKED_BISHOP.at(0), hemmed_in as i32);
        let rays = attacks::bishop_rays(square);
        trace.add(
            self.us,
            PAWN_ON_BISHOP_DIAGONAL.at(0),
            (rays & self.all_pawns & !self.our_pawns).count() as i32,
        );
        trace.add(self.us, RING_XRAY.at(0), (rays & ring).any().into());
        let seen = attacks::of_kind(PieceKind::Bishop, square, self.all_pawns) | square.bitboard();
        if (seen & CENTRE).more_than_one() {
            trace.add(self.us, LONG_DIAGONAL.at(0), 1);
        }
        if self.is_trapped_bishop(square) {
            trace.add(self.us, TRAPPED_BISHOP.at(0), 1);
        }
    }

    /// Whether a bishop on a7 or h7 is trapped by an enemy pawn on b6 or g6.
    fn is_trapped_bishop(&self, square: Square) -> bool {
        let seen = square.relative_to(self.us);
        let is_corner = seen.rank() == Rank::Seventh && matches!(seen.file(), File::A | File::H);
        is_corner && {
            let behind = square.bitboard().forward(!self.us);
            let guard = pawn_sets::beside(behind) & self.all_pawns & !self.our_pawns;
            guard.any()
        }
    }

    fn rook(&self, square: Square, moves: usize, trace: &mut impl Trace) {
        let file = Bitboard::of_file(square.file());
        if (file & self.our_pawns).is_empty() {
            let is_open = (file & self.all_pawns).is_empty();
            trace.add(self.us, ROOK_FILE.at(usize::from(is_open)), 1);
        } else if moves <= TRAPPED_MOBILITY && self.is_trapped_rook(square) {
            trace.add(self.us, TRAPPED_ROOK.at(0), 1);
        }
        if square.rank() == Rank::Seventh.relative_to(self.us) {
            let their_pawns = self.all_pawns & !self.our_pawns;
            let has_targets = (their_pawns & Bitboard::of_rank(square.rank())).any();
            if has_targets || self.position.king(!self.us).rank() == Rank::Eighth.relative_to(self.us) {
                trace.add(self.us, ROOK_ON_SEVENTH.at(0), 1);
            }
        }
    }

    /// Whether the enemy king or its ring is on a line of the rook.
    fn aim_of_rook(&self, square: Square, ring: Bitboard, trace: &mut impl Trace) {
        let rays = attacks::rook_rays(square);
        trace.add(self.us, RING_XRAY.at(1), (rays & ring).any().into());
        let king = self.position.king(!self.us);
        if rays.has(king) && (attacks::between(square, king) & self.all_pawns).is_empty() {
            trace.add(self.us, ROOK_ON_KING_LINE.at(0), 1);
        }
    }

    /// Whether the rook stands between the edge and its king, which cannot castle.
    fn is_trapped_rook(&self, square: Square) -> bool {
        let king = self.position.king(self.us);
        let can_castle = (self.position.castling().rooks() & Bitboard::back_rank(self.us)).any();
        let (king, rook) = (king.file().index(), square.file().index());
        !can_castle && ((king < 4 && rook < king) || (king >= 4 && rook > king))
    }

    fn whole_side(&self, trace: &mut impl Trace) {
        let bishops = self.position.pieces(self.us, PieceKind::Bishop);
        if (bishops & Bitboard::DARK).any() && (bishops & !Bitboard::DARK).any() {
            trace.add(self.us, BISHOP_PAIR.at(0), 1);
        }
        let pawns = self.our_pawns.count() as i32 - 5;
        let count = |kind| self.position.pieces(self.us, kind).count() as i32;
        trace.add(self.us, BY_PAWN_COUNT.at(0), pawns * count(PieceKind::Knight));
        trace.add(self.us, BY_PAWN_COUNT.at(1), pawns * count(PieceKind::Rook));
    }
}
