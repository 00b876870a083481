//! `FILE.toml`: the engine and settings of a file of games.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use tarrasch::{BENCH_DEPTH, bench};
use toml::Table;

use super::settings::Settings;
use crate::difference::{Difference, difference};

/// The engine. Builds with the same bench count as the same engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineStamp {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The nodes of its bench.
    pub bench: u64,
}

impl EngineStamp {
    /// The engine of this build. Its bench takes a few seconds.
    ///
    /// # Errors
    /// There is not enough memory for the transposition table.
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
    /// The header for this engine and these settings.
    pub fn new(engine: EngineStamp, settings: Settings) -> Header {
        Header { format: "viriformat", engine, settings }
    }

    /// The path of the header of a file of games.
    pub fn path(data: &Path) -> PathBuf {
        let mut path = data.as_os_str().to_owned();
        path.push(".toml");
        path.into()
    }

    /// Writes the header.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn write(&self, data: &Path) -> Result<()> {
        let path = Header::path(data);
        let text = toml::to_string(self)?;
        let partial = path.with_added_extension("partial");
        fs::write(&partial, text)
            .and_then(|()| fs::rename(&partial, &path))
            .with_context(|| path.display().to_string())
    }

    /// Checks that the header of the file is the same.
    ///
    /// # Errors
    /// A field differs (the error names the first), or the file is not a header.
    pub fn check(&self, data: &Path) -> Result<()> {
        let path = Header::path(data);
        let name = path.display();
        let text = fs::read_to_string(&path).with_context(|| name.to_string())?;
        let found: Table = text.parse().with_context(|| name.to_string())?;
        if let Some(Difference { field, ours, found }) = difference(&Table::try_from(self)?, &found) {
            let found = found.map_or("nothing".to_owned(), |value| value.to_string());
            bail!("{name}: {field}: the file was made with {found}, and now it is {ours}");
        }
        Ok(())
    }
}
