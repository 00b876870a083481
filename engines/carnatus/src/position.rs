//! A position and its moves ("Générateur de course").
//!
//! There is no side to move: whoever moves plays up the board with capital letters, and after each move the board is
//! turned for the other side. A move may leave the king in check: the search sees the next move capture it, and
//! [`Position::legal_moves`] looks one move ahead.

use chess::Color;
use uci::UciMove;

use super::board::{Board, E, N, Piece, S, Square, W};

/// Origin, target, and the piece that a pawn becomes on the last rank. In the document, a move has only the two cells,
/// and every pawn becomes a queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Piece>,
}

impl Move {
    pub fn to_uci(self, side: Color) -> UciMove {
        let promotion = self.promotion.map(|piece| char::from(piece.0.to_ascii_lowercase()));
        let (from, to) = (self.from.seen_by(side), self.to.seen_by(side));
        let text = format!("{from}{to}{}", promotion.map(String::from).unwrap_or_default());
        text.parse().expect("a move is written in the form of one")
    }
}

/// A board as the side to move sees it, and the state that the board does not show.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub board: Board,
    /// The sum of piece-square values, ours minus theirs, updated with every move.
    pub score: i32,
    /// Whether we may castle with our left and our right rook.
    pub castling: [bool; 2],
    /// Whether the opponent may castle with the left and the right rook, as the opponent sees them.
    pub their_castling: [bool; 2],
    /// The square that an opponent's pawn has just passed.
    pub en_passant: Option<Square>,
    /// The square that the opponent's king has just passed in castling, where its rook stands now. A move to that square
    /// or an adjacent one captures the king, which is how castling out of, through or into check loses.
    pub king_passant: Option<Square>,
}

impl Position {
    /// The position as the opponent sees it after a pass: en passant is no longer possible.
    pub fn flip(&self) -> Position {
        Position {
            board: self.board.flip(),
            score: -self.score,
            castling: self.their_castling,
            their_castling: self.castling,
            en_passant: None,
            king_passant: None,
        }
    }

    pub fn play(&self, mv: Move) -> Position {
        let Move { from, to, promotion } = mv;
        let piece = self.board.get(from);
        let mut after = Position { score: self.score + self.value(mv), ..self.clone() };
        let (mut en_passant, mut king_passant) = (None, None);
        after.board.put(to, promotion.unwrap_or(piece));
        after.board.put(from, Piece::EMPTY);
        after.lose_castling(from, to);
        if piece == Piece::KING {
            after.castling = [false; 2];
            if let Some((rook_from, rook_to)) = castling_rook(from, to) {
                after.board.put(rook_from, Piece::EMPTY);
                after.board.put(rook_to, Piece::ROOK);
                king_passant = Some(rook_to.flip());
            }
        }
        if piece == Piece::PAWN {
            if from.step(N + N) == to {
                en_passant = Some(from.step(N).flip());
            }
            if self.en_passant == Some(to) {
                after.board.put(to.step(S), Piece::EMPTY);
            }
        }
        Position { en_passant, king_passant, ..after.flip() }
    }

    /// A rook that leaves its corner or is captured there can no longer castle.
    fn lose_castling(&mut self, from: Square, to: Square) {
        self.castling[0] &= from != Square::A1;
        self.castling[1] &= from != Square::H1;
        // Our upper right corner is the opponent's lower left.
        self.their_castling[0] &= to != Square::H8;
        self.their_castling[1] &= to != Square::A8;
    }

    /// Whether a move to `square` captures the king, on its square or in passing.
    pub fn is_king_taken_on(&self, square: Square) -> bool {
        self.board.get(square) == Piece::KING.flip() || self.passes_king(square)
    }

    /// Whether the opponent's king has just left `square`, passed it or reached it by castling.
    pub fn passes_king(&self, square: Square) -> bool {
        self.king_passant.is_some_and(|passed| passed.distance(square) <= 1)
    }
}

/// The rook's cells before and after castling, if the king moves two cells.
pub fn castling_rook(from: Square, to: Square) -> Option<(Square, Square)> {
    let corner = if to < from { Square::A1 } else { Square::H1 };
    (from.distance(to) == 2).then(|| (corner, from.midpoint(to)))
}

/// The promotions of a pawn, queen first. The document has only the queen; the rules of chess have all four.
const PROMOTIONS: [Piece; 4] = [Piece::QUEEN, Piece::ROOK, Piece::BISHOP, Piece::KNIGHT];

impl Position {
    /// All moves, including those that leave the king in check.
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

    /// Moves in one direction until something is in the way.
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

    /// Whether a pawn may make this step: straight onto an empty square, diagonally onto a piece to capture.
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

    /// Finds castling by the rook, which slides along the rank until it stands beside its king.
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
