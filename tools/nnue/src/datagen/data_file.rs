//! The output file, and `FILE.toml`: the engine and settings that it was made with.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, anyhow, bail, ensure};
use chess::ZobristKey;
use serde::Serialize;
use tarrasch::{BENCH_DEPTH, bench};
use toml::Table;

use super::settings::Settings;
use crate::check_same;
use crate::files::write_whole;
use crate::game::{Filter, Game};
use crate::viriformat::{GameReader, encode};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub games: u64,
    /// Positions for training, by the default [`Filter`].
    pub positions: u64,
}

/// A file of games to append to, in the order of their numbers.
#[derive(Debug)]
pub struct DataFile {
    file: File,
    starts: HashSet<ZobristKey>,
    pub counts: Counts,
    /// The number of the next game.
    pub next: u64,
    skipped: u8,
}

impl Drop for DataFile {
    /// Closing the file is not enough if a child that is just being started also holds it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl DataFile {
    /// Creates a file, or opens one with the same header: reads its games and cuts off a truncated one.
    pub fn open(path: &Path, header: &Header) -> Result<DataFile> {
        let name = path.display();
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = open.map_err(|error| anyhow!("--out {name}: {error}"))?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => bail!("{name}: another process is writing to it"),
            Err(TryLockError::Error(error)) => return Err(error).context(name.to_string()),
        }
        // From here on, dropping `data` unlocks the file.
        let mut data =
            DataFile { file, starts: HashSet::new(), counts: Counts::default(), next: 0, skipped: 0 };
        if Header::path(path).exists() {
            header.check(path)?;
        } else if data.file.metadata()?.len() == 0 {
            header.write(path)?;
        } else {
            bail!("{name}: expected {} beside it, which says how it was made", Header::path(path).display());
        }
        data.read(name.to_string())?;
        Ok(data)
    }

    /// Reads the games and truncates the file after the last complete one.
    fn read(&mut self, name: String) -> Result<()> {
        let mut reader = GameReader::new(name.clone(), self.file.try_clone()?);
        while let Some(game) = reader.next_game()? {
            self.next += 1 + u64::from(game.skipped);
            self.count(&game);
        }
        let end = reader.whole;
        self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end))).context(name)?;
        Ok(())
    }

    /// Adds the game with the next number, unless its start has been played.
    pub fn add(&mut self, mut game: Game) -> Result<()> {
        self.next += 1;
        if self.starts.contains(&game.start.key()) {
            ensure!(self.skipped < u8::MAX, "the openings are used up: allow more --random-plies");
            self.skipped += 1;
            return Ok(());
        }
        game.skipped = std::mem::take(&mut self.skipped);
        self.file.write_all(&encode(&game))?;
        self.count(&game);
        Ok(())
    }

    fn count(&mut self, game: &Game) {
        let filter = Filter::default();
        self.starts.insert(game.start.key());
        self.counts.games += 1;
        self.counts.positions += game.turns().filter(|turn| filter.keeps(turn)).count() as u64;
    }
}

/// The engine. Builds with the same bench count as the same engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineStamp {
    pub name: String,
    pub version: String,
    pub bench: u64,
}

impl EngineStamp {
    pub fn of_this_build() -> io::Result<EngineStamp> {
        let bench = bench(BENCH_DEPTH, &mut io::sink())?.get();
        Ok(EngineStamp { name: "Tarrasch".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), bench })
    }
}

/// The content of `FILE.toml`.
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    format: &'static str,
    engine: EngineStamp,
    settings: Settings,
}

impl Header {
    pub fn new(engine: EngineStamp, settings: Settings) -> Header {
        Header { format: "viriformat", engine, settings }
    }

    pub fn path(data: &Path) -> PathBuf {
        data.with_added_extension("toml")
    }

    pub fn write(&self, data: &Path) -> Result<()> {
        write_whole(&Header::path(data), toml::to_string(self)?)
    }

    pub fn check(&self, data: &Path) -> Result<()> {
        let path = Header::path(data);
        let name = path.display();
        let text = fs::read_to_string(&path).with_context(|| name.to_string())?;
        let found: Table = text.parse().with_context(|| name.to_string())?;
        check_same("the file was made", &found, &Table::try_from(self)?).with_context(|| name.to_string())
    }
}
