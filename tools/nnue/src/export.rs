//! Training positions in the formats of other trainers.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chess::{Bitboard, Color, Piece, PieceKind, Position, Square};
use clap::{Args, ValueEnum};

use super::files::NewFile;
use super::game::{Filter, GameResult, Turn};
use super::info::grouped;
use super::say;
use super::viriformat::read_games;

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The format
    #[arg(long, value_name = "FORMAT")]
    pub to: ExportFormat,

    /// The file to write; it must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Which positions are for training.
    #[command(flatten)]
    pub filter: Filter,
}

pub fn command(arguments: &ExportArguments) -> Result<()> {
    let mut output = NewFile::reserve(&arguments.out)?;
    let mut positions = 0;
    for file in &arguments.files {
        positions += export(file, arguments.filter, arguments.to, &mut output.output)?;
    }
    output.finish()?;
    say(&format!("{}: {} positions", arguments.out.display(), grouped(positions)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A line `FEN | score | result` for each position, as bullet's tools read it: score in centipawns and result (1.0,
    /// 0.5 or 0.0) for White
    Text,
    /// 32 bytes for each position, as bullet reads it: for the side to move, without castling rights and clocks
    Bulletformat,
}

/// Exports the training positions of a file of games. Returns their number.
pub fn export(path: &Path, filter: Filter, format: ExportFormat, output: &mut impl Write) -> Result<u64> {
    let mut positions = 0;
    read_games(path, |game| -> Result<()> {
        for turn in game.turns().filter(|turn| filter.keeps(turn)) {
            match format {
                ExportFormat::Text => output.write_all(text_line(&turn, game.result).as_bytes()),
                ExportFormat::Bulletformat => {
                    output.write_all(&bulletformat_bytes(&turn.position, turn.score, game.result))
                }
            }
            .context("cannot write the positions")?;
            positions += 1;
        }
        Ok(())
    })?;
    Ok(positions)
}

fn text_line(turn: &Turn, result: GameResult) -> String {
    let points = f64::from(result.half_points()) / 2.0;
    format!("{} | {} | {points:.1}\n", turn.position.fen(), turn.score)
}

pub const BULLETFORMAT_BYTES: usize = 32;

/// Added to the code of an opponent's piece.
const OPPONENT: u8 = 8;

/// A position with its score, in centipawns for White, and the result of its game, in the format of the trainer bullet
/// (crate `bulletformat` 1.8.0).
///
/// Everything is for the side to move: when that is Black, ranks and colours are swapped. The format lacks castling rights,
/// clocks and the colour of the side to move.
///
/// | byte | what |
/// |---|---|
/// | 0 to 7 | the occupied squares as a bitboard, little-endian |
/// | 8 to 23 | four bits for each of them, from the lowest square on, the low half of a byte first: pawn 0 to king 5; 8 is added for the opponent |
/// | 24 and 25 | the score in centipawns, signed, little-endian |
/// | 26 | the result: 0 a loss, 1 a draw, 2 a win |
/// | 27 | the square of the own king |
/// | 28 | the square of the opponent's king, with its rank mirrored |
/// | 29 to 31 | zeros |
pub fn bulletformat_bytes(position: &Position, score: i16, result: GameResult) -> [u8; BULLETFORMAT_BYTES] {
    let us = position.side_to_move();
    let (score, half_points) = match us {
        Color::White => (score, result.half_points()),
        Color::Black => (-score, 2 - result.half_points()),
    };
    let occupied: Bitboard = position.occupied().into_iter().map(|square| square.relative_to(us)).collect();
    let mut bytes = [0; BULLETFORMAT_BYTES];
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
pub fn bulletformat_pieces(bytes: &[u8; BULLETFORMAT_BYTES]) -> impl Iterator<Item = (Square, Piece)> {
    let [occupied, codes @ ..] = bytes.as_chunks::<8>().0 else { unreachable!("four parts") };
    let codes = codes.as_flattened();
    Bitboard::new(u64::from_le_bytes(*occupied)).into_iter().enumerate().map(move |(index, square)| {
        let code = codes[index / 2] >> (4 * (index % 2)) & 0xF;
        let color = if code & OPPONENT == 0 { Color::White } else { Color::Black };
        (square, Piece { color, kind: PieceKind::ALL[usize::from(code & !OPPONENT)] })
    })
}
