//! Rounds of a list that several machines play together.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::list_file::{ListFile, ROUND, name_of};
use crate::cli::{CliError, OrExitCode, console};
use crate::engines;
use crate::files::StateFile;
use crate::run::remote::{self, Host, MERGED, RemotePlan};
use crate::run::{Series, playing};
use crate::text::number_text::counted;
use runner::{RunConfig, RunPlan, Schedule};

/// What became of a round.
#[derive(Debug, PartialEq, Eq)]
pub enum Round {
    /// It is a run of the list, in this folder.
    Played(PathBuf),
    /// No game is to be played.
    Empty,
    /// Not all of its games have been played, or fetched.
    Stopped,
}

/// Checks that several machines can play a list: its games must be the same on each.
pub fn check(list: &ListFile, concurrency: Option<u16>) -> anyhow::Result<()> {
    ensure!(
        !list.run.depends_on_speed(),
        "--on: time controls are not the same games on another processor; begin another list with --nodes, or with \
         --scale-to, which adapts the time to each machine"
    );
    ensure!(concurrency.is_none(), "--concurrency: expected HOST:N with --on, such as --on ada:4,grace:8");
    Ok(())
}

/// Plays a round. All of its games are chosen now, and the machines share them.
pub fn play(series: &Series, folder: &Path, config: RunConfig, hosts: &[Host]) -> Result<Round, CliError> {
    let mut plan = RunPlan::new(config).usage()?;
    let pairs = Schedule::new(plan.config()).games() / 2;
    // A machine without a game would be an error.
    let hosts = &hosts[..hosts.len().min(pairs as usize)];
    if hosts.is_empty() {
        return Ok(Round::Empty);
    }
    let names: Vec<&str> = hosts.iter().map(|host| &host.name[..]).collect();
    let (run, games) = (name_of(&ListFile::next_folder(folder)), counted(2 * u64::from(pairs), "game"));
    console::note(&format!("run {run}: {games} on {}", names.join(", ")));
    engines::check_unchanged(&plan.config().engines).usage()?;
    playing::introduce(&mut plan).usage()?;
    let played = remote::play(plan.config(), hosts, Some(&folder.join(ROUND)), series.signals());
    series.signals().set(None);
    played?;
    Ok(match finish(series, folder)? {
        Round::Empty => Round::Stopped,
        round => round,
    })
}

/// Makes the round that machines have begun, if there is one, a run of the list once all of its games are here.
pub fn finish(series: &Series, folder: &Path) -> Result<Round, CliError> {
    let round = folder.join(ROUND);
    if round.exists() {
        let is_home = || RemotePlan::read(&round).map(|plan| plan.is_home(&round)).usage();
        if !is_home()? {
            let resumed = remote::resume(&round, series.signals());
            series.signals().set(None);
            resumed?;
        }
        if !is_home()? {
            return Ok(Round::Stopped);
        }
        // Its name now says which run it is, so that it is added once even if this process is killed.
        let run = name_of(&ListFile::next_folder(folder));
        fs::rename(&round, folder.join(format!("{ROUND}-{run}"))).of_path()?;
    }
    let mut added = Round::Empty;
    for entry in folder.read_dir().of_path()? {
        let path = entry.of_path()?.path();
        let name = name_of(&path);
        let Some(run) = name.strip_prefix(ROUND).and_then(|name| name.strip_prefix('-')) else { continue };
        // Other folders of the user may have such a name.
        if !RemotePlan::path(&path).is_file() || run.parse::<u32>().is_err() {
            continue;
        }
        let run = ListFile::folder_of_run(folder, run);
        if path.join(MERGED).exists() {
            fs::create_dir_all(run.parent().unwrap_or(folder)).of_path()?;
            fs::rename(path.join(MERGED), &run).of_path()?;
        }
        fs::remove_dir_all(path).of_path()?;
        added = Round::Played(run);
    }
    Ok(added)
}
