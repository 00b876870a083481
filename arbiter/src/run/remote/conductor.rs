//! Starts the shards on their machines, passes messages between them, and fetches and merges what they have played.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use anyhow::{Context, Result, anyhow, bail};

use super::display::Display;
use super::equipment::prepare;
use super::home;
use super::host::Host;
use super::players::{Player, There, carry};
use super::remote_plan::{MERGED, RemotePlan, homes, is_stopped};
use crate::cli::{CliResult, ExitCode, OrExitCode, console};
use crate::files::StateFile;
use crate::live::control::{ControlHandler, ControlSocket, CurrentRun};
use crate::run::merge::Merged;
use crate::run::playing;
use runner::{Event, PoolDecision, RunConfig, RunControl, RunJournal, ShardReport};

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
