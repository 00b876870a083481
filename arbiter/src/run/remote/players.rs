//! The processes that play shards on the machines, and the messages between them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::display::{Display, Seen};
use super::host::{Host, LONGEST_LINE, quoted};
use crate::results::SharedState;
use runner::untrusted_files::bounded_lines;
use runner::{Event, Pace, PoolView, RunControl, ShardReport, StopLevel};
use stats::Observations;

/// The time between two exchanges of reports.
const CARRIED: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(200);

/// The folder of a shard on its machine.
pub(super) const SHARD: &str = "shard";

/// The paths of the program and of the run on a machine.
#[derive(Clone, Debug)]
pub(super) struct There {
    pub(super) arbiter: String,
    pub(super) run: String,
}

pub(super) enum News {
    Report(Box<ShardReport>, String),
    /// The exit code, and a description of it.
    Ended(Option<i32>, String),
}

pub(super) struct Player {
    pub(super) seen: Seen,
    orders: Sender<String>,
    is_running: bool,
}

impl Player {
    pub(super) fn start(
        host: &Host,
        there: &There,
        index: usize,
        news: &Sender<(usize, News)>,
        log: File,
    ) -> io::Result<Player> {
        let (arbiter, run) = (quoted(&there.arbiter), quoted(&there.run));
        let script = format!(
            "echo; cd {run} || exit 1; if [ -f {SHARD}/run.toml ]; then exec {arbiter} resume {SHARD} --no-report; \
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
                // An accepted H0 and a stopped run are not failures.
                let is_well = self.seen.report.as_ref().is_some_and(|report| report.ended)
                    && matches!(code, Some(0 | 1 | 3 | 4));
                self.seen.gone = (!is_well).then_some(word);
            }
        }
    }
}

/// Passes on lines: orders to the machine, its reports to us, and its error output to its log.
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
        // This thread ends with this process, or when the machine stops reading.
        while orders.recv().is_ok_and(|line| writeln!(input, "{line}").and_then(|()| input.flush()).is_ok()) {
        }
    });
    thread::spawn(move || {
        for line in output.into_iter().flat_map(|output| bounded_lines(output, LONGEST_LINE)) {
            let report = serde_json::from_str::<Box<ShardReport>>(&line).ok();
            if let Some(report) = report.filter(|report| report.shard.number() as usize == index + 1) {
                let _ = news.send((index, News::Report(report, line)));
            }
        }
    });
    thread::spawn(move || {
        for line in errors.into_iter().flat_map(|errors| bounded_lines(errors, LONGEST_LINE)) {
            let _ = writeln!(log, "{line}");
        }
    });
}

fn end_of(mut child: Child, index: usize, news: &Sender<(usize, News)>) {
    let (code, word) = match child.wait() {
        Ok(status) => (status.code(), status.to_string()),
        Err(error) => (None, error.to_string()),
    };
    // Gives its last reports time to arrive.
    thread::sleep(TICK);
    let _ = news.send((index, News::Ended(code, word)));
}

/// Passes orders and reports on until all shards have ended.
pub(super) fn carry(
    players: &mut BTreeMap<usize, Player>,
    news: &Receiver<(usize, News)>,
    control: &RunControl,
    state: &SharedState,
    display: &mut Display,
) {
    let mut fresh: BTreeMap<usize, String> = BTreeMap::new();
    let (mut carried, mut level, mut pace) = (Instant::now(), StopLevel::Running, control.pace());
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
                // The machine may have ended just now.
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
