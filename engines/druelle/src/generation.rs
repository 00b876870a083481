//! Where a piece can go (section 4.1): `genererPosition` lists the squares of its way of moving, `check` takes away those
//! off the board and those of its own side. Whether the king is left in check is seen after the move.

use super::game::Game;
use super::movement::{KING_COLUMN, Move, ROOK_COLUMNS};
use super::piece::{Kind, Piece, PieceId};
use super::side::Side;
use super::square::Square;

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_WAYS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// What a pawn may become.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// The steps of a piece, and whether it goes on in their direction.
const fn steps(kind: Kind) -> (&'static [(i8, i8)], bool) {
    match kind {
        Kind::King => (&ALL_WAYS, false),
        Kind::Queen => (&ALL_WAYS, true),
        Kind::Bishop => (&DIAGONAL, true),
        Kind::Rook => (&STRAIGHT, true),
        Kind::Knight => (&KNIGHT, false),
        Kind::Pawn => (&[], false),
    }
}

impl Game {
    /// The moves of the player whose turn it is, those that leave the king in check included.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        for &id in &self.player(self.turn()).pieces {
            self.add_moves(id, &mut moves);
        }
        moves
    }

    /// The moves that leave the king out of check.
    pub fn legal_moves(&mut self) -> Vec<Move> {
        let mut moves = self.moves();
        moves.retain(|&mv| self.is_legal(mv));
        moves
    }

    /// Whether there is a move that leaves the king out of check.
    pub fn has_legal_move(&mut self) -> bool {
        self.moves().into_iter().any(|mv| self.is_legal(mv))
    }

    /// The legal move that the protocol's text names.
    pub fn find(&mut self, text: &str) -> Option<Move> {
        self.legal_moves().into_iter().find(|mv| mv.to_string() == text)
    }

    /// The leaves of the tree of legal moves, `depth` plies deep.
    pub fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for mv in self.legal_moves() {
            let Some(played) = self.play(mv) else { continue };
            leaves += self.perft(depth - 1);
            self.take_back(played);
        }
        leaves
    }

    /// Where one piece can go.
    pub fn add_moves(&self, id: PieceId, moves: &mut Vec<Move>) {
        let piece = self.piece(id);
        if piece.kind == Kind::Pawn {
            return self.add_pawn_moves(piece, moves);
        }
        let (directions, goes_on) = steps(piece.kind);
        for &direction in directions {
            let mut next = piece.square.offset(direction);
            while let Some(to) = next {
                let target = self.piece_at(to);
                if target.is_none_or(|target| target.owner != piece.owner) {
                    moves.push(Move { from: piece.square, to, promotion: None });
                }
                next = if goes_on && target.is_none() { to.offset(direction) } else { None };
            }
        }
        if piece.kind == Kind::King {
            self.add_castlings(piece, moves);
        }
    }

    fn add_pawn_moves(&self, pawn: Piece, moves: &mut Vec<Move>) {
        let forward = pawn.owner.forward();
        let ahead = |lines| pawn.square.offset((0, lines * forward)).filter(|&to| self.id_at(to).is_none());
        if let Some(to) = ahead(1) {
            add_promotions(pawn, to, moves);
            if pawn.square.line == pawn.owner.line(1)
                && let Some(to) = ahead(2)
            {
                moves.push(Move { from: pawn.square, to, promotion: None });
            }
        }
        let passed = self.player(pawn.owner.other()).en_passant;
        for to in [-1, 1].into_iter().filter_map(|column| pawn.square.offset((column, forward))) {
            let takes = self.piece_at(to).map_or(passed == Some(to), |target| target.owner != pawn.owner);
            if takes {
                add_promotions(pawn, to, moves);
            }
        }
    }

    /// Castling: nothing between king and rook, and the king neither in check, nor passing a square under attack. The
    /// square where it arrives is looked at after the move, like that of any king.
    fn add_castlings(&self, king: Piece, moves: &mut Vec<Move>) {
        let rights = self.player(king.owner).castling;
        for (may, rook_column) in rights.into_iter().zip(ROOK_COLUMNS) {
            let way = (rook_column - KING_COLUMN).signum();
            let line = king.square.line;
            let mut between = rook_column.min(KING_COLUMN) + 1..rook_column.max(KING_COLUMN);
            let is_free = |column| self.id_at(Square::new(column, line)).is_none();
            let is_safe = |column| !self.is_attacked(Square::new(column, line), king.owner.other());
            if may && between.all(is_free) && is_safe(KING_COLUMN) && is_safe(KING_COLUMN + way) {
                let to = Square::new(KING_COLUMN + 2 * way, line);
                moves.push(Move { from: king.square, to, promotion: None });
            }
        }
    }

    /// Whether a player's king is attacked (`isEchec`).
    pub fn is_check(&self, side: Side) -> bool {
        self.is_attacked(self.king_square(side), side.other())
    }

    /// Whether one of a player's pieces could take on a square. As in the document, the player's list is gone through.
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        self.pieces_of(by).any(|piece| self.attacks(piece, square))
    }

    fn attacks(&self, piece: Piece, square: Square) -> bool {
        let (columns, lines) = (square.column - piece.square.column, square.line - piece.square.line);
        let (wide, high) = (columns.abs(), lines.abs());
        let is_aligned = match piece.kind {
            Kind::Pawn => return wide == 1 && lines == piece.owner.forward(),
            Kind::King => return wide.max(high) == 1,
            Kind::Knight => return wide * high == 2,
            Kind::Bishop => wide == high,
            Kind::Rook => wide == 0 || high == 0,
            Kind::Queen => wide == high || wide == 0 || high == 0,
        };
        is_aligned && wide + high > 0 && self.is_way_free(piece.square, square)
    }

    /// Whether the squares between two squares of one line, column or diagonal are empty.
    fn is_way_free(&self, from: Square, to: Square) -> bool {
        let step = ((to.column - from.column).signum(), (to.line - from.line).signum());
        let mut next = from.offset(step);
        while let Some(square) = next.filter(|&square| square != to) {
            if self.id_at(square).is_some() {
                return false;
            }
            next = square.offset(step);
        }
        true
    }
}

fn add_promotions(pawn: Piece, to: Square, moves: &mut Vec<Move>) {
    if to.line == pawn.owner.line(7) {
        let promote = |kind| Move { from: pawn.square, to, promotion: Some(kind) };
        moves.extend(PROMOTIONS.map(promote));
    } else {
        moves.push(Move { from: pawn.square, to, promotion: None });
    }
}
