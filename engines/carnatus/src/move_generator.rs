//! The moves of the side to move ("Générateur de course").
//!
//! A king may be left in check: the search sees it taken by the next move. [`Position::legal_moves`] looks that one
//! move ahead.

use super::piece::Piece;
use super::position::{Move, Position};
use super::square::{E, N, Square, W};

/// What a pawn may become, the queen first. The document knows the queen alone; the rules of chess have all four.
const PROMOTIONS: [Piece; 4] = [Piece::QUEEN, Piece::ROOK, Piece::BISHOP, Piece::KNIGHT];

impl Position {
    /// All moves, those that leave the king in check included.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        for from in Square::all() {
            let piece = self.board.get(from);
            for &direction in piece.directions() {
                self.add_ray(piece, from, direction, &mut moves);
            }
        }
        moves
    }

    /// The moves after which the opponent cannot take our king.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.moves();
        moves.retain(|&mv| self.is_legal(mv));
        moves
    }

    /// Whether a move of [`Position::moves`] leaves the king safe.
    pub fn is_legal(&self, mv: Move) -> bool {
        !self.play(mv).can_take_king()
    }

    /// Whether the opponent's king, or the squares it has just castled over, are attacked.
    pub fn can_take_king(&self) -> bool {
        self.moves().iter().any(|mv| self.is_king_taken_on(mv.to))
    }

    /// Whether our king is attacked: the opponent could take it if we passed.
    pub fn is_check(&self) -> bool {
        self.flip().can_take_king()
    }

    /// Goes on in one direction until something is in the way.
    fn add_ray(&self, piece: Piece, from: Square, direction: i8, moves: &mut Vec<Move>) {
        let mut to = from.step(direction);
        loop {
            let target = self.board.get(to);
            if target.is_ours() || target == Piece::PADDING {
                return;
            }
            if piece == Piece::PAWN && !self.allows_pawn(from, to, direction) {
                return;
            }
            if piece == Piece::PAWN && to.is_on_last_rank() {
                let promote = |promotion| Move { from, to, promotion: Some(promotion) };
                moves.extend(PROMOTIONS.map(promote));
            } else {
                moves.push(Move { from, to, promotion: None });
            }
            if piece.is_crawler() || target.is_theirs() {
                return;
            }
            self.add_castling(from, to, moves);
            to = to.step(direction);
        }
    }

    /// Whether a pawn may make this step: ahead onto empty squares, aslant onto what it takes.
    fn allows_pawn(&self, from: Square, to: Square, direction: i8) -> bool {
        let is_empty = |square| self.board.get(square) == Piece::EMPTY;
        if direction == N {
            is_empty(to)
        } else if direction == N + N {
            from.is_on_second_rank() && is_empty(from.step(N)) && is_empty(to)
        } else {
            self.board.get(to).is_theirs() || self.en_passant == Some(to) || self.passes_king(to)
        }
    }

    /// Castling is found by the rook: it slides along the rank until it stands beside its king.
    fn add_castling(&self, rook_from: Square, rook_to: Square, moves: &mut Vec<Move>) {
        let [left, right] = self.castling;
        for (corner, may, inwards, outwards) in [(Square::A1, left, E, W), (Square::H1, right, W, E)] {
            let king = rook_to.step(inwards);
            if may && rook_from == corner && self.board.get(king) == Piece::KING {
                moves.push(Move { from: king, to: rook_to.step(outwards), promotion: None });
            }
        }
    }
}
