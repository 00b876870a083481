//! Making a move, verifying it and taking it back (section 4): `deplacer`, `effectuerDeplacement`, `annulerDeplacement`
//! and `annulerPrise`.

use std::fmt;

use super::game::Game;
use super::piece::{Kind, PieceId};
use super::square::Square;

/// The column of the king before castling, and those of the rooks on the king's and on the queen's side.
pub const KING_COLUMN: i8 = 4;
/// See [`KING_COLUMN`].
pub const ROOK_COLUMNS: [i8; 2] = [7, 0];

/// A piece goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes on the last line.
    pub promotion: Option<Kind>,
}

/// As the protocol writes it.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

/// What taking a move back needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    mv: Move,
    piece: PieceId,
    taken: Option<Taken>,
    /// The rook of castling with the square it left.
    rook: Option<(PieceId, Square)>,
    castling: [[bool; 2]; 2],
    en_passant: Option<Square>,
    quiet_turns: u32,
}

/// A piece that was taken, and its place in its player's list.
#[derive(Clone, Copy, Debug)]
struct Taken {
    piece: PieceId,
    place: usize,
}

impl Game {
    /// Makes a move if the piece can go there and its king is out of check afterwards; otherwise nothing changes.
    pub fn try_play(&mut self, mv: Move) -> Option<Played> {
        let id = self.id_at(mv.from).filter(|&id| self.piece(id).owner == self.turn())?;
        let mut moves = Vec::new();
        self.add_moves(id, &mut moves);
        (moves.contains(&mv) && self.is_legal(mv)).then(|| self.play(mv)).flatten()
    }

    /// Whether a move of [`Game::moves`] leaves its player's king out of check.
    pub fn is_legal(&mut self, mv: Move) -> bool {
        let side = self.turn();
        self.play(mv).is_some_and(|played| {
            let is_legal = !self.is_check(side);
            self.take_back(played);
            is_legal
        })
    }

    /// Makes a move without verifying it; `None`, and nothing done, when its first square is empty.
    pub fn play(&mut self, mv: Move) -> Option<Played> {
        let piece = self.id_at(mv.from)?;
        let moving = self.piece(piece);
        let (side, other) = (moving.owner, moving.owner.other());
        let is_pawn = moving.kind == Kind::Pawn;
        let is_passing = is_pawn && self.player(other).en_passant == Some(mv.to);
        let taken_on = if is_passing { Square::new(mv.to.column, mv.from.line) } else { mv.to };
        let taken = self.id_at(taken_on).map(|id| self.take(id));
        let played = Played {
            mv,
            piece,
            taken,
            rook: self.castling_rook(moving.kind, mv),
            castling: [self.player(side).castling, self.player(other).castling],
            en_passant: self.player(side).en_passant,
            quiet_turns: self.quiet_turns,
        };
        self.displace(piece, mv.to, mv.promotion);
        if let Some((rook, from)) = played.rook {
            let way = (KING_COLUMN - from.column).signum();
            self.displace(rook, Square::new(mv.to.column + way, from.line), None);
        }
        let is_double_step = is_pawn && (mv.to.line - mv.from.line).abs() == 2;
        let passed = Square::new(mv.from.column, i8::midpoint(mv.from.line, mv.to.line));
        self.player_mut(side).en_passant = is_double_step.then_some(passed);
        self.lose_castling(mv, moving.kind);
        self.turns += 1;
        self.quiet_turns = if is_pawn || taken.is_some() { 0 } else { self.quiet_turns + 1 };
        Some(played)
    }

    /// Takes the last move back.
    pub fn take_back(&mut self, played: Played) {
        let Played { mv, piece, taken, rook, castling, en_passant, quiet_turns } = played;
        self.turns -= 1;
        self.quiet_turns = quiet_turns;
        let side = self.turn();
        if let Some((rook, from)) = rook {
            self.displace(rook, from, None);
        }
        self.displace(piece, mv.from, mv.promotion.map(|_| Kind::Pawn));
        self.player_mut(side).en_passant = en_passant;
        self.player_mut(side).castling = castling[0];
        self.player_mut(side.other()).castling = castling[1];
        if let Some(taken) = taken {
            self.take_back_capture(taken);
        }
    }

    /// Moves a piece, which may become another.
    fn displace(&mut self, id: PieceId, to: Square, kind: Option<Kind>) {
        self.lift(id);
        if let Some(kind) = kind {
            self.transform(id, kind);
        }
        self.put(id, to);
    }

    /// Removes a piece from the board and from its player's list.
    fn take(&mut self, id: PieceId) -> Taken {
        self.lift(id);
        let piece = self.piece(id);
        let player = self.player_mut(piece.owner);
        player.material -= piece.kind.value();
        // A piece on the board is in its player's list.
        let place = player.pieces.iter().position(|&other| other == id).unwrap_or_default();
        player.pieces.remove(place);
        Taken { piece: id, place }
    }

    /// Brings a piece back to where it was taken, on the board and in the list, so that the moves keep their order.
    fn take_back_capture(&mut self, taken: Taken) {
        let piece = self.piece(taken.piece);
        self.put(taken.piece, piece.square);
        let player = self.player_mut(piece.owner);
        player.material += piece.kind.value();
        player.pieces.insert(taken.place, taken.piece);
    }

    /// The rook that castles with the king, when the king goes two columns.
    fn castling_rook(&self, kind: Kind, mv: Move) -> Option<(PieceId, Square)> {
        let columns = mv.to.column - mv.from.column;
        if kind != Kind::King || columns.abs() != 2 {
            return None;
        }
        let square = Square::new(ROOK_COLUMNS[usize::from(columns < 0)], mv.from.line);
        self.id_at(square).map(|rook| (rook, square))
    }

    /// A king that moves castles no more, nor does a rook that leaves its corner or is taken there.
    fn lose_castling(&mut self, mv: Move, kind: Kind) {
        // The turn has not been counted yet.
        let side = self.turn();
        if kind == Kind::King {
            self.player_mut(side).castling = [false; 2];
        }
        for (wing, column) in ROOK_COLUMNS.into_iter().enumerate() {
            let corner = |line| Square::new(column, line);
            self.player_mut(side).castling[wing] &= mv.from != corner(side.line(0));
            self.player_mut(side.other()).castling[wing] &= mv.to != corner(side.other().line(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        Square::from_text(text).unwrap()
    }

    #[test]
    fn a_move_that_leaves_the_king_in_check_is_taken_back_with_its_capture() {
        let mut game = Game::from_fen("4r2k/8/8/8/8/8/3pB3/4K3 w - - 0 1").unwrap();
        let before = game.clone();
        // The bishop is pinned; the pawn that gives check can only be taken by the king.
        assert!(game.try_play(Move { from: square("e2"), to: square("d3"), promotion: None }).is_none());
        assert_eq!(game, before);
        assert!(game.try_play(Move { from: square("e1"), to: square("d2"), promotion: None }).is_some());
        assert_eq!(game.piece_at(square("d2")).map(|piece| piece.kind), Some(Kind::King));
    }

    #[test]
    fn a_piece_that_cannot_go_there_stays() {
        let mut game = Game::start();
        for (from, to) in [("e2", "e5"), ("e4", "e5"), ("e7", "e5"), ("a1", "a2")] {
            let mv = Move { from: square(from), to: square(to), promotion: None };
            assert!(game.try_play(mv).is_none(), "{mv}");
        }
        assert_eq!(game, Game::start());
    }

    #[test]
    fn taking_back_a_capture_brings_the_piece_back_to_its_list() {
        let mut game = Game::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 3 9").unwrap();
        let before = game.clone();
        let played = game.try_play(Move { from: square("e4"), to: square("d5"), promotion: None }).unwrap();
        assert_eq!(game.player(game.turn()).pieces.len(), 1);
        game.take_back(played);
        assert_eq!(game, before);
    }
}
