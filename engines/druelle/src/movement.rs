//! Making and taking back a move (section 4): `effectuerDeplacement`, `annulerDeplacement` and `annulerPrise`. And
//! where a piece can go (section 4.1): `genererPosition` lists the squares that it can move to, `check` removes those
//! off the board or occupied by its own side. Whether the king is left in check is tested after the move.

use std::fmt;

use chess::{Color, PieceKind};

use super::board::{KING_COLUMN, Piece, PieceId, ROOK_COLUMNS, Square, line_of, value};
use super::game::Game;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<PieceKind>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Played {
    mv: Move,
    piece: PieceId,
    taken: Option<Taken>,
    /// The castling rook, and the square that it left.
    rook: Option<(PieceId, Square)>,
    castling: [[bool; 2]; 2],
    en_passant: Option<Square>,
    quiet_turns: u32,
}

#[derive(Clone, Copy, Debug)]
struct Taken {
    piece: PieceId,
    place: usize,
}

impl Game {
    /// Whether a move of [`Game::moves`] leaves its own king out of check.
    pub fn is_legal(&mut self, mv: Move) -> bool {
        let side = self.turn();
        self.play(mv).is_some_and(|played| {
            let is_legal = !self.is_check(side);
            self.take_back(played);
            is_legal
        })
    }

    /// Makes a move without checking it. If its origin is empty, returns `None` and changes nothing.
    pub fn play(&mut self, mv: Move) -> Option<Played> {
        let piece = self.id_at(mv.from)?;
        let moving = self.piece(piece);
        let (side, other) = (moving.owner, !moving.owner);
        let is_pawn = moving.kind == PieceKind::Pawn;
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

    pub fn take_back(&mut self, played: Played) {
        let Played { mv, piece, taken, rook, castling, en_passant, quiet_turns } = played;
        self.turns -= 1;
        self.quiet_turns = quiet_turns;
        let side = self.turn();
        if let Some((rook, from)) = rook {
            self.displace(rook, from, None);
        }
        self.displace(piece, mv.from, mv.promotion.map(|_| PieceKind::Pawn));
        self.player_mut(side).en_passant = en_passant;
        self.player_mut(side).castling = castling[0];
        self.player_mut(!side).castling = castling[1];
        if let Some(taken) = taken {
            self.take_back_capture(taken);
        }
    }

    fn displace(&mut self, id: PieceId, to: Square, kind: Option<PieceKind>) {
        self.lift(id);
        if let Some(kind) = kind {
            self.transform(id, kind);
        }
        self.put(id, to);
    }

    fn take(&mut self, id: PieceId) -> Taken {
        self.lift(id);
        let piece = self.piece(id);
        let player = self.player_mut(piece.owner);
        player.material -= value(piece.kind);
        // A piece on the board is in its player's list.
        let place = player.pieces.iter().position(|&other| other == id).unwrap_or_default();
        player.pieces.remove(place);
        Taken { piece: id, place }
    }

    fn take_back_capture(&mut self, taken: Taken) {
        let piece = self.piece(taken.piece);
        self.put(taken.piece, piece.square);
        let player = self.player_mut(piece.owner);
        player.material += value(piece.kind);
        player.pieces.insert(taken.place, taken.piece);
    }

    /// The rook that castles with the king, if the king moves two columns.
    fn castling_rook(&self, kind: PieceKind, mv: Move) -> Option<(PieceId, Square)> {
        let columns = mv.to.column - mv.from.column;
        if kind != PieceKind::King || columns.abs() != 2 {
            return None;
        }
        let square = Square::new(ROOK_COLUMNS[usize::from(columns < 0)], mv.from.line);
        self.id_at(square).map(|rook| (rook, square))
    }

    /// Neither a king that has moved nor a rook that leaves its corner or is captured there may castle.
    fn lose_castling(&mut self, mv: Move, kind: PieceKind) {
        // The turn has not been counted yet.
        let side = self.turn();
        if kind == PieceKind::King {
            self.player_mut(side).castling = [false; 2];
        }
        for (wing, column) in ROOK_COLUMNS.into_iter().enumerate() {
            let corner = |line| Square::new(column, line);
            self.player_mut(side).castling[wing] &= mv.from != corner(line_of(side, 0));
            self.player_mut(!side).castling[wing] &= mv.to != corner(line_of(!side, 0));
        }
    }
}

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_WAYS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// The steps of a piece, and whether it continues in their direction.
const fn steps(kind: PieceKind) -> (&'static [(i8, i8)], bool) {
    match kind {
        PieceKind::King => (&ALL_WAYS, false),
        PieceKind::Queen => (&ALL_WAYS, true),
        PieceKind::Bishop => (&DIAGONAL, true),
        PieceKind::Rook => (&STRAIGHT, true),
        PieceKind::Knight => (&KNIGHT, false),
        PieceKind::Pawn => (&[], false),
    }
}

impl Game {
    /// The moves of the player to move, including those that leave the king in check.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        for &id in &self.player(self.turn()).pieces {
            self.add_moves(id, &mut moves);
        }
        moves
    }

    pub fn legal_moves(&mut self) -> Vec<Move> {
        let mut moves = self.moves();
        moves.retain(|&mv| self.is_legal(mv));
        moves
    }

    pub fn has_legal_move(&mut self) -> bool {
        self.moves().into_iter().any(|mv| self.is_legal(mv))
    }

    pub fn find(&mut self, text: &str) -> Option<Move> {
        self.legal_moves().into_iter().find(|mv| mv.to_string() == text)
    }

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

    pub fn add_moves(&self, id: PieceId, moves: &mut Vec<Move>) {
        let piece = self.piece(id);
        if piece.kind == PieceKind::Pawn {
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
        if piece.kind == PieceKind::King {
            self.add_castlings(piece, moves);
        }
    }

    fn add_pawn_moves(&self, pawn: Piece, moves: &mut Vec<Move>) {
        let forward = pawn.owner.sign();
        let ahead = |lines| pawn.square.offset((0, lines * forward)).filter(|&to| self.id_at(to).is_none());
        if let Some(to) = ahead(1) {
            add_promotions(pawn, to, moves);
            if pawn.square.line == line_of(pawn.owner, 1)
                && let Some(to) = ahead(2)
            {
                moves.push(Move { from: pawn.square, to, promotion: None });
            }
        }
        let passed = self.player(!pawn.owner).en_passant;
        for to in [-1, 1].into_iter().filter_map(|column| pawn.square.offset((column, forward))) {
            let takes = self.piece_at(to).map_or(passed == Some(to), |target| target.owner != pawn.owner);
            if takes {
                add_promotions(pawn, to, moves);
            }
        }
    }

    /// Castling: nothing stands between king and rook, and the king is not in check and passes no attacked square. Its
    /// target square is tested after the move, like any king's.
    fn add_castlings(&self, king: Piece, moves: &mut Vec<Move>) {
        let rights = self.player(king.owner).castling;
        for (may, rook_column) in rights.into_iter().zip(ROOK_COLUMNS) {
            let way = (rook_column - KING_COLUMN).signum();
            let line = king.square.line;
            let mut between = rook_column.min(KING_COLUMN) + 1..rook_column.max(KING_COLUMN);
            let is_free = |column| self.id_at(Square::new(column, line)).is_none();
            let is_safe = |column| !self.is_attacked(Square::new(column, line), !king.owner);
            if may && between.all(is_free) && is_safe(KING_COLUMN) && is_safe(KING_COLUMN + way) {
                let to = Square::new(KING_COLUMN + 2 * way, line);
                moves.push(Move { from: king.square, to, promotion: None });
            }
        }
    }

    /// Whether a player's king is attacked (`isEchec`).
    pub fn is_check(&self, side: Color) -> bool {
        self.is_attacked(self.king_square(side), !side)
    }

    /// Whether a player's piece could capture on a square. As in the document, the player's list is searched.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.pieces_of(by).any(|piece| self.attacks(piece, square))
    }

    fn attacks(&self, piece: Piece, square: Square) -> bool {
        let (columns, lines) = (square.column - piece.square.column, square.line - piece.square.line);
        let (wide, high) = (columns.abs(), lines.abs());
        let is_aligned = match piece.kind {
            PieceKind::Pawn => return wide == 1 && lines == piece.owner.sign(),
            PieceKind::King => return wide.max(high) == 1,
            PieceKind::Knight => return wide * high == 2,
            PieceKind::Bishop => wide == high,
            PieceKind::Rook => wide == 0 || high == 0,
            PieceKind::Queen => wide == high || wide == 0 || high == 0,
        };
        is_aligned && wide + high > 0 && self.is_way_free(piece.square, square)
    }

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
    if to.line == line_of(pawn.owner, 7) {
        let promote = |kind| Move { from: pawn.square, to, promotion: Some(kind) };
        moves.extend(PROMOTIONS.map(promote));
    } else {
        moves.push(Move { from: pawn.square, to, promotion: None });
    }
}
