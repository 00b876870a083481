//! The sieve by pins (§3.1.4): pinned pieces and discovered checks are found once, and most moves need not be made.

use chess::{Bitboard, Color, Move, PieceKind, Square, attacks};

use super::board::{Board, Upkeep};
use super::{LegalMove, pseudo_legal, trial};

/// The document's `pinned_pieces` and `rvl_check`.
struct Pins {
    /// Pieces of the side to move that shield its own king.
    pinned: Bitboard,
    /// Pieces of the side to move that hide its sliders from the enemy king.
    revealing: Bitboard,
}

/// The legal moves of a position.
pub fn legal_moves<U: Upkeep>(board: &mut Board<U>) -> Vec<LegalMove> {
    if board.in_check(board.side()) {
        return trial::legal_moves(board);
    }
    let pins = Pins::of(board);
    pseudo_legal::moves(board)
        .into_iter()
        .filter_map(|mv| {
            if mv.is_castling() || mv.is_en_passant() {
                trial::tried(board, mv)
            } else {
                pins.judged(board, mv)
            }
        })
        .collect()
}

impl Pins {
    fn of<U: Upkeep>(board: &Board<U>) -> Pins {
        let us = board.side();
        let friends = board.colored(us);
        Pins {
            pinned: shields(board, board.king(us), !us) & friends,
            revealing: shields(board, board.king(!us), us) & friends,
        }
    }

    /// The move, if it is legal; the side to move is not in check.
    fn judged<U: Upkeep>(&self, board: &Board<U>, mv: Move) -> Option<LegalMove> {
        let (us, from, to) = (board.side(), mv.from(), mv.to());
        let kind = board.piece_on(from)?.kind;
        let is_legal = match kind {
            PieceKind::King => !board.is_attacked(to, !us),
            _ => !self.pinned.has(from) || attacks::line(board.king(us), from).has(to),
        };
        let gives_check = self.reveals_check(board, mv) || checks_directly(board, mv, kind);
        is_legal.then_some(LegalMove { mv, gives_check })
    }

    /// Whether the piece leaves the line along which it hides a check.
    fn reveals_check<U: Upkeep>(&self, board: &Board<U>, mv: Move) -> bool {
        let king = board.king(!board.side());
        self.revealing.has(mv.from()) && !attacks::line(king, mv.from()).has(mv.to())
    }
}

/// Whether the piece that is put down attacks the enemy king.
fn checks_directly<U: Upkeep>(board: &Board<U>, mv: Move, kind: PieceKind) -> bool {
    let us = board.side();
    let king = board.king(!us);
    match mv.promotion().unwrap_or(kind) {
        PieceKind::Pawn => attacks::pawn(us, mv.to()).has(king),
        PieceKind::King => false,
        // A pawn that promotes straight ahead leaves the line behind it open, so its own square must not count.
        kind if mv.promotion().is_some() => {
            let mut occupancy = board.occupancy();
            occupancy.toggle(mv.from());
            sees(occupancy.rook_attacks(mv.to()), occupancy.bishop_attacks(mv.to()), mv.to(), kind).has(king)
        }
        kind => pseudo_legal::attacks_of(board, kind, mv.to()).has(king),
    }
}

/// What a piece sees, given what a rook and a bishop see from there.
fn sees(straight: Bitboard, diagonal: Bitboard, square: Square, kind: PieceKind) -> Bitboard {
    match kind {
        PieceKind::Knight => attacks::knight(square),
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        _ => straight | diagonal,
    }
}

/// The pieces of either side that stand alone between a king and a slider of one side.
fn shields<U: Upkeep>(board: &Board<U>, king: Square, sliders_of: Color) -> Bitboard {
    let of = |kind| board.pieces(sliders_of, kind);
    let queens = of(PieceKind::Queen);
    let snipers = (attacks::rook_rays(king) & (of(PieceKind::Rook) | queens))
        | (attacks::bishop_rays(king) & (of(PieceKind::Bishop) | queens));
    let occupied = board.occupancy().squares();
    snipers
        .into_iter()
        .map(|sniper| attacks::between(king, sniper) & occupied)
        .filter(|between| between.any() && !between.more_than_one())
        .fold(Bitboard::EMPTY, |set, between| set | between)
}
