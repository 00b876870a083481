//! A chess position: the pieces, the side to move, and the state that earlier moves left.

use super::castling::CastlingRights;
use super::{Bitboard, CastlingSide, Color, Piece, PieceKind, Square, ZobristKey};

/// A legal position of chess or Chess960, with its checkers, pinned pieces and hash keys. It takes 176 bytes and is
/// copied to play a move.
///
/// The en-passant square is set only if an en-passant capture is legal, so that positions with the same legal moves
/// have the same key and FEN, and every repetition is found.
#[derive(Clone, Debug, derive_more::Display)]
#[display("{}", self.fen())]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) mailbox: [Option<PieceKind>; 64],
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) castling: CastlingRights,
    pub(super) key: ZobristKey,
    pub(super) pawn_key: ZobristKey,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) ep_square: Option<Square>,
    pub(super) side_to_move: Color,
}

impl Position {
    /// The FEN of the initial position of chess.
    pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The initial position of chess.
    ///
    /// # Panics
    /// Never: its FEN is legal.
    pub fn start() -> Self {
        Self::from_fen(Self::START_FEN).expect("the initial position is legal")
    }

    /// The empty board, from which positions are set up.
    pub(super) const fn empty() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            key: ZobristKey::ZERO,
            pawn_key: ZobristKey::ZERO,
            halfmove_clock: 0,
            fullmove_number: 1,
            ep_square: None,
            side_to_move: Color::White,
        }
    }

    /// The side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of one colour.
    #[inline]
    pub const fn colored(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of one kind, of both colours.
    #[inline]
    pub const fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of one kind and colour.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colored(color) & self.of_kind(kind)
    }

    /// The bishops and queens of one colour.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.colored(color) & (self.of_kind(PieceKind::Bishop) | self.of_kind(PieceKind::Queen))
    }

    /// The rooks and queens of one colour.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        self.colored(color) & (self.of_kind(PieceKind::Rook) | self.of_kind(PieceKind::Queen))
    }

    /// The square of the king of this colour.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, PieceKind::King).bits().trailing_zeros() as usize)
    }

    /// The kind of the piece on a square, if any.
    #[inline]
    pub const fn kind_on(&self, square: Square) -> Option<PieceKind> {
        self.mailbox[square.index()]
    }

    /// The piece on a square, if any.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = if self.colored(Color::White).has(square) { Color::White } else { Color::Black };
        self.kind_on(square).map(|kind| Piece { color, kind })
    }

    /// The remaining castling rights.
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The rook with which this colour may still castle to this side, if any.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.castling.rook(color, side, self.king(color))
    }

    /// The square that a pawn has just passed over, if an en-passant capture there is legal.
    #[inline]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Plies since the last capture or pawn move; from 100 a player may claim a draw.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1; it increases after Black's move.
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The hash key of the whole position, without the clocks.
    #[inline]
    pub const fn key(&self) -> ZobristKey {
        self.key
    }

    /// The hash key of the pawns of both colours.
    #[inline]
    pub const fn pawn_key(&self) -> ZobristKey {
        self.pawn_key
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that must stay on the line between their king and an enemy slider.
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Whether neither side can mate by any series of legal moves, as far as the material alone decides it: bare kings,
    /// one knight or bishop besides the kings, or only bishops, all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy =
            self.of_kind(PieceKind::Pawn) | self.of_kind(PieceKind::Rook) | self.of_kind(PieceKind::Queen);
        if heavy.any() {
            return false;
        }
        let bishops = self.of_kind(PieceKind::Bishop);
        if self.of_kind(PieceKind::Knight).any() {
            return self.occupied().count() == 3;
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty()
    }
}

/// Positions are equal if everything but their clocks is.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.colors == other.colors
            && self.kinds == other.kinds
            && self.side_to_move == other.side_to_move
            && self.castling == other.castling
            && self.ep_square == other.ep_square
    }
}

impl Eq for Position {}
