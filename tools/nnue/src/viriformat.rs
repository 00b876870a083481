//! The format of the games: viriformat, by its specification (crate `viriformat` 3.0.0).
//!
//! Integers are little-endian; squares count a1 = 0, b1 = 1, … h8 = 63. A file is a sequence of games. A game
//! is
//!
//! | bytes | what |
//! |---|---|
//! | 32 | the start position and the result, as below |
//! | 4 for each ply | the move (2) and the score of the position before it in centipawns for White (2, signed) |
//! | 4 | zeros: the end |
//!
//! A move has its origin in bits 0 to 5 and its target in bits 6 to 11; castling is the king taking its rook. Bits 12
//! and 13 are the piece of a promotion (knight 0, bishop, rook, queen 3), bits 14 and 15 the kind of move: 0 plain, 1 en
//! passant, 2 castling, 3 promotion. No move is zero.
//!
//! The start position:
//!
//! | byte | what |
//! |---|---|
//! | 0 to 7 | the occupied squares as a bitboard |
//! | 8 to 23 | four bits for each of them, from the lowest square on, the low half of a byte first: pawn 0, knight, bishop, rook, queen, king 5, a rook that may castle 6; 8 is added for Black |
//! | 24 | the en-passant square, 64 for none; plus 128 if Black is to move |
//! | 25 | plies since the last capture or pawn move |
//! | 26 and 27 | the number of the move |
//! | 28 and 29 | a score, which is not used: 0 |
//! | 30 | the result: 0 Black wins, 1 draw, 2 White wins |
//! | 31 | unused in the specification; here [`Game::skipped`] |
//!
//! The crate `viriformat` depends on a move generator, random numbers and two older libraries, which are not needed here.

use std::fs::File;
use std::io;
use std::io::{BufReader, Read};
use std::path::Path;

use chess::{
    CastlingClaim, ClaimedRook, Color, IllegalPosition, Move, Piece, PieceKind, Position, Setup, Square,
};
use thiserror::Error;

use super::game::{Game, GameResult, ScoredMove};

pub const START_BYTES: usize = 32;
/// The bytes of a ply, and of the end.
pub const PLY_BYTES: usize = 4;
pub const END: [u8; PLY_BYTES] = [0; PLY_BYTES];

/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;
/// Added to the code of a black piece.
const BLACK_PIECE: u8 = 8;
/// The en-passant square if there is none.
const NO_SQUARE: u8 = 64;
/// Added to the en-passant square if Black is to move.
const BLACK_TO_MOVE: u8 = 128;

const KIND_SHIFT: u32 = 14;
const PROMOTION_SHIFT: u32 = 12;
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;
const PROMOTION_KINDS: [PieceKind; 4] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// Why the bytes are not a game.
#[derive(Debug, Error)]
pub enum GameProblem {
    #[error("{0} pieces")]
    Pieces(u32),
    #[error("piece code {0}")]
    PieceCode(u8),
    #[error("en-passant square {0}")]
    EnPassantSquare(u8),
    #[error(transparent)]
    Position(#[from] IllegalPosition),
    #[error("result {0}")]
    Result(u8),
    #[error("an illegal move, {mv:#06x}, at ply {ply}")]
    Move {
        /// Which move of the game, from 0.
        ply: usize,
        mv: u16,
    },
}

pub fn encode(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(START_BYTES + PLY_BYTES * (game.moves.len() + 1));
    bytes.extend_from_slice(&encode_start(game));
    for ply in &game.moves {
        bytes.extend_from_slice(&encode_move(ply.mv).to_le_bytes());
        bytes.extend_from_slice(&ply.score.to_le_bytes());
    }
    bytes.extend_from_slice(&END);
    bytes
}

fn encode_start(game: &Game) -> [u8; START_BYTES] {
    let position = &game.start;
    let mut bytes = [0; START_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().bits().to_le_bytes());
    for (index, square) in position.occupied().into_iter().enumerate() {
        bytes[8 + index / 2] |= piece_code(position, square) << (4 * (index % 2));
    }
    let ep_square = position.ep_square().map_or(NO_SQUARE, |square| square.index() as u8);
    let black = if position.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = ep_square | black;
    bytes[25] = position.halfmove_clock().min(u8::MAX.into()) as u8;
    bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
    bytes[30] = game.result.half_points();
    bytes[31] = game.skipped;
    bytes
}

fn piece_code(position: &Position, square: Square) -> u8 {
    let is_black = position.colored(Color::Black).has(square);
    let kind = match position.kind_on(square) {
        _ if position.castling().rooks().has(square) => CASTLING_ROOK,
        kind => kind.map_or(0, |kind| kind.index() as u8),
    };
    if is_black { kind | BLACK_PIECE } else { kind }
}

/// A game without moves: its start, its result, and how many were skipped before it.
pub fn decode_start(bytes: &[u8; START_BYTES]) -> Result<Game, GameProblem> {
    let [halfmove_clock, low, high] = [bytes[25], bytes[26], bytes[27]];
    let result = GameResult::ALL.get(usize::from(bytes[30])).ok_or(GameProblem::Result(bytes[30]))?;
    let mut setup = Setup {
        board: [None; 64],
        side_to_move: if bytes[24] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black },
        castling: Vec::new(),
        ep_square: match bytes[24] & !BLACK_TO_MOVE {
            NO_SQUARE => None,
            square if square < NO_SQUARE => Some(Square::from_index(square.into())),
            square => return Err(GameProblem::EnPassantSquare(square)),
        },
        halfmove_clock: halfmove_clock.into(),
        // Some writers leave the move number at zero.
        fullmove_number: u16::from_le_bytes([low, high]).max(1),
    };
    decode_board(bytes, &mut setup)?;
    let start = Position::try_from(&setup)?;
    Ok(Game { start, moves: Vec::new(), result: *result, skipped: bytes[31] })
}

fn decode_board(bytes: &[u8; START_BYTES], setup: &mut Setup) -> Result<(), GameProblem> {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let occupied = chess::Bitboard::new(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return Err(GameProblem::Pieces(occupied.count()));
    }
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 0xF;
        let color = if code & BLACK_PIECE == 0 { Color::White } else { Color::Black };
        let kind = match code & !BLACK_PIECE {
            CASTLING_ROOK => {
                setup.castling.push(CastlingClaim { color, rook: ClaimedRook::OnFile(square.file()) });
                PieceKind::Rook
            }
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or(GameProblem::PieceCode(code))?,
        };
        setup.board[square.index()] = Some(Piece { color, kind });
    }
    Ok(())
}

fn encode_move(mv: Move) -> u16 {
    let kind = match mv.promotion() {
        Some(piece) => {
            PROMOTION << KIND_SHIFT | ((piece.index() - PieceKind::Knight.index()) as u16) << PROMOTION_SHIFT
        }
        None if mv.is_en_passant() => EN_PASSANT << KIND_SHIFT,
        None if mv.is_castling() => CASTLING << KIND_SHIFT,
        None => 0,
    };
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | kind
}

/// The ply in these bytes, if its move is legal in the position; `ply` is for the message.
pub fn decode_ply(
    bytes: [u8; PLY_BYTES],
    position: &Position,
    ply: usize,
) -> Result<ScoredMove, GameProblem> {
    let [low, high, score_low, score_high] = bytes;
    let bits = u16::from_le_bytes([low, high]);
    let square = |shift: u32| Square::from_index(usize::from(bits >> shift & 63));
    let (from, to) = (square(0), square(6));
    let mv = match bits >> KIND_SHIFT {
        _ if from == to => None,
        EN_PASSANT => Some(Move::en_passant(from, to)),
        CASTLING => Some(Move::castling(from, to)),
        PROMOTION => {
            Some(Move::promoting(from, to, PROMOTION_KINDS[usize::from(bits >> PROMOTION_SHIFT & 3)]))
        }
        _ => Some(Move::normal(from, to)),
    };
    let mv = mv.filter(|&mv| position.is_legal(mv)).ok_or(GameProblem::Move { ply, mv: bits })?;
    Ok(ScoredMove { mv, score: i16::from_le_bytes([score_low, score_high]) })
}

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    #[error("{file}: {error}")]
    Io { file: String, error: io::Error },
    #[error("{file}: byte {offset}: expected a game in viriformat, found {problem}")]
    Game { file: String, offset: u64, problem: GameProblem },
    #[error("{file}: expected games in viriformat, found {bytes} bytes that are none")]
    NoGame { file: String, bytes: u64 },
}

/// Reads the games of a file and checks that every move is legal.
#[derive(Debug)]
pub struct GameReader<R> {
    name: String,
    input: BufReader<R>,
    /// The bytes of the complete games read so far.
    pub whole: u64,
    /// The bytes of a truncated game at the end. Valid once there is no next game.
    pub torn: u64,
}

impl GameReader<File> {
    pub fn open(path: &Path) -> Result<GameReader<File>, GamesError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(GameReader::new(name, file)),
            Err(error) => Err(GamesError::Io { file: name, error }),
        }
    }
}

impl<R: Read> GameReader<R> {
    /// Reads from `input`. The name is for messages.
    pub fn new(name: String, input: R) -> GameReader<R> {
        GameReader { name, input: BufReader::with_capacity(1 << 18, input), whole: 0, torn: 0 }
    }

    /// The next game; `None` after the last complete one.
    pub fn next_game(&mut self) -> Result<Option<Game>, GamesError> {
        let mut start = [0; START_BYTES];
        if !self.fill(&mut start)? {
            return Ok(None);
        }
        let mut game = decode_start(&start).map_err(|problem| self.wrong(problem))?;
        let mut position = game.start.clone();
        loop {
            let mut bytes = [0; PLY_BYTES];
            if !self.fill(&mut bytes)? {
                return Ok(None);
            }
            if bytes == END {
                self.whole += std::mem::take(&mut self.torn);
                return Ok(Some(game));
            }
            let ply = decode_ply(bytes, &position, game.moves.len());
            let ply = ply.map_err(|problem| self.wrong(problem))?;
            position.play_unchecked(ply.mv);
            game.moves.push(ply);
        }
    }

    /// Reads this many bytes. Returns whether the file has them.
    fn fill(&mut self, mut bytes: &mut [u8]) -> Result<bool, GamesError> {
        while !bytes.is_empty() {
            match self.input.read(bytes) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.torn += count as u64;
                    bytes = &mut bytes[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) => return Err(GamesError::Io { file: self.name.clone(), error }),
            }
        }
        Ok(true)
    }

    fn wrong(&self, problem: GameProblem) -> GamesError {
        GamesError::Game { file: self.name.clone(), offset: self.whole, problem }
    }
}

/// Hands each game of a file to `visit`. Returns the bytes of a truncated game at the end.
pub fn read_games<E: From<GamesError>>(
    path: &Path,
    mut visit: impl FnMut(&Game) -> Result<(), E>,
) -> Result<u64, E> {
    let mut reader = GameReader::open(path)?;
    while let Some(game) = reader.next_game()? {
        visit(&game)?;
    }
    if reader.whole == 0 && reader.torn > 0 {
        return Err(GamesError::NoGame { file: reader.name, bytes: reader.torn }.into());
    }
    Ok(reader.torn)
}
