//! The format of the trainer bullet for single positions (crate `bulletformat` 1.8.0): 32 bytes for each.
//!
//! Everything is for the side to move: when that is Black, ranks and colours are swapped. It lacks castling
//! rights, clocks and the colour of the side to move.
//!
//! | byte | what |
//! |---|---|
//! | 0 to 7 | the occupied squares as a bitboard, little-endian |
//! | 8 to 23 | four bits for each of them, from the lowest square on, the low half of a byte first: pawn 0 to king 5; 8 is added for the opponent |
//! | 24 and 25 | the score in centipawns, signed, little-endian |
//! | 26 | the result: 0 a loss, 1 a draw, 2 a win |
//! | 27 | the square of the own king |
//! | 28 | the square of the opponent's king, with its rank mirrored |
//! | 29 to 31 | zeros |

use chess::{Bitboard, Color, Piece, PieceKind, Position, Square};

use super::game::GameResult;

/// The bytes of a position.
pub const BYTES: usize = 32;

/// Added to the code of a piece of the opponent.
const OPPONENT: u8 = 8;

/// A position with its score, in centipawns for White, and the result of its game.
pub fn encode(position: &Position, score: i16, result: GameResult) -> [u8; BYTES] {
    let us = position.side_to_move();
    let (score, half_points) = match us {
        Color::White => (score, result.half_points()),
        Color::Black => (-score, 2 - result.half_points()),
    };
    let occupied: Bitboard = position.occupied().into_iter().map(|square| square.relative_to(us)).collect();
    let mut bytes = [0; BYTES];
    bytes[..8].copy_from_slice(&occupied.bits().to_le_bytes());
    for (index, square) in occupied.into_iter().enumerate() {
        let square: Square = square.relative_to(us);
        let kind = position.kind_on(square).map_or(0, |kind| kind.index() as u8);
        let code = if position.colored(us).has(square) { kind } else { kind | OPPONENT };
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = half_points;
    bytes[27] = position.king(us).relative_to(us).index() as u8;
    bytes[28] = position.king(!us).relative_to(!us).index() as u8;
    bytes
}

/// The pieces of a position, from the lowest square on, as the side to move sees them: its own are white.
///
/// # Panics
/// The bytes do not come from [`encode`].
pub fn pieces(bytes: &[u8; BYTES]) -> impl Iterator<Item = (Square, Piece)> {
    let [occupied, codes @ ..] = bytes.as_chunks::<8>().0 else { unreachable!("four parts") };
    let codes = codes.as_flattened();
    Bitboard::new(u64::from_le_bytes(*occupied)).into_iter().enumerate().map(move |(index, square)| {
        let code = codes[index / 2] >> (4 * (index % 2)) & 0xF;
        let color = if code & OPPONENT == 0 { Color::White } else { Color::Black };
        (square, Piece { color, kind: PieceKind::ALL[usize::from(code & !OPPONENT)] })
    })
}
