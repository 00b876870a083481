//! The game: a grid of cells that point at pieces, and two players (sections 3.6.1 to 3.6.3).

use chess::{CastlingClaim, Color, FenError, PieceKind, Setup};
use uci::StartPosition;

use super::board::{KING_COLUMN, Piece, PieceId, ROOK_COLUMNS, Square, line_of, value};

/// Each cell points at the piece that stands on it.
type Grid = [[Option<PieceId>; 8]; 8];

/// A position with the part of its history that the rules need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// All pieces, including captured ones.
    pieces: Vec<Piece>,
    grid: Grid,
    players: [Player; 2],
    /// Moves made by both players, so it is White's turn if the number is even (`tour` in the document).
    pub turns: u32,
    /// Half-moves since the last capture or pawn move.
    pub quiet_turns: u32,
    /// The sum of the random numbers of everything on the board, as a key for the hash table.
    key: u64,
}

impl Game {
    /// A game with these pieces on its board. An error names what a game cannot have: a player without exactly one king,
    /// two pieces on a square, or a pawn on the first or last line.
    pub fn with_pieces(pieces: &[Piece], turns: u32) -> Result<Game, &'static str> {
        let king = |side| {
            let is_king = |piece: &Piece| piece.kind == PieceKind::King && piece.owner == side;
            let count = pieces.iter().filter(|piece| is_king(piece)).count();
            let index = pieces.iter().position(is_king).filter(|_| count == 1);
            index.map(|index| PieceId(index as u8)).ok_or("each side has one king")
        };
        let player = |king| Player {
            pieces: Vec::with_capacity(16),
            king,
            material: 0,
            en_passant: None,
            castling: [false; 2],
        };
        let mut game = Game {
            pieces: pieces.to_vec(),
            grid: Grid::default(),
            players: [player(king(Color::White)?), player(king(Color::Black)?)],
            turns,
            quiet_turns: 0,
            key: 0,
        };
        for (index, piece) in pieces.iter().enumerate() {
            if game.id_at(piece.square).is_some() {
                return Err("two pieces stand on one square");
            }
            if piece.kind == PieceKind::Pawn && matches!(piece.square.line, 0 | 7) {
                return Err("a pawn stands on the first or the last rank");
            }
            let id = PieceId(index as u8);
            game.player_mut(piece.owner).pieces.push(id);
            game.player_mut(piece.owner).material += value(piece.kind);
            game.put(id, piece.square);
        }
        Ok(game)
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.id_at(square).map(|id| self.piece(id))
    }

    pub fn id_at(&self, square: Square) -> Option<PieceId> {
        self.grid[square.column as usize][square.line as usize]
    }

    pub fn piece(&self, id: PieceId) -> Piece {
        self.pieces[usize::from(id.0)]
    }

    pub fn player(&self, side: Color) -> &Player {
        &self.players[side.index()]
    }

    pub(super) fn player_mut(&mut self, side: Color) -> &mut Player {
        &mut self.players[side.index()]
    }

    pub fn pieces_of(&self, side: Color) -> impl Iterator<Item = Piece> {
        self.player(side).pieces.iter().map(|&id| self.piece(id))
    }

    pub fn turn(&self) -> Color {
        if self.turns.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    pub fn king_square(&self, side: Color) -> Square {
        self.piece(self.player(side).king).square
    }

    /// A key that tells positions apart by pieces, turn, castling and en passant.
    pub fn key(&self) -> u64 {
        let turn = self.turn();
        let castling = |side: Color| zobrist::castling(side, self.player(side).castling);
        let en_passant = self.player(!turn).en_passant.map_or(0, zobrist::en_passant);
        self.key ^ zobrist::turn(turn) ^ castling(Color::White) ^ castling(Color::Black) ^ en_passant
    }

    pub(super) fn put(&mut self, id: PieceId, square: Square) {
        let piece = &mut self.pieces[usize::from(id.0)];
        piece.square = square;
        self.key ^= zobrist::piece(*piece);
        self.grid[square.column as usize][square.line as usize] = Some(id);
    }

    /// Takes a piece off its square; the piece remembers the square.
    pub(super) fn lift(&mut self, id: PieceId) {
        let piece = self.piece(id);
        self.key ^= zobrist::piece(piece);
        self.grid[piece.square.column as usize][piece.square.line as usize] = None;
    }

    pub(super) fn transform(&mut self, id: PieceId, kind: PieceKind) {
        let piece = &mut self.pieces[usize::from(id.0)];
        let (owner, gain) = (piece.owner, value(kind) - value(piece.kind));
        piece.kind = kind;
        self.player_mut(owner).material += gain;
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The pieces on the board, so that the grid need not be searched.
    pub pieces: Vec<PieceId>,
    /// The king, for detecting check.
    pub king: PieceId,
    /// The sum of the pieces' values in centipawns, updated as pieces come and go (section 2.4).
    pub material: i32,
    /// The square that a pawn of this player has just passed, where it can be captured this turn: the document's
    /// `PrisePassant` and `positionPrisePassant` in one.
    pub en_passant: Option<Square>,
    /// Whether the player may still castle on the king's and on the queen's side. The document says "once in a game" but
    /// keeps no record of it.
    pub castling: [bool; 2],
}

impl Game {
    pub fn start() -> Game {
        Game::from_fen(StartPosition::Startpos.fen()).expect("the initial position is legal")
    }

    /// Any legal position. The move counters may be missing; they default to 0 and 1.
    pub fn from_fen(text: &str) -> Result<Game, FenError> {
        let setup = Setup::of_standard(text)?;
        let side = setup.side_to_move;
        let turns = 2 * (u32::from(setup.fullmove_number) - 1) + u32::from(side == Color::Black);
        let pieces: Vec<Piece> = setup.pieces().map(Piece::from).collect();
        let mut game = Game::with_pieces(&pieces, turns).expect("the position is legal");
        game.quiet_turns = setup.halfmove_clock.into();
        for (player, castling) in game.players.iter_mut().zip(setup.outer_castling()) {
            player.castling = castling;
        }
        game.player_mut(!side).en_passant = setup.ep_square.map(Square::from);
        Ok(game)
    }

    /// Gives castling rights to kings and rooks on their original squares.
    pub fn allow_castling_at_home(&mut self) {
        for side in [Color::White, Color::Black] {
            let stands = |kind, column| {
                let piece = self.piece_at(Square::new(column, line_of(side, 0)));
                piece.is_some_and(|piece| piece.kind == kind && piece.owner == side)
            };
            let is_king_at_home = stands(PieceKind::King, KING_COLUMN);
            self.player_mut(side).castling =
                ROOK_COLUMNS.map(|column| is_king_at_home && stands(PieceKind::Rook, column));
        }
    }

    /// The position as FEN, with the en passant square after every double step of a pawn.
    pub fn fen(&self) -> String {
        let setup = Setup {
            board: std::array::from_fn(|index| self.on(chess::Square::from_index(index))),
            side_to_move: self.turn(),
            castling: CastlingClaim::outer(Color::ALL.map(|side| self.player(side).castling)),
            ep_square: self.player(!self.turn()).en_passant.map(chess::Square::from),
            halfmove_clock: u16::try_from(self.quiet_turns).unwrap_or(u16::MAX),
            fullmove_number: u16::try_from(self.turns / 2 + 1).unwrap_or(u16::MAX),
        };
        setup.to_string()
    }

    /// The piece on a square, as FEN has it.
    pub fn on(&self, square: chess::Square) -> Option<chess::Piece> {
        self.piece_at(square.into()).map(chess::Piece::from)
    }
}

/// Random numbers that tell positions apart in the hash table (section 2.3), after Albert Zobrist, "A New Hashing Method
/// with Application for Game Playing" (1970).
mod zobrist {
    use super::super::board::place;
    use super::{Color, Piece, Square};

    /// The start of the sequence, an arbitrary number.
    const SEED: u64 = 0x0012_1020_1400_0001;

    /// The number at a place in the sequence, by the finalizer of `SplitMix64` (Steele, Lea and Flood, 2014).
    const fn number(place: u64) -> u64 {
        let mut bits = SEED.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    const PIECES: u64 = 6 * 2 * 64;
    const CASTLINGS: u64 = PIECES + 8;
    const COLUMNS: u64 = CASTLINGS + 8;

    pub fn piece(piece: Piece) -> u64 {
        let kind_and_owner = place(piece.kind) as u64 * 2 + piece.owner as u64;
        number(kind_and_owner * 64 + piece.square.index() as u64)
    }

    pub fn castling(side: Color, [short, long]: [bool; 2]) -> u64 {
        number(PIECES + side as u64 * 4 + u64::from(short) * 2 + u64::from(long))
    }

    /// The number of a column in which a pawn can be captured en passant.
    pub fn en_passant(square: Square) -> u64 {
        number(CASTLINGS + square.column as u64)
    }

    pub fn turn(side: Color) -> u64 {
        number(COLUMNS + side as u64)
    }
}
