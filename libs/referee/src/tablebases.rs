//! Syzygy tablebases: the results of positions with few pieces.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use shakmaty::{Chess, Position, variant::VariantPosition};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase, Wdl};
use thiserror::Error;

use super::{Referee, Side};

const WDL_EXTENSION: &str = "rtbw";

const DTZ_EXTENSION: &str = "rtbz";

/// The first four bytes of a WDL table, as in its generator (syzygy1/tb).
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];

/// The first bytes of a pointer file of Git LFS, left where the table was not fetched: the key `version`.
const GIT_LFS: &[u8; 4] = b"vers";

/// The tables in one or more folders, up to a number of pieces.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// The maximum number of pieces, including kings, of a position that is probed.
    most_pieces: usize,
    /// Whether any table has a DTZ file, which [`probe_at_clock`](Self::probe_at_clock) needs.
    pub has_dtz: bool,
    /// The number of tables found, including those that cannot be used.
    found: usize,
    skipped: Vec<TablebaseError>,
}

/// The result with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableValue {
    /// A side wins, even under the fifty-move rule if the halfmove clock is 0.
    Win(Side),
    /// A side would win if there were no fifty-move rule.
    CursedWin(Side),
    /// Neither side can win.
    Draw,
}

/// The reason that tables cannot be used.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct TablebaseError {
    path: PathBuf,
    problem: String,
}

impl Tablebases {
    /// The maximum number of pieces in any Syzygy table.
    pub const MOST_PIECES: usize = 7;

    /// Opens the tablebases of up to `most_pieces` pieces in all folders. Tables in a later folder take precedence over
    /// those of the same name in an earlier one. A file with the wrong size or first bytes is skipped and
    /// [reported](Self::complaint); the contents of the others are read only by probes.
    ///
    /// # Errors
    /// [`TablebaseError`] if a folder cannot be read or has no tables.
    pub fn open(folders: &[PathBuf], most_pieces: usize) -> Result<Self, TablebaseError> {
        let mut tables = Tablebase::new();
        let (mut found, mut skipped, mut has_dtz) = (0, Vec::new(), false);
        for folder in folders {
            let files = tables_in(folder, most_pieces)?;
            if files.is_empty() {
                let problem = format!(
                    "expected Syzygy tablebases, files such as KQvKR.rtbw, found none of up to {most_pieces} pieces"
                );
                return Err(TablebaseError { path: folder.clone(), problem });
            }
            found += files.len();
            for path in files {
                let added = check(&path).and_then(|()| tables.add_file(&path).map_err(at(&path)));
                skipped.extend(added.err());
                has_dtz |= tables.add_file(path.with_extension(DTZ_EXTENSION)).is_ok();
            }
        }
        let most_pieces = tables.max_pieces();
        Ok(Self { tables, most_pieces, has_dtz, found, skipped })
    }

    /// The number of tables that cannot be used, with their names and reasons, if any: games are played without them.
    pub fn complaint(&self) -> Option<String> {
        const NAMED: usize = 3;
        let named: Vec<String> = self.skipped.iter().take(NAMED).map(ToString::to_string).collect();
        let more = self.skipped.len().checked_sub(NAMED + 1).map(|more| format!("; and {} more", more + 1));
        (!named.is_empty()).then(|| {
            let (skipped, found, more) = (self.skipped.len(), self.found, more.unwrap_or_default());
            format!("{skipped} of {found} Syzygy tables cannot be used: {}{more}", named.join("; "))
        })
    }

    /// The result of the current position for a halfmove clock of 0. `None` if there are too many pieces or no table, in other
    /// variants than chess, or if castling is possible, which no table covers.
    ///
    /// # Errors
    /// If a table turns out to be unreadable.
    pub fn probe(&self, referee: &Referee) -> Result<Option<TableValue>, TablebaseProbeError> {
        self.value(referee, |position| {
            Ok(match self.tables.probe_wdl_after_zeroing(position)? {
                Wdl::Win => AmbiguousWdl::Win,
                Wdl::CursedWin => AmbiguousWdl::CursedWin,
                Wdl::Draw => AmbiguousWdl::Draw,
                Wdl::BlessedLoss => AmbiguousWdl::BlessedLoss,
                Wdl::Loss => AmbiguousWdl::Loss,
            })
        })
    }

    /// The result of the current position at its halfmove clock, which needs a DTZ table (`.rtbz`) besides the WDL table.
    /// `None` as for [`probe`](Self::probe).
    ///
    /// # Errors
    /// If a table turns out to be unreadable.
    pub fn probe_at_clock(&self, referee: &Referee) -> Result<Option<TableValue>, TablebaseProbeError> {
        self.value(referee, |position| self.tables.probe_wdl(position))
    }

    fn value(
        &self,
        referee: &Referee,
        probe: impl Fn(&Chess) -> Result<AmbiguousWdl, SyzygyError>,
    ) -> Result<Option<TableValue>, TablebaseProbeError> {
        let VariantPosition::Chess(position) = &referee.position else { return Ok(None) };
        if position.board().occupied().count() > self.most_pieces {
            return Ok(None);
        }
        let turn = Side::from(position.turn());
        match probe(position) {
            Ok(AmbiguousWdl::Win | AmbiguousWdl::MaybeWin) => Ok(Some(TableValue::Win(turn))),
            Ok(AmbiguousWdl::CursedWin) => Ok(Some(TableValue::CursedWin(turn))),
            Ok(AmbiguousWdl::Draw) => Ok(Some(TableValue::Draw)),
            Ok(AmbiguousWdl::BlessedLoss) => Ok(Some(TableValue::CursedWin(turn.other()))),
            Ok(AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss) => Ok(Some(TableValue::Win(turn.other()))),
            Err(SyzygyError::ProbeFailed { metric: _, material, error }) => {
                Err(TablebaseProbeError { table: material.to_string(), reason: error.to_string() })
            }
            Err(_) => Ok(None),
        }
    }
}

/// A table turned out to be unreadable during a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the Syzygy table {table} cannot be read: {reason}")]
pub struct TablebaseProbeError {
    /// The material, such as `KQvKR`.
    pub table: String,
    /// The reason that it cannot be read.
    pub reason: String,
}

fn at(path: &Path) -> impl Fn(io::Error) -> TablebaseError {
    move |error| TablebaseError { path: path.to_owned(), problem: error.to_string() }
}

/// The tablebases of up to `most_pieces` pieces in a folder, sorted by name.
fn tables_in(folder: &Path, most_pieces: usize) -> Result<Vec<PathBuf>, TablebaseError> {
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let pieces = pieces_of(&path);
        if pieces.is_some_and(|pieces| pieces <= most_pieces) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The number of pieces of a table, by its file name: five for `KRPvKR.rtbw`. `None` if it is not a table.
fn pieces_of(path: &Path) -> Option<usize> {
    let is_table = path.extension().is_some_and(|extension| extension == WDL_EXTENSION);
    let material = path.file_stem()?.to_str().filter(|_| is_table)?;
    let (white, black) = material.split_once('v')?;
    let is_side = |side: &str| side.starts_with('K') && side.chars().all(|piece| "KQRBNP".contains(piece));
    (is_side(white) && is_side(black)).then_some(white.len() + black.len())
}

/// Checks a file without reading all of it, since it may have many gigabytes.
fn check(path: &Path) -> Result<(), TablebaseError> {
    let corrupt = |found: &str| {
        let problem = format!("expected a Syzygy table, {found}");
        TablebaseError { path: path.to_owned(), problem }
    };
    let mut file = File::open(path).map_err(at(path))?;
    let size = file.metadata().map_err(at(path))?.len();
    let mut magic = [0; 4];
    match file.read_exact(&mut magic) {
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(at(path)(error)),
        _ if magic == *GIT_LFS => {
            Err(corrupt("found a pointer of Git LFS; fetch the file with `git lfs pull`"))
        }
        _ if size == 0 => Err(corrupt("found an empty file")),
        _ if magic != WDL_MAGIC => Err(corrupt("which starts with the bytes 71 e8 23 5d")),
        _ if size % 64 != 16 => {
            Err(corrupt("which has 64 bytes any number of times and 16 more; it was cut off"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Opens a folder with these files.
    fn open(files: &[(&str, &[u8])], most_pieces: usize) -> Result<Tablebases, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Tablebases::open(&[folder.path().to_owned()], most_pieces).map_err(|error| error.to_string())
    }

    fn probe(tables: &Tablebases, fen: &str) -> Result<Option<TableValue>, TablebaseProbeError> {
        tables.probe(&Referee::from_fen(fen, super::super::Variant::Standard).unwrap())
    }

    /// The beginning of a valid table, which is checked before the first game.
    fn beginning() -> Vec<u8> {
        [&WDL_MAGIC[..], &[0; 76]].concat()
    }

    #[test]
    fn a_folder_without_tables_small_enough_is_named_and_so_is_one_that_is_not_there() {
        let message = open(&[("readme.txt", b"here be tables"), ("KQvK.rtbz", &beginning())], 7).unwrap_err();
        assert!(message.ends_with("found none of up to 7 pieces"), "{message}");
        let message = Tablebases::open(&["no/such/folder".into()], 5).unwrap_err().to_string();
        assert!(message.starts_with("no/such/folder: "), "{message}");
        let files: [(&str, &[u8]); 2] =
            [("KQvKR.rtbw", &beginning()), ("KRPvKRP.rtbw", b"not even looked at")];
        assert_eq!(open(&files, 5).unwrap().most_pieces, 4);
        assert!(open(&files, 3).is_err());
    }

    #[test]
    fn a_table_that_is_none_or_was_cut_off_is_left_out_named_and_counted() {
        let whole = beginning();
        for (bytes, problem) in [
            (b"plain text".as_slice(), "which starts with the bytes 71 e8 23 5d"),
            (b"", "found an empty file"),
            (b"version https://git-lfs.github.com/spec/v1\n", "`git lfs pull`"),
            (&whole[..70], "it was cut off"),
        ] {
            let tables = open(&[("KRvK.rtbw", bytes), ("KQvK.rtbw", &whole)], 7).unwrap();
            let complaint = tables.complaint().unwrap();
            assert!(complaint.starts_with("1 of 2 Syzygy tables cannot be used: "), "{complaint}");
            assert!(complaint.contains("KRvK.rtbw: expected a Syzygy table, "), "{complaint}");
            assert!(complaint.contains(problem) && !complaint.contains("KQvK"), "{complaint}");
            assert_eq!(probe(&tables, "4k3/8/8/8/8/8/8/4K2R w - -"), Ok(None));
        }
        let names =
            ["KQvK.rtbw", "KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw"].map(|name| (name, &b""[..]));
        let complaint = open(&names, 7).unwrap().complaint().unwrap();
        assert!(complaint.starts_with("5 of 5 ") && complaint.ends_with("; and 2 more"), "{complaint}");
        assert_eq!(open(&[("KQvK.rtbw", &whole)], 7).unwrap().complaint(), None);
    }

    #[test]
    fn a_position_is_looked_up_only_where_a_table_may_know_it() {
        let tables = open(&[("KRvK.rtbw", &beginning())], 7).unwrap();
        let probe = |fen| probe(&tables, fen);
        // Too many pieces, castling rights, and a missing table.
        for fen in
            ["4k3/8/8/8/8/8/4P3/4K2R w - -", "4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/3Q4/4K3 w - -"]
        {
            assert_eq!(probe(fen), Ok(None), "{fen}");
        }
        // The table of this material is corrupt.
        assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w - -").unwrap_err().table, "KRvK");
    }
}
