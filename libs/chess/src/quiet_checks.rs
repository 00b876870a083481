//! The generator of quiet moves that give check, for quiescence search.

use super::{Bitboard, Move, MoveList, PieceKind, Position, Square, attacks};

impl Position {
    /// Adds the quiet legal moves that give check to a list, without castling and promotions. The side to move must
    /// not be in check itself.
    pub fn quiet_checks(&self, moves: &mut MoveList) {
        let us = self.side_to_move();
        let enemy_king = self.king(!us);
        let discoverers = self.discoverers(enemy_king);
        self.direct_checks(enemy_king, discoverers, moves);
        if discoverers.any() {
            let mut quiet = MoveList::new();
            self.quiet_moves(&mut quiet);
            let is_ordinary = |m: &Move| m.promotion().is_none() && !m.is_castling();
            let discovered = quiet.iter().filter(|m| discoverers.has(m.from()) && is_ordinary(m));
            moves.extend(discovered.copied().filter(|&m| self.gives_check(m)));
        }
    }

    /// The pieces of the side to move that alone stand between a slider of theirs and the enemy king.
    fn discoverers(&self, enemy_king: Square) -> Bitboard {
        let us = self.side_to_move();
        let snipers = (attacks::bishop_rays(enemy_king) & self.diagonal_sliders(us))
            | (attacks::rook_rays(enemy_king) & self.straight_sliders(us));
        let in_between = |sniper| attacks::between(enemy_king, sniper) & self.occupied();
        let lone = snipers.into_iter().map(in_between).filter(|between| !between.more_than_one());
        lone.fold(Bitboard::EMPTY, |all, between| all | between) & self.colored(us)
    }

    /// Adds the moves to squares from which the moved piece itself attacks the king, but for these pieces.
    fn direct_checks(&self, enemy_king: Square, left_out: Bitboard, moves: &mut MoveList) {
        let us = self.side_to_move();
        let (king, pinned, occupied) = (self.king(us), self.pinned(), self.occupied());
        let mut add = |from: Square, targets: Bitboard| {
            let allowed = if pinned.has(from) { attacks::line(king, from) } else { Bitboard::ALL };
            moves.extend((targets & allowed).into_iter().map(|to| Move::normal(from, to)));
        };
        let pieces = |kind| self.pieces(us, kind) & !left_out;
        let diagonal = attacks::bishop(enemy_king, occupied) & !occupied;
        let straight = attacks::rook(enemy_king, occupied) & !occupied;
        for from in pieces(PieceKind::Knight) {
            add(from, attacks::knight(from) & attacks::knight(enemy_king) & !occupied);
        }
        for from in pieces(PieceKind::Bishop) {
            add(from, attacks::bishop(from, occupied) & diagonal);
        }
        for from in pieces(PieceKind::Rook) {
            add(from, attacks::rook(from, occupied) & straight);
        }
        for from in pieces(PieceKind::Queen) {
            add(from, attacks::queen(from, occupied) & (diagonal | straight));
        }
        let third_rank = Bitboard::back_rank(us).forward(us).forward(us);
        let checking = attacks::pawn(!us, enemy_king) & !occupied;
        for from in pieces(PieceKind::Pawn) & checking.forward(!us) {
            add(from, from.bitboard().forward(us) & checking);
        }
        let passed_over = checking.forward(!us) & third_rank & !occupied;
        for from in pieces(PieceKind::Pawn) & passed_over.forward(!us) {
            add(from, from.bitboard().forward(us).forward(us) & checking);
        }
    }
}
