//! Training positions in the formats of other trainers.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::bulletformat;
use super::filter::Filter;
use super::game::{GameResult, Turn};
use super::game_reader::read_games;

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A line `FEN | score | result` for each position, as bullet's tools read it: score in centipawns and result (1.0,
    /// 0.5 or 0.0) for White
    Text,
    /// 32 bytes for each position, as bullet reads it: for the side to move, without castling rights and clocks
    Bulletformat,
}

/// Exports the training positions of a file of games. Returns their number.
///
/// # Errors
/// The file cannot be read or is not a file of games, or `output` cannot be written.
pub fn export(path: &Path, filter: Filter, format: ExportFormat, output: &mut impl Write) -> Result<u64> {
    let mut positions = 0;
    read_games(path, |game| -> Result<()> {
        for turn in game.turns().filter(|turn| filter.keeps(turn)) {
            match format {
                ExportFormat::Text => output.write_all(text_line(&turn, game.result).as_bytes()),
                ExportFormat::Bulletformat => {
                    output.write_all(&bulletformat::encode(&turn.position, turn.score, game.result))
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
