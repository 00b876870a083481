//! Starts the shards on their machines, passes messages between them, and fetches and merges what they have played.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use super::display::Display;
use super::equipment::prepare;
use super::home;
use super::host::Host;
use super::players::{Player, SHARD, There, carry};
use crate::cli::{CliResult, ExitCode, OrExitCode, console};
use crate::files::StateFile;
use crate::live::control::{ControlHandler, ControlSocket, CurrentRun};
use crate::results::{RunState, SharedState};
use crate::run::merge::Merged;
use crate::run::playing;
use runner::{
    Event, PoolConfig, PoolDecision, RunConfig, RunControl, RunJournal, Schedule, ShardReport, StopLevel,
};

pub const MERGED: &str = "merged";

/// A run on several machines: `machines.toml` of its folder.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemotePlan {
    schema: u32,
    pub id: String,
    /// The machines; each plays the shard with the number of its place in the list.
    machines: Vec<String>,
    /// The machines whose games have all been fetched and merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    home: Vec<String>,
    /// The machines in `home` from which the files of the run have been removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cleared: Vec<String>,
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
    fn continuation(&self, folder: &Path) -> String {
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
    fn there(&self) -> String {
        format!("\"${{XDG_CACHE_HOME:-$HOME/.cache}}/arbiter/machines/runs/{}\"", self.id)
    }

    /// Removes the files of the run from a machine, unless Ctrl-C is pressed once more.
    fn forget(&self, host: &Host, control: &RunControl) -> Result<()> {
        let level = control.level();
        let is_stopped = || control.level() > level || level == StopLevel::Abandon;
        host.run(&format!("rm -rf {}", self.there()), is_stopped).map(drop)
    }

    /// Removes the files of the run, all but the cache, from each machine whose games are here.
    fn clear(&mut self, hosts: &[Host], control: &RunControl, folder: &Path) -> Result<()> {
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
    fn listen(&self, folder: &Path, signals: &CurrentRun) -> ControlHandler {
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
fn homes(hosts: &[Host]) -> Vec<String> {
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

/// Plays a run on several machines. The caller listens to `signals`, since it may play one run after another.
pub fn play(config: &RunConfig, hosts: &[Host], out: Option<&Path>, signals: &CurrentRun) -> CliResult {
    let mut plan = RemotePlan::new(config, hosts).usage()?;
    RemotePlan::check_out(out).usage()?;
    let handler = plan.listen(Path::new(""), signals);
    let control = &handler.control;
    let caches: Result<Vec<_>> = prepare(&mut plan, true, hosts, control).into_iter().collect();
    let stopped = is_stopped(control);
    let made = caches.and_then(|caches| {
        if stopped {
            bail!("stopped");
        }
        Ok((caches, plan.create(out, &playing::run_name(config))?))
    });
    if made.is_err() {
        for host in hosts {
            let _ = plan.forget(host, control);
        }
    }
    if stopped {
        console::note("stopped before the first game");
        return Ok(ExitCode::Inconclusive);
    }
    let (caches, folder) = made.usage()?;
    let _held = hold(&folder).usage()?;
    let places: Vec<_> = caches.into_iter().map(Some).collect();
    conduct(plan, hosts, &places, &folder, signals, ControlHandler { folder: folder.clone(), ..handler })
}

/// Continues a run on the machines that can be reached.
pub fn resume(folder: &Path, signals: &CurrentRun) -> CliResult {
    let _held = hold(folder).usage()?;
    let mut plan = RemotePlan::read(folder).usage()?;
    let hosts = plan.hosts().usage()?;
    if plan.is_home(folder) {
        if plan.cleared.len() < plan.home.len() {
            let handler = plan.listen(folder, signals);
            plan.clear(&hosts, &handler.control, folder).of_path()?;
        }
        if plan.run.spsa.is_none() {
            console::note(&format!("this run is finished; it is in {}", folder.join(MERGED).display()));
        }
        return Ok(ExitCode::Done);
    }
    let handler = plan.listen(folder, signals);
    // The run is over, so the games on the other machines are only fetched. If no machine is home, the merge was killed.
    if folder.join(MERGED).exists() || !plan.home.is_empty() {
        return conclude(plan, &hosts, &BTreeMap::new(), &handler.control, folder);
    }
    let prepared = prepare(&mut plan, false, &hosts, &handler.control);
    if is_stopped(&handler.control) {
        console::note(&format!("continue with: {}", plan.continuation(folder)));
        return Ok(ExitCode::Inconclusive);
    }
    let caches = prepared.into_iter().map(|cache| {
        cache.inspect_err(|error| console::note(&format!("warning: {error:#}; continuing without it"))).ok()
    });
    let caches: Vec<Option<There>> = caches.collect();
    if caches.iter().all(Option::is_none) {
        return Err(anyhow!("{}: none of its machines can be reached", folder.display())).usage();
    }
    conduct(plan, &hosts, &caches, folder, signals, handler)
}

/// Keeps a second process from conducting the same run while the file is open. There is no lock on Windows, where it
/// would keep `status` from reading the file.
fn hold(folder: &Path) -> Result<File> {
    let path = folder.join(RemotePlan::FILE);
    let file = File::open(&path).with_context(|| path.display().to_string())?;
    if cfg!(unix) && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        bail!("{}: another arbiter conducts this run; wait until it ends, or stop it", folder.display());
    }
    Ok(file)
}

pub fn is_stopped(control: &RunControl) -> bool {
    control.level() > StopLevel::Running
}

fn conduct(
    plan: RemotePlan,
    hosts: &[Host],
    places: &[Option<There>],
    folder: &Path,
    signals: &CurrentRun,
    mut handler: ControlHandler,
) -> CliResult {
    let homes = homes(hosts);
    let log_of = |index: usize| folder.join(format!("{}.log", homes[index]));
    let mut display = Display::new();
    let (control, state) = (handler.control.clone(), handler.state.clone());
    (handler.speaker, handler.task) = (display.speaker(), None);
    let _socket = ControlSocket::open(folder, handler.clone()).inspect_err(|error| {
        console::note(&format!("warning: `arbiter control` cannot reach this run: {error:#}"));
    });
    signals.set(Some(handler.clone()));
    let (sender, news) = channel();
    let mut players: BTreeMap<usize, Player> = BTreeMap::new();
    for (index, (host, there)) in hosts.iter().zip(places).enumerate() {
        let Some(there) = there else { continue };
        let path = log_of(index);
        let log = File::options().create(true).append(true).open(&path);
        let log = log.with_context(|| path.display().to_string()).usage()?;
        players.insert(index, Player::start(host, there, index, &sender, log).fault()?);
    }
    drop(sender);
    carry(&mut players, &news, &control, &state, &mut display);
    display.clear();
    for (index, player) in &players {
        if let Some(why) = &player.seen.gone {
            let log = log_of(*index);
            console::note(&format!(
                "warning: machine {} was lost: {why}; see {}",
                player.seen.name,
                log.display()
            ));
        }
    }
    if is_stopped(&control) {
        console::note(&format!("saved on the machines; continue with: {}", plan.continuation(folder)));
        return Ok(ExitCode::Inconclusive);
    }
    signals.set(Some(ControlHandler { task: Some("before all games are here"), ..handler }));
    let has_ended = |player: &Player| player.seen.gone.is_none();
    let is_decided =
        |player: &Player| player.seen.report.as_ref().is_some_and(|report| report.decision.is_some());
    if !players.values().any(|player| has_ended(player) || is_decided(player)) {
        return Err(anyhow!(
            "no machine has finished its part; continue with: {}",
            plan.continuation(folder)
        ))
        .usage();
    }
    let told = players.into_iter().filter_map(|(index, player)| Some((index, player.seen.report?)));
    conclude(plan, hosts, &told.collect(), &control, folder)
}

/// Fetches the missing shards and merges all that are here. The run is finished when no shard is missing.
fn conclude(
    mut plan: RemotePlan,
    hosts: &[Host],
    told: &BTreeMap<usize, ShardReport>,
    control: &RunControl,
    folder: &Path,
) -> CliResult {
    let resume = plan.continuation(folder);
    let (homes, known) = (homes(hosts), plan.shards(folder).usage()?);
    let decision = decision(&known, told);
    home::remove_drafts(folder).of_path()?;
    let (mut is_fresh, mut missing) = (false, Vec::new());
    for (index, host) in hosts.iter().enumerate() {
        if plan.home.contains(&plan.machines[index]) {
            continue;
        }
        let games = told.get(&index).map_or(0, |report| report.games);
        let of_verdict = decision.as_ref().map_or(0, |decision| decision.games_of(index as u32 + 1));
        let fetched =
            home::fetch(host, &plan.there(), games.max(of_verdict), &folder.join(&homes[index]), control);
        if is_stopped(control) {
            console::note(&format!("saved on the machines; continue with: {resume}"));
            return Ok(ExitCode::Inconclusive);
        }
        match fetched {
            Ok(()) => {
                plan.home.push(plan.machines[index].clone());
                is_fresh = true;
            }
            Err(error) => {
                console::note(&format!("warning: {error:#}; its games are missing"));
                missing.push(host.name.clone());
            }
        }
    }
    let here = |index: &usize| plan.home.contains(&plan.machines[*index]) && known[*index].is_dir();
    let shards: Vec<PathBuf> = (0..hosts.len()).filter(here).map(|index| known[index].clone()).collect();
    let merged = folder.join(MERGED);
    let code = if !is_fresh && merged.exists() {
        ExitCode::Inconclusive
    } else {
        let fit = home::that_fit(&shards);
        // A shard that was left out must be fetched again.
        for index in
            (0..hosts.len()).filter(|index| shards.contains(&known[*index]) && !fit.contains(&known[*index]))
        {
            plan.home.retain(|machine| *machine != plan.machines[index]);
            missing.push(hosts[index].name.clone());
        }
        let shards = fit;
        if shards.is_empty() {
            return Err(anyhow!("no machine has finished its part; continue with: {resume}")).usage();
        }
        // The rounds of a tuning are merged together.
        if plan.run.spsa.is_some() {
            ExitCode::Done
        } else {
            home::keep_aside(&merged).of_path()?;
            // A list reports its rounds itself.
            Merged::of(&shards, &merged, Some(&plan.run))?.conclude(plan.run.list.is_some())?
        }
    };
    plan.write(folder).of_path()?;
    plan.clear(hosts, control, folder).of_path()?;
    if missing.is_empty() {
        return Ok(code);
    }
    console::note(&format!("games are still on {}; fetch them with: {resume}", missing.join(", ")));
    Ok(ExitCode::Inconclusive)
}

/// The verdict of the test, from the machines' reports, or else from a shard that is here.
fn decision(shards: &[PathBuf], told: &BTreeMap<usize, ShardReport>) -> Option<PoolDecision> {
    let in_journal = |shard: &PathBuf| {
        let mut events = RunJournal::open(shard).ok()?.events;
        events.find_map(|event| match event {
            Ok(Event::PoolDecided { decision, .. }) => Some(*decision),
            _ => None,
        })
    };
    let told = told.values().filter_map(|report| report.decision.clone());
    told.reduce(PoolDecision::first).or_else(|| shards.iter().find_map(in_journal))
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
