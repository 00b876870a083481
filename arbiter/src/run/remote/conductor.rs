//! Starts the shards, carries what they say from one to the other, and brings home and merges what they have played.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::baggage::{Baggage, CACHE};
use super::display::{Display, Seen};
use super::host::{Host, quoted};
use crate::cli::{CliResult, ExitCode, OrExitCode, console};
use crate::files::StateFile;
use crate::live::control::{self, ControlHandler, ControlSocket};
use crate::results::{RunState, SharedState};
use crate::run::{merge, playing};
use runner::{
    Event, Pace, PoolConfig, PoolPlace, PoolView, RunConfig, RunControl, ShardReport, StopLevel,
    cores_per_game,
};
use stats::Observations;

const CARRIED: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(200);

const SHARD: &str = "shard";

pub const MERGED: &str = "merged";

/// A run on several machines; `machines.toml` of its folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemotePlan {
    schema: u32,
    id: String,
    /// Each has the shard of its place.
    machines: Vec<String>,
    pub run: RunConfig,
}

impl StateFile for RemotePlan {
    const SCHEMA: u32 = 1;
    const FILE: &str = "machines.toml";
}

impl RemotePlan {
    fn hosts(&self) -> Result<Vec<Host>> {
        let read =
            |text: &String| text.parse().map_err(|error: String| anyhow!("{}: {error}", RemotePlan::FILE));
        self.machines.iter().map(read).collect()
    }
}

pub fn play(config: &RunConfig, hosts: &[Host], out: Option<&Path>) -> CliResult {
    let names: BTreeSet<&str> = hosts.iter().map(|host| &host.name[..]).collect();
    if names.len() < hosts.len() {
        return Err(anyhow!("--on: expected each machine once")).usage();
    }
    let plan = RemotePlan {
        schema: RemotePlan::SCHEMA,
        id: format!("{:016x}", rand::random::<u64>()),
        machines: hosts.iter().map(Host::to_string).collect(),
        run: config.clone(),
    };
    let caches = prepare(&plan, hosts);
    let caches = caches.into_iter().collect::<Result<Vec<_>>>().usage()?;
    RemotePlan::check_out(out).usage()?;
    let folder = plan.create(out, &playing::run_name(config)).usage()?;
    conduct(&plan, hosts, &caches.into_iter().map(Some).collect::<Vec<_>>(), &folder)
}

/// Goes on with those of its machines that are there.
pub fn resume(folder: &Path) -> CliResult {
    let plan = RemotePlan::read(folder).usage()?;
    let hosts = plan.hosts().usage()?;
    if folder.join(MERGED).exists() {
        console::note(&format!("this run is finished; it is in {}", folder.join(MERGED).display()));
        return Ok(ExitCode::Done);
    }
    let caches = prepare(&plan, &hosts).into_iter().map(|cache| {
        cache.inspect_err(|error| console::note(&format!("warning: {error:#}; going on without it"))).ok()
    });
    let caches: Vec<Option<There>> = caches.collect();
    if caches.iter().all(Option::is_none) {
        return Err(anyhow!("{}: none of its machines is there", folder.display())).usage();
    }
    conduct(&plan, &hosts, &caches, folder)
}

#[derive(Clone, Debug)]
struct There {
    arbiter: String,
    run: String,
}

fn prepare(plan: &RemotePlan, hosts: &[Host]) -> Vec<Result<There>> {
    let prepared = Baggage::of_run(&plan.run);
    let (baggage, config) = match &prepared {
        Ok((baggage, config)) => (baggage, config),
        Err(error) => return hosts.iter().map(|_| Err(anyhow!("{error:#}"))).collect(),
    };
    thread::scope(|scope| {
        let shards = hosts.iter().enumerate().map(|(index, host)| {
            let shard = format!("{}/{}", index + 1, hosts.len());
            scope.spawn(move || prepare_one(plan, host, &shard, baggage, config))
        });
        let shards: Vec<_> = shards.collect();
        shards.into_iter().map(|shard| shard.join().unwrap_or_else(|_| bail!("a thread panicked"))).collect()
    })
}

fn prepare_one(
    plan: &RemotePlan,
    host: &Host,
    shard: &str,
    baggage: &Baggage,
    config: &RunConfig,
) -> Result<There> {
    let wanted: Vec<String> = baggage.files.keys().map(|place| quoted(place)).collect();
    let script = format!(
        "set -e; c=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/arbiter/machines\"; mkdir -p \"$c\"; cd \"$c\"; echo \"cache $(pwd)\"; \
         echo \"cores $(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)\"; \
         for f in {}; do [ -e \"$f\" ] || echo \"missing $f\"; done",
        wanted.join(" ")
    );
    let answer = String::from_utf8_lossy(&host.run(&script, io::empty())?).into_owned();
    let said = |word: &'static str| answer.lines().filter_map(move |line| line.strip_prefix(word));
    let cache = said("cache ").next().with_context(|| format!("machine {}: no cache", host.name))?.to_owned();
    for place in said("missing ") {
        let Some(file) = baggage.files.get(place) else { continue };
        console::note(&format!("{}: bringing {}", host.name, file.display()));
        let contents = File::open(file).with_context(|| file.display().to_string())?;
        host.bring(contents, &format!("{cache}/{place}"))?;
    }
    let cores: usize = said("cores ").next().and_then(|cores| cores.trim().parse().ok()).unwrap_or(1);
    let fit = cores / cores_per_game(&config.engines, config.ponder).max(1);
    let config = RunConfig {
        shard: Some(shard.parse()?),
        pool: Some(PoolConfig { place: PoolPlace::Pipe, every: None }),
        concurrency: host.concurrency.map_or(fit.max(1), usize::from),
        ..config.clone()
    };
    let text = toml::to_string(&config)?.replace(CACHE, &cache);
    let run = format!("{cache}/runs/{}", plan.id);
    host.bring(io::Cursor::new(text), &format!("{run}/run-file.toml"))?;
    Ok(There { arbiter: format!("{cache}/{}", baggage.arbiter), run })
}

enum News {
    Report(Box<ShardReport>, String),
    /// With what it ended, and its last word.
    Ended(Option<i32>, String),
}

struct Player {
    seen: Seen,
    orders: Sender<String>,
    is_running: bool,
}

impl Player {
    fn start(
        host: &Host,
        there: &There,
        index: usize,
        news: &Sender<(usize, News)>,
        log: File,
    ) -> io::Result<Player> {
        let (arbiter, run) = (quoted(&there.arbiter), quoted(&there.run));
        let script = format!(
            "cd {run} || exit 1; if [ -f {SHARD}/run.toml ]; then exec {arbiter} resume {SHARD} --no-report; \
             else exec {arbiter} run run-file.toml --out {SHARD} --no-report; fi"
        );
        let mut child = host.start(&script)?;
        let (orders, ordered) = channel();
        listen(&mut child, index, news.clone(), ordered, log);
        thread::spawn({
            let news = news.clone();
            move || end_of(child, index, &news)
        });
        let seen = Seen { name: host.name.clone(), ..Seen::default() };
        Ok(Player { seen, orders, is_running: true })
    }

    fn take(&mut self, news: News) {
        match news {
            News::Report(report, _) => {
                self.seen.since.get_or_insert((Instant::now(), report.games));
                self.seen.report = Some(*report);
            }
            News::Ended(code, word) => {
                self.is_running = false;
                // H0, and a run that was stopped, are no failures.
                let is_well = self.seen.report.as_ref().is_some_and(|report| report.ended)
                    && matches!(code, Some(0 | 1 | 3 | 4));
                self.seen.gone = (!is_well).then_some(word);
            }
        }
    }
}

/// Carries lines: orders to the machine, its reports to us, and what it says to people into its log.
fn listen(
    child: &mut Child,
    index: usize,
    news: Sender<(usize, News)>,
    orders: Receiver<String>,
    mut log: File,
) {
    let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        let Some(mut input) = input else { return };
        // It ends when we do, or when the machine does not listen any more.
        while orders.recv().is_ok_and(|line| writeln!(input, "{line}").and_then(|()| input.flush()).is_ok()) {
        }
    });
    thread::spawn(move || {
        for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok)
        {
            if let Ok(report) = serde_json::from_str(&line) {
                let _ = news.send((index, News::Report(report, line)));
            }
        }
    });
    thread::spawn(move || {
        for line in errors.into_iter().flat_map(|errors| BufReader::new(errors).lines()).map_while(Result::ok)
        {
            let _ = writeln!(log, "{line}");
        }
    });
}

fn end_of(mut child: Child, index: usize, news: &Sender<(usize, News)>) {
    let (code, word) = match child.wait() {
        Ok(status) => (status.code(), status.to_string()),
        Err(error) => (None, error.to_string()),
    };
    // What it has said is on its way.
    thread::sleep(TICK);
    let _ = news.send((index, News::Ended(code, word)));
}

fn conduct(plan: &RemotePlan, hosts: &[Host], places: &[Option<There>], folder: &Path) -> CliResult {
    let pool = Some(PoolConfig { place: PoolPlace::Pipe, every: None });
    let config = RunConfig { pool, ..plan.run.clone() };
    let state = SharedState::new(RunState::new(config));
    let mut display = Display::new();
    let control = RunControl::new(hosts.len());
    let mut handler = ControlHandler::new(control.clone(), state.clone(), folder);
    handler.speaker = display.speaker();
    let _socket = ControlSocket::open(folder, handler.clone()).inspect_err(|error| {
        console::note(&format!("warning: `arbiter control` cannot reach this run: {error:#}"));
    });
    control::listen(handler).fault()?;
    let (sender, news) = channel();
    let mut players: BTreeMap<usize, Player> = BTreeMap::new();
    for (index, (host, there)) in hosts.iter().zip(places).enumerate() {
        let Some(there) = there else { continue };
        let path = folder.join(format!("{}.log", playing::file_name(&host.name)));
        let log = File::options().create(true).append(true).open(&path);
        let log = log.with_context(|| path.display().to_string()).usage()?;
        players.insert(index, Player::start(host, there, index, &sender, log).fault()?);
    }
    drop(sender);
    carry(&mut players, &news, &control, &state, &mut display);
    display.clear();
    for player in players.values() {
        if let Some(why) = &player.seen.gone {
            let log = folder.join(format!("{}.log", playing::file_name(&player.seen.name)));
            console::note(&format!(
                "warning: machine {} went away: {why}; see {}",
                player.seen.name,
                log.display()
            ));
        }
    }
    if control.level() > StopLevel::Running {
        console::note(&format!("saved on the machines; continue with: arbiter resume {}", folder.display()));
        return Ok(ExitCode::Inconclusive);
    }
    let homes = bring_home(hosts, places, &players, folder);
    if homes.is_empty() {
        return Err(anyhow!(
            "no machine has ended its part; continue with: arbiter resume {}",
            folder.display()
        ))
        .usage();
    }
    let code =
        merge::into(&homes.iter().map(|(_, home)| home.clone()).collect::<Vec<_>>(), &folder.join(MERGED))?;
    for (index, _) in &homes {
        if let Some(there) = &places[*index] {
            // What is left there is only the cache.
            let _ = hosts[*index].run(&format!("rm -rf {}", quoted(&there.run)), io::empty());
        }
    }
    Ok(code)
}

fn carry(
    players: &mut BTreeMap<usize, Player>,
    news: &Receiver<(usize, News)>,
    control: &RunControl,
    state: &SharedState,
    display: &mut Display,
) {
    let mut fresh: BTreeMap<usize, String> = BTreeMap::new();
    let (mut carried, mut level, mut pace) = (Instant::now(), control.level(), control.pace());
    while players.values().any(|player| player.is_running) {
        match news.recv_timeout(TICK) {
            Ok((index, said)) => {
                if let News::Report(_, line) = &said {
                    fresh.insert(index, line.clone());
                }
                if let Some(player) = players.get_mut(&index) {
                    player.take(said);
                }
                if carried.elapsed() < CARRIED {
                    continue;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let orders = orders(control, &mut level, &mut pace);
        let lines: Vec<String> = if carried.elapsed() < CARRIED {
            orders
        } else {
            carried = Instant::now();
            state.lock().update(&Event::PoolRead(Box::new(view(players))));
            orders.into_iter().chain(std::mem::take(&mut fresh).into_values()).collect()
        };
        for player in players.values().filter(|player| player.is_running) {
            for line in &lines {
                // It may have ended just now.
                let _ = player.orders.send(line.clone());
            }
        }
        let seen: Vec<&Seen> = players.values().map(|player| &player.seen).collect();
        display.show(&state.lock(), &seen, pace.paused);
    }
}

fn orders(control: &RunControl, level: &mut StopLevel, pace: &mut Pace) -> Vec<String> {
    let mut orders = Vec::new();
    let now = control.pace();
    if now.paused != pace.paused {
        orders.push(if now.paused { "pause" } else { "resume" });
    }
    if control.level() > *level {
        orders.push(if control.level() == StopLevel::Abandon { "abandon" } else { "stop" });
    }
    (*level, *pace) = (control.level(), now);
    orders.iter().map(|order| format!("{{\"order\":\"{order}\"}}")).collect()
}

fn view(players: &BTreeMap<usize, Player>) -> PoolView {
    let reports = || players.values().filter_map(|player| player.seen.report.as_ref());
    let none = Observations::none(reports().any(|report| matches!(report.counts, Observations::Games(_))));
    PoolView {
        counts: reports().fold(none, |sum, report| sum + report.counts),
        games: reports().map(|report| (report.shard.number(), report.games)).collect(),
        silent: Vec::new(),
        trouble: None,
        at: runner::now(),
    }
}

/// Brings the folders of the shards home, each below the name of its machine; also of one that went away and can be reached
/// again.
fn bring_home(
    hosts: &[Host],
    places: &[Option<There>],
    players: &BTreeMap<usize, Player>,
    folder: &Path,
) -> Vec<(usize, PathBuf)> {
    let mut homes = Vec::new();
    for index in players.keys() {
        let (host, Some(there)) = (&hosts[*index], &places[*index]) else { continue };
        let home = folder.join(playing::file_name(&host.name));
        let brought = host
            .run(&format!("tar -C {} -cf - {SHARD}", quoted(&there.run)), io::empty())
            .and_then(|bytes| {
                fs::create_dir_all(&home)?;
                Ok(tar::Archive::new(&bytes[..]).unpack(&home)?)
            });
        match brought {
            Ok(()) => homes.push((*index, home.join(SHARD))),
            Err(error) => console::note(&format!("warning: {error:#}; its games are missing")),
        }
    }
    homes
}
