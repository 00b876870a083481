//! The runs in a folder that the user names: one run, the rungs of a ladder, or a run merged from several machines.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::ladder::LadderRun;
use super::remote::{self, RemotePlan};
use crate::cli::{CliError, OrExitCode, console, stdout};
use crate::files::{StateFile, new_file};
use crate::live::control;
use runner::ControlCommand;

pub fn is_run(folder: &Path) -> bool {
    new_file::is_run(folder) || LadderRun::path(folder).is_file() || RemotePlan::path(folder).is_file()
}

/// The run in a folder; for a ladder, the run of its newest rung. Unless `quiet`, the rungs of a ladder are printed.
pub fn newest_run(folder: PathBuf, quiet: bool) -> Result<PathBuf, CliError> {
    let folder = new_file::or_newest(folder, is_run).usage()?;
    if RemotePlan::path(&folder).is_file() && !is_running(&folder) {
        return merged(&folder).usage();
    }
    if !LadderRun::path(&folder).is_file() {
        return Ok(folder);
    }
    let ladder = LadderRun::of_folder(&folder).usage()?;
    if !quiet {
        writeln!(stdout(), "{}", ladder.document().terminal(console::wants_colour(&io::stdout()))).fault()?;
    }
    Ok(ladder.begun(&folder).pop().unwrap_or(folder))
}

/// The run folders in a folder. A ladder has one for each rung that has begun.
pub fn runs_in(folder: PathBuf) -> anyhow::Result<Vec<PathBuf>> {
    if RemotePlan::path(&folder).is_file() {
        return Ok(vec![merged(&folder)?]);
    }
    if !LadderRun::path(&folder).is_file() {
        return Ok(vec![folder]);
    }
    Ok(LadderRun::of_folder(&folder)?.begun(&folder))
}

fn is_running(folder: &Path) -> bool {
    control::ask(folder, ControlCommand::Status).is_ok_and(|answer| answer.is_some())
}

fn merged(folder: &Path) -> anyhow::Result<PathBuf> {
    let merged = folder.join(remote::MERGED);
    if !new_file::is_run(&merged) {
        let (shown, way) = (folder.display(), if is_running(folder) { "status" } else { "resume" });
        bail!("{shown}: the games of this run are still on its machines; see: arbiter {way} {shown}");
    }
    Ok(merged)
}
