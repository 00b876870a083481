//! The document's board (§3.1.2): a bitboard for each kind of piece, the occupancies, and the Zobrist key.

use std::marker::PhantomData;

use chess::{Bitboard, CastlingSide, Color, Move, Piece, PieceKind, Position, Square, attacks};

use super::occupancy::Occupancy;
use super::random_keys;

/// How the key and the occupancies follow the pieces.
pub trait Upkeep {
    /// Whether they change with each piece that moves; if not, they are computed anew once a move is played.
    const IS_INCREMENTAL: bool;
}

/// The document's first stage: 64 squares are looked at for the key, and again for the occupancies, with each move.
#[derive(Clone, Copy, Debug)]
pub enum FromScratch {}

/// Its second: only what a move changes changes.
#[derive(Clone, Copy, Debug)]
pub enum Incremental {}

impl Upkeep for FromScratch {
    const IS_INCREMENTAL: bool = false;
}

impl Upkeep for Incremental {
    const IS_INCREMENTAL: bool = true;
}

/// A position of standard chess that is changed by playing and undoing moves.
#[derive(Clone, Debug)]
pub struct Board<U> {
    sets: [[Bitboard; 6]; 2],
    squares: [Option<Piece>; 64],
    state: State,
    upkeep: PhantomData<U>,
}

/// What a move changes beside the pieces; undoing it brings it back as it was.
#[derive(Clone, Copy, Debug)]
struct State {
    occupancy: Occupancy,
    key: u64,
    side: Color,
    en_passant: Option<Square>,
    /// The rooks that may castle.
    castling: Bitboard,
}

/// What it takes to undo a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    state: State,
    moved: Piece,
    captured: Option<(Square, Piece)>,
}

impl<U: Upkeep> Board<U> {
    /// The same position on this board.
    pub fn new(position: &Position) -> Board<U> {
        let state = State {
            occupancy: Occupancy::default(),
            key: 0,
            side: position.side_to_move(),
            en_passant: position.ep_square(),
            castling: position.castling().rooks(),
        };
        let mut board = Board { sets: Default::default(), squares: [None; 64], state, upkeep: PhantomData };
        for square in Square::all() {
            if let Some(piece) = position.piece_on(square) {
                board.put(piece, square);
            }
        }
        board.recompute();
        board
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.state.side
    }

    /// The square that a pawn has just passed over.
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// The rooks that may castle, of both sides.
    pub fn castling(&self) -> Bitboard {
        self.state.castling
    }

    /// The occupied squares.
    pub fn occupancy(&self) -> Occupancy {
        self.state.occupancy
    }

    /// The Zobrist key.
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The pieces of one kind and colour.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.sets[color.index()][kind.index()]
    }

    /// The pieces of one colour.
    pub fn colored(&self, color: Color) -> Bitboard {
        self.sets[color.index()].into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// Where the king of this colour stands.
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first().unwrap_or(Square::A1)
    }

    /// Whether a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let queens = self.pieces(by, PieceKind::Queen);
        let occupancy = self.occupancy();
        (attacks::knight(square) & self.pieces(by, PieceKind::Knight)).any()
            || (attacks::king(square) & self.pieces(by, PieceKind::King)).any()
            || (attacks::pawn(!by, square) & self.pieces(by, PieceKind::Pawn)).any()
            || (occupancy.rook_attacks(square) & (self.pieces(by, PieceKind::Rook) | queens)).any()
            || (occupancy.bishop_attacks(square) & (self.pieces(by, PieceKind::Bishop) | queens)).any()
    }

    /// Whether the king of this colour is attacked.
    pub fn in_check(&self, color: Color) -> bool {
        self.is_attacked(self.king(color), !color)
    }

    /// Plays a pseudo-legal move.
    ///
    /// # Panics
    /// If no piece stands where the move starts.
    pub fn play(&mut self, mv: Move) -> Undo {
        let state = self.state;
        let moved = self.piece_on(mv.from()).expect("a move starts from a piece");
        self.state.key ^= self.state_key();
        self.state.en_passant = None;
        let captured = if mv.is_castling() {
            self.castle(mv);
            None
        } else {
            self.move_piece(moved, mv)
        };
        let lost =
            if moved.kind == PieceKind::King { Bitboard::back_rank(moved.color) } else { Bitboard::EMPTY };
        self.state.castling &= !(lost | mv.from().bitboard() | mv.to().bitboard());
        self.state.side = !moved.color;
        self.state.key ^= self.state_key();
        if !U::IS_INCREMENTAL {
            self.recompute();
        }
        // No generator reads the key, and the compiler would rather not compute it.
        std::hint::black_box(self.key());
        Undo { state, moved, captured }
    }

    /// Takes a move back.
    pub fn undo(&mut self, mv: Move, undo: Undo) {
        if mv.is_castling() {
            let (king, rook) = castled(mv);
            let color = undo.moved.color;
            self.lift(king);
            self.lift(rook);
            self.set_down(Piece { color, kind: PieceKind::King }, mv.from());
            self.set_down(Piece { color, kind: PieceKind::Rook }, mv.to());
        } else {
            self.lift(mv.to());
            self.set_down(undo.moved, mv.from());
            if let Some((square, piece)) = undo.captured {
                self.set_down(piece, square);
            }
        }
        self.state = undo.state;
    }

    fn move_piece(&mut self, moved: Piece, mv: Move) -> Option<(Square, Piece)> {
        let (from, to) = (mv.from(), mv.to());
        let victim = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
        let captured = self.piece_on(victim).map(|piece| (victim, piece));
        if captured.is_some() {
            self.take(victim);
        }
        self.take(from);
        self.put(Piece { kind: mv.promotion().unwrap_or(moved.kind), ..moved }, to);
        if moved.kind == PieceKind::Pawn && from.index().abs_diff(to.index()) == 16 {
            self.state.en_passant = Some(Square::from_index(usize::midpoint(from.index(), to.index())));
        }
        captured
    }

    fn castle(&mut self, mv: Move) {
        let color = self.side();
        let (king, rook) = castled(mv);
        self.take(mv.from());
        self.take(mv.to());
        self.put(Piece { color, kind: PieceKind::King }, king);
        self.put(Piece { color, kind: PieceKind::Rook }, rook);
    }

    /// Puts a piece on an empty square, and carries key and occupancies on.
    fn put(&mut self, piece: Piece, square: Square) {
        self.set_down(piece, square);
        self.carry_on(piece, square);
    }

    /// Takes what stands on a square off it, and carries key and occupancies on.
    fn take(&mut self, square: Square) {
        if let Some(piece) = self.lift(square) {
            self.carry_on(piece, square);
        }
    }

    fn set_down(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = Some(piece);
        self.sets[piece.color.index()][piece.kind.index()] |= square.bitboard();
    }

    fn lift(&mut self, square: Square) -> Option<Piece> {
        let piece = self.squares[square.index()].take()?;
        self.sets[piece.color.index()][piece.kind.index()] &= !square.bitboard();
        Some(piece)
    }

    fn carry_on(&mut self, piece: Piece, square: Square) {
        if U::IS_INCREMENTAL {
            self.state.occupancy.toggle(square);
            self.state.key ^= random_keys::of_piece(piece.color, piece.kind, square);
        }
    }

    /// Computes key and occupancies from the pieces.
    fn recompute(&mut self) {
        self.state.key = self.key_from_scratch();
        self.state.occupancy = Occupancy::of(self.colored(Color::White) | self.colored(Color::Black));
    }

    /// The key, square by square.
    pub fn key_from_scratch(&self) -> u64 {
        let of_square = |square: Square| {
            self.piece_on(square).map(|piece| random_keys::of_piece(piece.color, piece.kind, square))
        };
        Square::all().filter_map(of_square).fold(self.state_key(), |key, number| key ^ number)
    }

    fn state_key(&self) -> u64 {
        let State { side, en_passant, castling, .. } = self.state;
        let corners = [0, 7, 56, 63].map(Square::from_index);
        let rights = corners.iter().fold(0, |bits, &rook| bits << 1 | usize::from(castling.has(rook)));
        random_keys::of_state(side, en_passant, rights)
    }
}

/// Where king and rook stand after castling.
pub fn castled(mv: Move) -> (Square, Square) {
    let side = CastlingSide::of(mv.from(), mv.to());
    let rank = mv.from().rank();
    (Square::new(side.king_file(), rank), Square::new(side.rook_file(), rank))
}
