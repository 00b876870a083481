//! Syzygy tablebases, by Ronald de Man (Chess Programming Wiki, "Syzygy Bases"), read by shakmaty-syzygy.
//!
//! The search probes WDL tables (win, draw or loss under the fifty-move rule at half-move clock 0), the root DTZ tables
//! (plies to the next capture or pawn move). A file is opened at its first probe. If it cannot be read, the probe
//! returns `None`; one with the wrong size is left out at once.

use std::io::{self, ErrorKind};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, PositionError, Setup, Square};
use shakmaty_syzygy::Tablebase;
pub use shakmaty_syzygy::Wdl;
use thiserror::Error;

use super::Depth;
use chess::{Color, PieceKind, Position};

/// The tables in one or more folders.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// The files that cannot be used.
    skipped: Vec<TablebasesError>,
}

/// Why tables cannot be opened.
#[derive(Debug, Error)]
pub enum TablebasesError {
    /// A folder or a file cannot be read, or the size of a file is not that of a table.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{0}: expected Syzygy tablebases, files such as KQvKR.rtbw, found none")]
    NoTables(String),
}

impl Tablebases {
    /// The most pieces of any Syzygy table, kings included.
    pub const MAX_PIECES: u32 = 7;

    /// Opens the tables in a list of folders, separated by `:`, or `;` on Windows. Empty parts are no folders, and a file
    /// that cannot be read or has the wrong size is left out.
    pub fn open(folders: &str) -> Result<Tablebases, TablebasesError> {
        let mut tables = Tablebases { tables: Tablebase::new(), skipped: Vec::new() };
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
            tables.add_folder(&folder)?;
        }
        if tables.max_pieces() == 0 {
            let first = tables.skipped.into_iter().next();
            return Err(first.unwrap_or_else(|| TablebasesError::NoTables(folders.to_owned())));
        }
        Ok(tables)
    }

    /// How many files were left out, and the first of them, if there are any.
    pub fn complaint(&self) -> Option<String> {
        let first = self.skipped.first()?;
        Some(format!("tables that cannot be used: {}, such as {first}", self.skipped.len()))
    }

    /// Adds the tables of a folder and ignores other files.
    fn add_folder(&mut self, folder: &Path) -> Result<(), TablebasesError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| TablebasesError::Io { path, source }
        };
        for entry in folder.read_dir().map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            match self.tables.add_file(&path) {
                // Not a table by its name, or a folder.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                added => self.skipped.extend(added.map_err(at(&path)).err()),
            }
        }
        Ok(())
    }

    /// The most pieces of any of these tables, kings included.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Win, draw or loss for the side to move, as if the half-move clock were 0. `None` without a table.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        self.tables.probe_wdl_after_zeroing(&shakmaty_position(position)?).ok()
    }

    /// Distance to zero: plies to the next capture, pawn move or mate with best play. Positive if the side to move wins,
    /// negative if it loses, 0 in a draw, beyond ±100 if the fifty-move rule comes first. It may be one ply too small,
    /// because most tables count full moves. `None` without a table.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        let distance = self.tables.probe_dtz(&shakmaty_position(position)?).ok()?;
        Some(distance.ignore_rounding().into())
    }
}

/// The tablebases and the limits of their use. A clone shares the tablebases.
#[derive(Clone, Debug)]
pub struct SyzygyOptions {
    tablebases: Option<Arc<Tablebases>>,
    probe_depth: Depth,
    probe_limit: u32,
}

impl Default for SyzygyOptions {
    /// No tablebases, and no limits of their use.
    fn default() -> SyzygyOptions {
        SyzygyOptions { tablebases: None, probe_depth: Depth::ONE, probe_limit: Tablebases::MAX_PIECES }
    }
}

impl SyzygyOptions {
    /// Opens the tablebases in a list of folders, or closes them if the list is empty. Returns a
    /// [complaint](Tablebases::complaint) if there is one.
    pub fn open(&mut self, folders: &str) -> Result<Option<String>, TablebasesError> {
        self.tablebases = if folders.is_empty() { None } else { Some(Arc::new(Tablebases::open(folders)?)) };
        Ok(self.tablebases.as_ref().and_then(|tables| tables.complaint()))
    }

    /// `SyzygyProbeDepth`: positions with the maximum number of pieces are probed from this depth on. Positions with
    /// fewer pieces are always probed.
    pub fn set_probe_depth(&mut self, depth: Depth) {
        self.probe_depth = depth;
    }

    /// `SyzygyProbeLimit`: positions with more pieces, kings included, are not probed.
    pub fn set_probe_limit(&mut self, pieces: u32) {
        self.probe_limit = pieces;
    }

    pub fn is_loaded(&self) -> bool {
        self.tablebases.is_some()
    }

    /// The tablebases, if the root is to be probed.
    pub fn at_root(&self, position: &Position) -> Option<&Tablebases> {
        let tables = self.tablebases.as_deref()?;
        let is_known =
            pieces(position) <= self.max_pieces_of(tables) && position.castling().rooks().is_empty();
        is_known.then_some(tables)
    }

    /// The tablebases, if a node is to be probed. Only directly after a capture or pawn move: WDL holds for a half-move
    /// clock of 0.
    pub fn at_node(&self, position: &Position, depth: Depth) -> Option<&Tablebases> {
        let tables = self.tablebases.as_deref().filter(|_| position.halfmove_clock() == 0)?;
        let is_worth_it = depth >= self.probe_depth || pieces(position) < self.max_pieces_of(tables);
        self.at_root(position).filter(|_| is_worth_it)
    }

    fn max_pieces_of(&self, tables: &Tablebases) -> u32 {
        self.probe_limit.min(tables.max_pieces())
    }
}

fn pieces(position: &Position) -> u32 {
    position.occupied().count()
}

/// The position as shakmaty's type; `None` if shakmaty takes it for illegal. Impossible checks are allowed.
pub fn shakmaty_position(position: &Position) -> Option<Chess> {
    let kind = |kind| Bitboard(position.of_kind(kind).bits());
    let side = |color| Bitboard(position.colored(color).bits());
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color = ByColor { black: side(Color::Black), white: side(Color::White) };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: shakmaty::Color::from_white(position.side_to_move() == Color::White),
        castling_rights: Bitboard(position.castling().rooks().bits()),
        ep_square: position.ep_square().map(|square| Square::new(square.index() as u32)),
        halfmoves: position.halfmove_clock().into(),
        fullmoves: NonZeroU32::new(position.fullmove_number().into()).unwrap_or(NonZeroU32::MIN),
        ..Setup::empty()
    };
    setup.position(CastlingMode::Chess960).or_else(PositionError::ignore_impossible_check).ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn a_position_is_the_one_that_its_fen_describes() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 12 34",
            "8/8/8/4k3/8/8/1q6/K2R4 w - - 99 120",
        ] {
            let read: Fen = fen.parse().unwrap();
            let expected: Chess = read.into_position(CastlingMode::Chess960).unwrap();
            assert_eq!(shakmaty_position(&Position::from_fen(fen).unwrap()), Some(expected), "{fen}");
        }
    }
}
