//! The document's pseudo-legal moves (§3.1.3): they may leave the king in check.

use chess::{Bitboard, Color, Move, PieceKind, Rank, Square, attacks};

use super::board::{Board, Upkeep, castled};

/// All pseudo-legal moves of the side to move. Castling is among them where the way is free and the king neither is in
/// check nor passes an attacked square.
pub fn moves<U: Upkeep>(board: &Board<U>) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    pieces(board, &mut moves);
    pawns(board, &mut moves);
    castling(board, &mut moves);
    moves
}

fn pieces<U: Upkeep>(board: &Board<U>, moves: &mut Vec<Move>) {
    let us = board.side();
    let not_friends = !board.colored(us);
    for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
        for from in board.pieces(us, kind) {
            let targets = attacks_of(board, kind, from) & not_friends;
            moves.extend(targets.into_iter().map(|to| Move::normal(from, to)));
        }
    }
}

/// The squares that a piece other than a pawn attacks.
pub fn attacks_of<U: Upkeep>(board: &Board<U>, kind: PieceKind, from: Square) -> Bitboard {
    let occupancy = board.occupancy();
    match kind {
        PieceKind::Knight => attacks::knight(from),
        PieceKind::Bishop => occupancy.bishop_attacks(from),
        PieceKind::Rook => occupancy.rook_attacks(from),
        PieceKind::Queen => occupancy.bishop_attacks(from) | occupancy.rook_attacks(from),
        PieceKind::King => attacks::king(from),
        PieceKind::Pawn => Bitboard::EMPTY,
    }
}

/// Pawns move as sets: one step, two, and the captures to either side.
fn pawns<U: Upkeep>(board: &Board<U>, moves: &mut Vec<Move>) {
    let us = board.side();
    let ours = board.pieces(us, PieceKind::Pawn);
    let empty = !board.occupancy().squares();
    let enemies = board.colored(!us);
    let forward: i8 = if us == Color::White { 8 } else { -8 };
    let ahead = ours.forward(us);
    let single = ahead & empty;
    let double = (single & Bitboard::of_rank(Rank::Third.relative_to(us))).forward(us) & empty;
    for (targets, step) in [
        (single, forward),
        (double, 2 * forward),
        (ahead.west() & enemies, forward - 1),
        (ahead.east() & enemies, forward + 1),
    ] {
        for to in targets {
            pawn_move(to.offset(-step), to, moves);
        }
    }
    if let Some(to) = board.en_passant() {
        let capturers = attacks::pawn(!us, to) & ours;
        moves.extend(capturers.into_iter().map(|from| Move::en_passant(from, to)));
    }
}

fn pawn_move(from: Square, to: Square, moves: &mut Vec<Move>) {
    if Bitboard::BACK_RANKS.has(to) {
        let kinds = [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop];
        moves.extend(kinds.map(|kind| Move::promoting(from, to, kind)));
    } else {
        moves.push(Move::normal(from, to));
    }
}

fn castling<U: Upkeep>(board: &Board<U>, moves: &mut Vec<Move>) {
    let us = board.side();
    let king = board.king(us);
    for rook in board.castling() & Bitboard::back_rank(us) {
        let mv = Move::castling(king, rook);
        let (_, passed) = castled(mv);
        let is_free = (attacks::between(king, rook) & board.occupancy().squares()).is_empty();
        if is_free && !board.in_check(us) && !board.is_attacked(passed, !us) {
            moves.push(mv);
        }
    }
}
