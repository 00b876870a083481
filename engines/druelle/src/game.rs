//! The game: a grid of cases that point at pieces, and two players (sections 3.6.1 to 3.6.3).

use super::piece::{Kind, Piece, PieceId};
use super::side::Side;
use super::square::Square;
use super::zobrist;

/// A case of the grid points at the piece that stands on it.
type Grid = [[Option<PieceId>; 8]; 8];

/// A position with everything that the rules need of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// All pieces, taken ones included.
    pieces: Vec<Piece>,
    grid: Grid,
    players: [Player; 2],
    /// Moves made by both players, so that it is White's turn when it is even (the document's `tour`).
    pub turns: u32,
    /// Half-moves since the last capture or pawn move.
    pub quiet_turns: u32,
    /// The sum of the random numbers of all that is on the board, for the hash table.
    key: u64,
}

impl Game {
    /// A game with these pieces on its board.
    ///
    /// # Errors
    /// What a game cannot have: a player without exactly one king, two pieces on a square, a pawn on a last line.
    pub fn with_pieces(pieces: &[Piece], turns: u32) -> Result<Game, &'static str> {
        let king = |side| {
            let is_king = |piece: &Piece| piece.kind == Kind::King && piece.owner == side;
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
            players: [player(king(Side::White)?), player(king(Side::Black)?)],
            turns,
            quiet_turns: 0,
            key: 0,
        };
        for (index, piece) in pieces.iter().enumerate() {
            if game.id_at(piece.square).is_some() {
                return Err("two pieces stand on one square");
            }
            if piece.kind == Kind::Pawn && matches!(piece.square.line, 0 | 7) {
                return Err("a pawn stands on the first or the last rank");
            }
            let id = PieceId(index as u8);
            game.player_mut(piece.owner).pieces.push(id);
            game.player_mut(piece.owner).material += piece.kind.value();
            game.put(id, piece.square);
        }
        Ok(game)
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.id_at(square).map(|id| self.piece(id))
    }

    /// What the case of a square points at.
    pub fn id_at(&self, square: Square) -> Option<PieceId> {
        self.grid[square.column as usize][square.line as usize]
    }

    /// The piece itself.
    pub fn piece(&self, id: PieceId) -> Piece {
        self.pieces[usize::from(id.0)]
    }

    /// A player.
    pub fn player(&self, side: Side) -> &Player {
        &self.players[side.index()]
    }

    /// A player, to be changed.
    pub(super) fn player_mut(&mut self, side: Side) -> &mut Player {
        &mut self.players[side.index()]
    }

    /// The pieces of a player that are on the board.
    pub fn pieces_of(&self, side: Side) -> impl Iterator<Item = Piece> {
        self.player(side).pieces.iter().map(|&id| self.piece(id))
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        if self.turns.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    /// Where a player's king stands.
    pub fn king_square(&self, side: Side) -> Square {
        self.piece(self.player(side).king).square
    }

    /// A number that tells positions apart: pieces, turn, castling and en passant.
    pub fn key(&self) -> u64 {
        let turn = self.turn();
        let castling = |side: Side| zobrist::castling(side, self.player(side).castling);
        let en_passant = self.player(turn.other()).en_passant.map_or(0, zobrist::en_passant);
        self.key ^ zobrist::turn(turn) ^ castling(Side::White) ^ castling(Side::Black) ^ en_passant
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, id: PieceId, square: Square) {
        let piece = &mut self.pieces[usize::from(id.0)];
        piece.square = square;
        self.key ^= zobrist::piece(*piece);
        self.grid[square.column as usize][square.line as usize] = Some(id);
    }

    /// Takes a piece from its square; it still knows which that was.
    pub(super) fn lift(&mut self, id: PieceId) {
        let piece = self.piece(id);
        self.key ^= zobrist::piece(piece);
        self.grid[piece.square.column as usize][piece.square.line as usize] = None;
    }

    /// Makes another piece of one that is not on the board.
    pub(super) fn transform(&mut self, id: PieceId, kind: Kind) {
        let piece = &mut self.pieces[usize::from(id.0)];
        let (owner, gain) = (piece.owner, kind.value() - piece.kind.value());
        piece.kind = kind;
        self.player_mut(owner).material += gain;
    }
}

/// The pieces of a player and what they may still do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The pieces on the board, so that nobody has to look for them there.
    pub pieces: Vec<PieceId>,
    /// The king, which checks are about.
    pub king: PieceId,
    /// The sum of the values of the pieces, in centipawns, kept as pieces come and go (section 2.4).
    pub material: i32,
    /// The square that a pawn of this player has just passed and where it can be taken this turn: the document's
    /// `PrisePassant` and `positionPrisePassant` in one.
    pub en_passant: Option<Square>,
    /// Whether the player may still castle on the king's and on the queen's side. The document says "once in a game"
    /// and keeps no account of it.
    pub castling: [bool; 2],
}
