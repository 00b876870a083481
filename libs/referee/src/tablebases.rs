//! Syzygy tablebases: the results of positions with few pieces, in chess, atomic and antichess.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use shakmaty::variant::{Antichess, Atomic, VariantPosition};
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{AmbiguousWdl, Syzygy, SyzygyError, TableType, Tablebase, Wdl};
use thiserror::Error;

use super::{Referee, Side, Variant};

/// The first bytes of a pointer file of Git LFS, left where the table was not fetched: the key `version`.
const GIT_LFS: &[u8; 4] = b"vers";

/// The tables in one or more folders, up to a number of pieces.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tables,
    /// The maximum number of pieces, including kings, of a position that is probed.
    most_pieces: usize,
    /// Whether any table has a DTZ file, which [`probe_at_clock`](Self::probe_at_clock) needs.
    pub has_dtz: bool,
    /// The number of tables found, including those that cannot be used.
    found: usize,
    skipped: Vec<TablebaseError>,
}

/// The tables of one game. A new one is a variant here, and a row in each `match`.
#[derive(Debug)]
enum Tables {
    Chess(Tablebase<Chess>),
    Atomic(Tablebase<Atomic>),
    Antichess(Tablebase<Antichess>),
}

impl Tables {
    fn of(variant: Variant) -> Option<Tables> {
        match variant {
            Variant::Standard | Variant::Chess960 => Some(Tables::Chess(Tablebase::new())),
            Variant::Atomic => Some(Tables::Atomic(Tablebase::new())),
            Variant::Antichess => Some(Tables::Antichess(Tablebase::new())),
            _ => None,
        }
    }

    /// The types of WDL tables, the usual one first.
    fn wdl_types(&self) -> Vec<TableType> {
        fn of<P: Position + Clone + Syzygy>(_: &Tablebase<P>) -> Vec<TableType> {
            [Some(P::TBW), P::PAWNLESS_TBW].into_iter().flatten().collect()
        }
        match self {
            Tables::Chess(tables) => of(tables),
            Tables::Atomic(tables) => of(tables),
            Tables::Antichess(tables) => of(tables),
        }
    }

    fn add(&mut self, file: &Path) -> io::Result<()> {
        match self {
            Tables::Chess(tables) => tables.add_file(file),
            Tables::Atomic(tables) => tables.add_file(file),
            Tables::Antichess(tables) => tables.add_file(file),
        }
    }

    fn max_pieces(&self) -> usize {
        match self {
            Tables::Chess(tables) => tables.max_pieces(),
            Tables::Atomic(tables) => tables.max_pieces(),
            Tables::Antichess(tables) => tables.max_pieces(),
        }
    }

    /// The result for the side to move, at the halfmove clock or for a clock of 0; `None` for a position of another game.
    fn probe(&self, position: &VariantPosition, at_clock: bool) -> Option<Result<AmbiguousWdl, SyzygyError>> {
        fn of<P: Position + Clone + Syzygy>(
            tables: &Tablebase<P>,
            position: &P,
            at_clock: bool,
        ) -> Result<AmbiguousWdl, SyzygyError> {
            if at_clock {
                return tables.probe_wdl(position);
            }
            tables.probe_wdl_after_zeroing(position).map(|value| match value {
                Wdl::Win => AmbiguousWdl::Win,
                Wdl::CursedWin => AmbiguousWdl::CursedWin,
                Wdl::Draw => AmbiguousWdl::Draw,
                Wdl::BlessedLoss => AmbiguousWdl::BlessedLoss,
                Wdl::Loss => AmbiguousWdl::Loss,
            })
        }
        match (self, position) {
            (Tables::Chess(tables), VariantPosition::Chess(position)) => Some(of(tables, position, at_clock)),
            (Tables::Atomic(tables), VariantPosition::Atomic(position)) => {
                Some(of(tables, position, at_clock))
            }
            (Tables::Antichess(tables), VariantPosition::Antichess(position)) => {
                Some(of(tables, position, at_clock))
            }
            _ => None,
        }
    }
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

    /// Whether there are tables of a variant at all.
    pub fn exist_for(variant: Variant) -> bool {
        Tables::of(variant).is_some()
    }

    /// Opens the tablebases of a variant of up to `most_pieces` pieces in all folders. A table in
    /// a later folder replaces one of the same name in an earlier folder. A file with the wrong size or first bytes is
    /// skipped and [reported](Self::complaint); the contents of the others are read only by probes.
    ///
    /// # Errors
    /// [`TablebaseError`] if a folder cannot be read or has no tables of the variant, or if there are none at all.
    pub fn open(folders: &[PathBuf], most_pieces: usize, variant: Variant) -> Result<Self, TablebaseError> {
        let mut tables = Tables::of(variant).ok_or_else(|| TablebaseError {
            path: folders.first().cloned().unwrap_or_default(),
            problem: format!("there are no Syzygy tablebases of {}", variant.in_words()),
        })?;
        let (mut found, mut skipped, mut has_dtz) = (0, Vec::new(), false);
        let types = tables.wdl_types();
        for folder in folders {
            let files = tables_in(folder, most_pieces, &types)?;
            if files.is_empty() {
                let problem = format!(
                    "expected Syzygy tablebases of {}, files such as KQvKR.{}, found none of up to {most_pieces} pieces",
                    variant.in_words(),
                    types[0].ext
                );
                return Err(TablebaseError { path: folder.clone(), problem });
            }
            found += files.len();
            for (path, kind) in files {
                let added = check(&path, kind.magic).and_then(|()| tables.add(&path).map_err(at(&path)));
                skipped.extend(added.err());
                has_dtz |= tables.add(&path.with_extension(kind.ext.replace("tbw", "tbz"))).is_ok();
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

    /// The result of the current position for a halfmove clock of 0. `None` if there are too many pieces, if
    /// there is no table, if castling is possible, which no table covers, or if the game is of another variant.
    ///
    /// # Errors
    /// If a table turns out to be unreadable.
    pub fn probe(&self, referee: &Referee) -> Result<Option<TableValue>, TablebaseProbeError> {
        self.value(referee, false)
    }

    /// The result of the current position at its halfmove clock, which needs a DTZ table (`.rtbz`) besides the WDL table.
    /// `None` as for [`probe`](Self::probe).
    ///
    /// # Errors
    /// If a table turns out to be unreadable.
    pub fn probe_at_clock(&self, referee: &Referee) -> Result<Option<TableValue>, TablebaseProbeError> {
        self.value(referee, true)
    }

    fn value(&self, referee: &Referee, at_clock: bool) -> Result<Option<TableValue>, TablebaseProbeError> {
        let position = &referee.position;
        if position.board().occupied().count() > self.most_pieces {
            return Ok(None);
        }
        let turn = Side::from(position.turn());
        let Some(value) = self.tables.probe(position, at_clock) else { return Ok(None) };
        match value {
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

/// The tablebases of these types, of up to `most_pieces` pieces, in a folder, sorted by type and name.
fn tables_in<'t>(
    folder: &Path,
    most_pieces: usize,
    types: &'t [TableType],
) -> Result<Vec<(PathBuf, &'t TableType)>, TablebaseError> {
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let kind = types.iter().find(|kind| path.extension().is_some_and(|extension| extension == kind.ext));
        let pieces = pieces_of(&path);
        if let Some(kind) = kind.filter(|_| pieces.is_some_and(|pieces| pieces <= most_pieces)) {
            found.push((path, kind));
        }
    }
    // The usual type comes last, and so takes precedence.
    found.sort_by(|(one, kind), (other, next)| {
        (kind.ext == types[0].ext, one).cmp(&(next.ext == types[0].ext, other))
    });
    Ok(found)
}

/// The number of pieces of a table, by its file name: five for `KRPvKR.rtbw`. `None` if it is not a table.
fn pieces_of(path: &Path) -> Option<usize> {
    let (white, black) = path.file_stem()?.to_str()?.split_once('v')?;
    let is_side = |side: &str| !side.is_empty() && side.chars().all(|piece| "KQRBNP".contains(piece));
    (is_side(white) && is_side(black)).then_some(white.len() + black.len())
}

/// Checks a file without reading all of it, since it may have many gigabytes.
fn check(path: &Path, wanted: [u8; 4]) -> Result<(), TablebaseError> {
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
        _ if magic != wanted => {
            let [a, b, c, d] = wanted;
            Err(corrupt(&format!("which starts with the bytes {a:02x} {b:02x} {c:02x} {d:02x}")))
        }
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
        open_of(Variant::Standard, files, most_pieces)
    }

    fn open_of(variant: Variant, files: &[(&str, &[u8])], most_pieces: usize) -> Result<Tablebases, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Tablebases::open(&[folder.path().to_owned()], most_pieces, variant).map_err(|error| error.to_string())
    }

    fn probe(tables: &Tablebases, fen: &str) -> Result<Option<TableValue>, TablebaseProbeError> {
        tables.probe(&Referee::from_fen(fen, Variant::Standard).unwrap())
    }

    /// The beginning of a valid table, which is checked before the first game.
    fn beginning() -> Vec<u8> {
        [&Chess::TBW.magic[..], &[0; 76]].concat()
    }

    #[test]
    fn a_folder_without_tables_small_enough_is_named_and_so_is_one_that_is_not_there() {
        let message = open(&[("readme.txt", b"here be tables"), ("KQvK.rtbz", &beginning())], 7).unwrap_err();
        assert!(message.ends_with("found none of up to 7 pieces"), "{message}");
        let message =
            Tablebases::open(&["no/such/folder".into()], 5, Variant::Chess960).unwrap_err().to_string();
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

    #[test]
    fn each_variant_has_its_own_tables_and_most_have_none() {
        let of = |magic: [u8; 4]| [&magic[..], &[0; 76]].concat();
        let (atomic, pawnless) = (of(Atomic::TBW.magic), of(Antichess::PAWNLESS_TBW.unwrap().magic));
        let files: [(&str, &[u8]); 3] =
            [("KRvK.rtbw", &beginning()), ("KQvK.atbw", &atomic), ("KvK.stbw", &pawnless)];
        for (variant, fen, table) in [
            (Variant::Atomic, "4k3/8/8/8/8/8/8/4K2Q w - -", "KQvK"),
            (Variant::Antichess, "7k/8/8/8/8/8/8/K7 w - -", "KvK"),
        ] {
            let tables = open_of(variant, &files, 7).unwrap();
            assert_eq!((tables.found, tables.complaint()), (1, None), "{variant}");
            let probe = |fen, variant| tables.probe(&Referee::from_fen(fen, variant).unwrap());
            assert_eq!(probe(fen, variant).expect_err(fen).table, table, "{variant}");
            assert_eq!(probe("4k3/8/8/8/8/8/8/4K2Q w - -", Variant::Standard), Ok(None));
        }
        assert!(open_of(Variant::Atomic, &files[..1], 7).unwrap_err().contains("such as KQvKR.atbw"));
        assert!(open_of(Variant::Horde, &files, 7).unwrap_err().ends_with("tablebases of Horde"));
    }
}
