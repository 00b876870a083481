//! Syzygy endgame tables: who wins a position with few pieces, and how far the next capture or pawn move is.
//!
//! Ronald de Man's tables come in pairs (Chess Programming Wiki, "Syzygy Bases"): WDL tables, asked throughout the
//! search, know the outcome under the fifty-move rule of a position that a capture or pawn move has just led to; DTZ
//! tables, asked at the root, know the distance. shakmaty-syzygy reads both. It opens a file when a position first asks
//! for it, and what cannot be read then is told as unknown: a broken table costs knowledge, never the game.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Tablebase, Wdl};
use thiserror::Error;

use super::shakmaty_position::shakmaty_position;
use chess::Position;

/// Tables in one or more folders.
#[derive(Debug)]
pub struct Tablebases(Tablebase<Chess>);

/// How a position ends for the side to move when both play perfectly and the half-move clock stands at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableOutcome {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule saves.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule spoils.
    CursedWin,
    /// A win.
    Win,
}

/// Why tables cannot be used.
#[derive(Debug, Error)]
pub enum TablebasesError {
    /// A folder or file cannot be read, or a file has not the size of a table.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no table.
    #[error("{0}: expected Syzygy tables, files such as KQvKR.rtbw, found none")]
    NoTables(String),
}

impl Tablebases {
    /// The most pieces that tables exist for, kings included.
    pub const MOST_PIECES: u32 = 7;

    /// Opens the tables in all folders of a list, which the system's separator divides: `:`, on Windows `;`.
    ///
    /// # Errors
    /// [`TablebasesError`] when a folder cannot be read, a file has not the size of a table, or there is none at all.
    pub fn open(folders: &str) -> Result<Tablebases, TablebasesError> {
        let mut tables = Tablebase::new();
        for folder in std::env::split_paths(folders) {
            add_folder(&mut tables, &folder)?;
        }
        if tables.max_pieces() == 0 {
            return Err(TablebasesError::NoTables(folders.to_owned()));
        }
        Ok(Tablebases(tables))
    }

    /// The most pieces that any of the tables has, kings included.
    pub fn most_pieces(&self) -> u32 {
        self.0.max_pieces() as u32
    }

    /// How the position ends, as if its half-move clock stood at 0. `None` if no table tells.
    pub fn outcome(&self, position: &Position) -> Option<TableOutcome> {
        let outcome = self.0.probe_wdl_after_zeroing(&shakmaty_position(position)?).ok()?;
        Some(match outcome {
            Wdl::Loss => TableOutcome::Loss,
            Wdl::BlessedLoss => TableOutcome::BlessedLoss,
            Wdl::Draw => TableOutcome::Draw,
            Wdl::CursedWin => TableOutcome::CursedWin,
            Wdl::Win => TableOutcome::Win,
        })
    }

    /// Half-moves to the capture, pawn move or mate that the winner's best play leads to: positive if that is the side
    /// to move, negative if it is the opponent, beyond 100 where the fifty-move rule comes first, and 0 in a draw. Most
    /// tables count full moves, so that it may be one too few. `None` if no table tells.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        let distance = self.0.probe_dtz(&shakmaty_position(position)?).ok()?;
        Some(distance.ignore_rounding().into())
    }
}

impl TableOutcome {
    /// The same end as the opponent sees it.
    #[must_use]
    pub fn reversed(self) -> TableOutcome {
        match self {
            TableOutcome::Loss => TableOutcome::Win,
            TableOutcome::BlessedLoss => TableOutcome::CursedWin,
            TableOutcome::Draw => TableOutcome::Draw,
            TableOutcome::CursedWin => TableOutcome::BlessedLoss,
            TableOutcome::Win => TableOutcome::Loss,
        }
    }
}

/// Adds the tables of a folder; other files in it do not matter.
fn add_folder(tables: &mut Tablebase<Chess>, folder: &Path) -> Result<(), TablebasesError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| TablebasesError::Io { path, source }
    };
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        match tables.add_file(&path) {
            // By its name, or as a folder, it is no table.
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            added => added.map_err(at(&path))?,
        }
    }
    Ok(())
}
