//! What machines have played, brought here.

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

/// Brings the folder `shard` of a run on a machine home, if there is one. It is there when it is whole: each line of its
/// journal, and as many games as were counted.
pub(super) fn fetch(host: &Host, there: &str, games: u32, home: &Path, control: &RunControl) -> Result<()> {
    let place = home.parent().unwrap_or(home);
    let draft = TempDir::with_prefix_in(".bringing-", place).with_context(|| place.display().to_string())?;
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
        bail!("machine {}: {} came home, {} was counted", host.name, counted(found.into(), "game"), games);
    }
    if is_there {
        match fs::remove_dir_all(home) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => fs::rename(draft.keep(), home)?,
        }
    }
    Ok(())
}

/// Unpacks files and folders alone: a link may lead anywhere.
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

/// How many games a journal has, each line of which is read.
fn count(shard: &Path) -> Result<u32> {
    let mut games = 0;
    for game in RunJournal::open(shard)?.events.finished_games() {
        game?;
        games += 1;
    }
    Ok(games)
}

/// The shards that are parts of one run, the first of them and those that can be merged with it; the others are named.
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

/// Makes room for a folder, whose games somebody may have gone on with.
pub(super) fn keep_aside(folder: &Path) -> io::Result<()> {
    let names = (1..).map(|number| PathBuf::from(format!("{}-{number}", folder.display())));
    let Some(aside) = names.into_iter().find(|aside| !aside.exists()).filter(|_| folder.exists()) else {
        return Ok(());
    };
    console::note(&format!("what was merged before is kept in {}", aside.display()));
    fs::rename(folder, aside)
}
