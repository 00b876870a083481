//! Fetches the games that machines have played.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::host::Host;
use crate::cli::console;
use crate::run::merge;
use crate::text::number_text::counted;
use runner::{RunControl, RunJournal, StopLevel};

const DRAFT: &str = ".bringing-";

/// Removes what fetches left that were killed.
pub(super) fn remove_drafts(place: &Path) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(DRAFT.as_bytes()) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Fetches the folder `shard` of a run from a machine, if it exists there. It replaces the local folder only if it is
/// complete: every line of its journal is readable, and no counted game is missing.
pub(super) fn fetch(host: &Host, there: &str, games: u32, home: &Path, control: &RunControl) -> Result<()> {
    let place = home.parent().unwrap_or(home);
    let draft = TempDir::with_prefix_in(DRAFT, place).with_context(|| place.display().to_string())?;
    let script = format!(
        "[ -d {there}/shard ] || {{ echo nothing; exit 0; }}; echo shard; tar -C {there} -cf - shard"
    );
    let is_stopped = || control.level() > StopLevel::Running;
    let is_there = host.talk(&script, io::empty(), is_stopped, |output| {
        let mut word = String::new();
        output.read_line(&mut word)?;
        if word == "shard\n" { unpack(output, draft.path()).map(|()| true) } else { Ok(false) }
    })?;
    // What is here already, and no longer there, has come home before.
    let shard = if is_there { draft.path() } else { home }.join("shard");
    let found = if shard.join(runner::JOURNAL_FILE).exists() {
        count(&shard).with_context(|| format!("machine {}", host.name))?
    } else {
        0
    };
    if found < games {
        bail!("machine {}: {} arrived, {} were counted", host.name, counted(found.into(), "game"), games);
    }
    if is_there {
        match fs::remove_dir_all(home) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => fs::rename(draft.keep(), home)?,
        }
    }
    Ok(())
}

/// Unpacks only files and folders, because a link could point anywhere.
fn unpack(packed: &mut dyn BufRead, place: &Path) -> Result<()> {
    let mut archive = tar::Archive::new(BufReader::new(packed));
    archive.set_preserve_permissions(false);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_file() || entry.header().entry_type().is_dir() {
            entry.unpack_in(place)?;
        }
    }
    Ok(())
}

/// The number of games in a journal, of which every line is read.
fn count(shard: &Path) -> Result<u32> {
    let mut games = 0;
    for game in RunJournal::open(shard)?.events.finished_games() {
        game?;
        games += 1;
    }
    Ok(games)
}

/// The first shard, and all others that can be merged with it. Warnings name the rest.
pub(super) fn that_fit(shards: &[PathBuf]) -> Vec<PathBuf> {
    if merge::can_be(shards).is_ok() {
        return shards.to_vec();
    }
    let mut fit: Vec<PathBuf> = Vec::new();
    for shard in shards {
        fit.push(shard.clone());
        if let Err(error) = merge::can_be(&fit) {
            console::note(&format!("warning: {error:#}; its games are left out"));
            fit.pop();
        }
    }
    fit
}

/// Renames a folder out of the way, because somebody may have continued the run in it.
pub(super) fn keep_aside(folder: &Path) -> io::Result<()> {
    let names = (1..).map(|number| PathBuf::from(format!("{}-{number}", folder.display())));
    let Some(aside) = names.into_iter().find(|aside| !aside.exists()).filter(|_| folder.exists()) else {
        return Ok(());
    };
    console::note(&format!("the previous merge is kept in {}", aside.display()));
    fs::rename(folder, aside)
}
