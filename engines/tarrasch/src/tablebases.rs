//! Syzygy tablebases, by Ronald de Man (Chess Programming Wiki, "Syzygy Bases"), read by shakmaty-syzygy.
//!
//! The search probes WDL tables (win, draw or loss under the fifty-move rule at half-move clock 0), the root DTZ tables
//! (plies to the next capture or pawn move). A file is opened at its first probe. If it cannot be read, the probe
//! returns `None`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use thiserror::Error;

use super::shakmaty_position::shakmaty_position;
use chess::Position;

/// The tables in one or more folders.
#[derive(Debug)]
pub struct Tablebases(Tablebase<Chess>);

/// Win, draw or loss for the side to move with best play, at half-move clock 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule makes a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule makes a draw.
    CursedWin,
    /// A win.
    Win,
}

/// Why tables cannot be opened.
#[derive(Debug, Error)]
pub enum TablebasesError {
    /// A folder or file cannot be read, or the size of a file is not that of a table.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folders contain no table.
    #[error("{0}: expected Syzygy tablebases, files such as KQvKR.rtbw, found none")]
    NoTables(String),
}

impl Tablebases {
    /// The most pieces of any Syzygy table, kings included.
    pub const MAX_PIECES: u32 = 7;

    /// Opens the tables in a list of folders, separated by `:`, or `;` on Windows.
    ///
    /// # Errors
    /// [`TablebasesError`] if a folder cannot be read, a file has the wrong size, or there is no table.
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

    /// The most pieces of any of these tables, kings included.
    pub fn max_pieces(&self) -> u32 {
        self.0.max_pieces() as u32
    }

    /// Win, draw or loss for the side to move, as if the half-move clock were 0. `None` without a table.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.0.probe_wdl_after_zeroing(&shakmaty_position(position)?).ok()?;
        Some(match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// Distance to zero: plies to the next capture, pawn move or mate with best play. Positive if the side to move wins,
    /// negative if it loses, 0 in a draw, beyond ±100 if the fifty-move rule comes first. It may be one ply too small,
    /// because most tables count full moves. `None` without a table.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        let distance = self.0.probe_dtz(&shakmaty_position(position)?).ok()?;
        Some(distance.ignore_rounding().into())
    }
}

impl Wdl {
    /// The result from the opponent's point of view.
    #[must_use]
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// Adds the tables of a folder and ignores other files.
fn add_folder(tables: &mut Tablebase<Chess>, folder: &Path) -> Result<(), TablebasesError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| TablebasesError::Io { path, source }
    };
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        match tables.add_file(&path) {
            // Not a table by its name, or a folder.
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            added => added.map_err(at(&path))?,
        }
    }
    Ok(())
}
