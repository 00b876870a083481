//! `nnue datagen`: games of the engine against itself.
//!
//! A game depends only on the [`Settings`] and its number: the number chooses the opening ([`Player`], [`OpeningFile`]), and
//! TT and histories start empty. Threads play different numbers. Games are written in the order of their numbers, without
//! repeated starts. So the file does not depend on the number of threads or on stops.
//!
//! The file may be truncated anywhere. The next start reads its games ([`DataFile::open`]), removes a truncated one, and
//! continues with the next number. Only games in progress, and games that waited for an earlier one, are lost.

mod data_file;
mod player;
mod settings;

pub use data_file::{Counts, DataFile, EngineStamp, Header};
pub use player::Player;
pub use settings::{DatagenArguments, OpeningFile, Settings};

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, mpsc};
use std::time::Instant;
use std::{io, thread};

use anyhow::{Context, Result};
use tokio::runtime::Builder;
use uci::server::STACK_BYTES;

use super::game::Game;
use super::info::grouped;
use super::{Progress, say};

/// The number of games or training positions at which a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Games(u64),
    Positions(u64),
}

impl Target {
    pub fn progress(self, counts: Counts) -> (u64, u64) {
        match self {
            Target::Games(games) => (counts.games, games),
            Target::Positions(positions) => (counts.positions, positions),
        }
    }

    pub fn is_met(self, counts: Counts) -> bool {
        let (done, wanted) = self.progress(counts);
        done >= wanted
    }
}

/// Plays games in this many threads and adds them to the file, until the target is reached or `stop` is set. Sets `stop` at
/// the end. `report` gets the counts of the file after each game.
pub fn generate(
    file: &mut DataFile,
    settings: &Settings,
    threads: u16,
    target: Target,
    stop: &AtomicBool,
    report: &mut dyn FnMut(Counts),
) -> Result<()> {
    let players = (0..threads).map(|_| Player::new(settings)).collect::<io::Result<Vec<_>>>()?;
    let next = AtomicU64::new(file.next);
    thread::scope(|scope| {
        let (sender, games) = mpsc::channel();
        for mut player in players {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                let _guard = StopWhenDone(stop);
                while let Some((number, game)) = play_next(&mut player, next, stop) {
                    if sender.send((number, game)).is_err() {
                        break;
                    }
                }
            };
            // A thread that cannot be started ends the others.
            let started = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            started.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
        }
        drop(sender);
        let _guard = StopWhenDone(stop);
        write_in_order(file, &games, target, report)
    })
}

/// Sets the flag when dropped, so that one thread that ends, even by a panic, ends all.
struct StopWhenDone<'a>(&'a AtomicBool);

impl Drop for StopWhenDone<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn play_next(player: &mut Player<'_>, next: &AtomicU64, stop: &AtomicBool) -> Option<(u64, Game)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    Some((number, player.play(number, stop)?))
}

/// Adds the games in the order of their numbers until the target is reached or the threads have ended.
fn write_in_order(
    file: &mut DataFile,
    games: &Receiver<(u64, Game)>,
    target: Target,
    report: &mut dyn FnMut(Counts),
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    while !target.is_met(file.counts) {
        if let Some(game) = waiting.remove(&file.next) {
            file.add(game)?;
            report(file.counts);
        } else if let Ok((number, game)) = games.recv() {
            waiting.insert(number, game);
        } else {
            break;
        }
    }
    Ok(())
}

pub fn command(arguments: &DatagenArguments) -> Result<()> {
    let (settings, target) = (arguments.settings()?, arguments.target());
    let engine = EngineStamp::of_this_build().context("bench")?;
    let mut file = DataFile::open(&arguments.out, &Header::new(engine, settings.clone()))?;
    let stop = on_interrupt().context("Ctrl-C")?;
    let name = arguments.out.display();
    let (began, before) = (Instant::now(), file.counts);
    let text = |counts: Counts| {
        let hours = began.elapsed().as_secs_f64() / 3600.0;
        let rate = (counts.positions - before.positions) as f64 / hours;
        let [games, positions, rate] = [counts.games, counts.positions, rate as u64].map(grouped);
        format!("{games} games, {positions} positions, {rate} positions an hour")
    };
    let (done, wanted) = target.progress(before);
    let mut progress = Progress::new(done, wanted);
    let mut show = |counts| progress.show(target.progress(counts).0, || text(counts));
    generate(&mut file, &settings, arguments.threads, target, &stop, &mut show)
        .with_context(|| name.to_string())?;
    drop(progress);
    let text = text(file.counts);
    let rest = if target.is_met(file.counts) { "" } else { "; the same command goes on" };
    say(&format!("{name}: {text}{rest}"))
}

/// A flag set by Ctrl-C.
fn on_interrupt() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let raised = Arc::clone(&flag);
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            raised.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(flag)
}
