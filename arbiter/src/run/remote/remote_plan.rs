//! A run on several machines: what is written about it, and what its machines keep.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use super::host::Host;
use super::players::SHARD;
use crate::cli::console;
use crate::files::StateFile;
use crate::live::control::{ControlHandler, CurrentRun};
use crate::results::{RunState, SharedState};
use crate::run::playing;
use runner::{PoolConfig, RunConfig, RunControl, Schedule, StopLevel};

pub const MERGED: &str = "merged";

/// A run on several machines: `machines.toml` of its folder.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemotePlan {
    schema: u32,
    pub id: String,
    /// The machines; each plays the shard with the number of its place in the list.
    pub machines: Vec<String>,
    /// The machines whose games have all been fetched and merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub home: Vec<String>,
    /// The machines in `home` from which the files of the run have been removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<String>,
    /// How many games each machine plays at once, which is its share of the games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<u32>,
    pub run: RunConfig,
}

impl StateFile for RemotePlan {
    const SCHEMA: u32 = 1;
    const FILE: &str = "machines.toml";
}

impl RemotePlan {
    pub fn new(config: &RunConfig, hosts: &[Host]) -> Result<RemotePlan> {
        let names: BTreeSet<&str> = hosts.iter().map(|host| &host.name[..]).collect();
        ensure!(names.len() == hosts.len(), "--on: expected each machine once");
        Ok(RemotePlan {
            schema: RemotePlan::SCHEMA,
            id: format!("{:016x}", rand::random::<u64>()),
            machines: hosts.iter().map(Host::to_string).collect(),
            run: config.clone(),
            ..RemotePlan::default()
        })
    }

    pub fn hosts(&self) -> Result<Vec<Host>> {
        let read =
            |text: &String| text.parse().map_err(|error: String| anyhow!("{}: {error}", RemotePlan::FILE));
        self.machines.iter().map(read).collect()
    }

    /// Whether the files of the run have also been removed from all machines.
    pub fn is_done(&self, folder: &Path) -> bool {
        self.is_home(folder) && self.cleared.len() == self.machines.len()
    }

    /// The command that continues the run: for a round of a list or a tuning, what continues those.
    pub fn continuation(&self, folder: &Path) -> String {
        let whole = folder.parent().unwrap_or(folder).display();
        match (&self.run.list, &self.run.spsa) {
            (Some(_), _) => format!("arbiter list play {whole}"),
            (_, Some(_)) => format!("arbiter resume {whole}"),
            _ => format!("arbiter resume {}", folder.display()),
        }
    }

    /// The number of pairs that the machines play together.
    pub fn pairs(&self) -> u32 {
        let all = RunConfig { shard: "1/1".parse().ok(), pool: Some(PoolConfig::PIPE), ..self.run.clone() };
        Schedule::new(&all).games() / all.rounds.games
    }

    /// The folder of the run on each machine, as a word for the shell there.
    pub fn there(&self) -> String {
        format!("\"${{XDG_CACHE_HOME:-$HOME/.cache}}/arbiter/machines/runs/{}\"", self.id)
    }

    /// Removes the files of the run from a machine, unless Ctrl-C is pressed once more.
    pub fn forget(&self, host: &Host, control: &RunControl) -> Result<()> {
        let level = control.level();
        let is_stopped = || control.level() > level || level == StopLevel::Abandon;
        host.run(&format!("rm -rf {}", self.there()), is_stopped).map(drop)
    }

    /// Removes the files of the run, all but the cache, from each machine whose games are here.
    pub fn clear(&mut self, hosts: &[Host], control: &RunControl, folder: &Path) -> Result<()> {
        for (machine, host) in self.machines.iter().zip(hosts) {
            if !self.home.contains(machine) || self.cleared.contains(machine) {
                continue;
            }
            match self.forget(host, control) {
                Ok(()) => self.cleared.push(machine.clone()),
                Err(error) => console::note(&format!(
                    "warning: {error:#}; files of the run are still there; `{}` removes them",
                    self.continuation(folder)
                )),
            }
        }
        self.write(folder)
    }

    /// Lets signals stop the tasks before the first game.
    pub fn listen(&self, folder: &Path, signals: &CurrentRun) -> ControlHandler {
        let pool = Some(PoolConfig::PIPE);
        let state = SharedState::new(RunState::new(RunConfig { pool, ..self.run.clone() }));
        let control = RunControl::new(self.machines.len());
        let task = Some("before the first game");
        let handler = ControlHandler { task, ..ControlHandler::new(control, state, folder) };
        signals.set(Some(handler.clone()));
        handler
    }

    /// Whether the games of all machines are here. They are also merged, except those of a tuning's round.
    pub fn is_home(&self, folder: &Path) -> bool {
        self.home.len() == self.machines.len() && (self.run.spsa.is_some() || folder.join(MERGED).exists())
    }

    /// The folders of the shards.
    pub fn shards(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        Ok(homes(&self.hosts()?).iter().map(|home| folder.join(home).join(SHARD)).collect())
    }
}

/// The local folder for each machine's shard: the name of the machine, if that is a valid folder name and not taken.
pub fn homes(hosts: &[Host]) -> Vec<String> {
    let mut homes: Vec<String> = Vec::new();
    for (index, host) in hosts.iter().enumerate() {
        let name = if host.name == Host::HERE { "here".to_owned() } else { playing::file_name(&host.name) };
        let is_taken = |name: &str| homes.iter().any(|home| home.eq_ignore_ascii_case(name));
        let is_plain = !name.starts_with('.') && !name.eq_ignore_ascii_case(MERGED) && !is_taken(&name);
        homes.push(if is_plain { name } else { format!("{}-{}", name.trim_start_matches('.'), index + 1) });
    }
    homes
}

/// Reads the plan of a folder, and checks what can be checked without its machines.
pub fn check_plan(folder: &Path) -> Result<()> {
    let homes = homes(&RemotePlan::read(folder)?.hosts()?);
    debug_assert!(
        homes.iter().all(|home| Path::new(home).components().count() == 1 && home != MERGED),
        "{homes:?}"
    );
    Ok(())
}

pub fn is_stopped(control: &RunControl) -> bool {
    control.level() > StopLevel::Running
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_a_folder_of_its_own_below_that_of_the_run() {
        let hosts: Vec<Host> = ["ada", "..", ".", "merged", "a/b", "a_b", "Ada", "me@ada"]
            .map(|name| name.parse().unwrap())
            .into();
        let homes = homes(&hosts);
        assert_eq!(homes, ["ada", "-2", "here", "merged-4", "a_b", "a_b-6", "Ada-7", "me@ada"]);
    }
}
