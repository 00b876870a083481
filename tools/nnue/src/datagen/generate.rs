//! The threads, and the order in which their games are written.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use anyhow::Result;
use uci::server::STACK_BYTES;

use super::data_file::{Counts, DataFile};
use super::player::Player;
use super::settings::Settings;
use crate::game::Game;

/// The target of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This many games.
    Games(u64),
    /// This many training positions.
    Positions(u64),
}

impl Target {
    /// The present count and the target.
    pub fn progress(self, counts: Counts) -> (u64, u64) {
        match self {
            Target::Games(games) => (counts.games, games),
            Target::Positions(positions) => (counts.positions, positions),
        }
    }

    /// Whether the target is reached.
    pub fn is_met(self, counts: Counts) -> bool {
        let (done, wanted) = self.progress(counts);
        done >= wanted
    }
}

/// Plays games in this many threads and adds them to the file, until the target is reached or `stop` is set. Sets `stop` at
/// the end. `hear` gets the counts of the file after each game.
///
/// # Errors
/// The disk reports an error, the openings are used up, or there is not enough memory.
pub fn generate(
    file: &mut DataFile,
    settings: &Settings,
    threads: u16,
    target: Target,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(Counts),
) -> Result<()> {
    let players = (0..threads).map(|_| Player::new(settings)).collect::<io::Result<Vec<_>>>()?;
    let next = AtomicU64::new(file.next_number());
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
        write_in_order(file, &games, target, hear)
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
    hear: &mut dyn FnMut(Counts),
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    while !target.is_met(file.counts()) {
        if let Some(game) = waiting.remove(&file.next_number()) {
            file.add(game)?;
            hear(file.counts());
        } else if let Ok((number, game)) = games.recv() {
            waiting.insert(number, game);
        } else {
            break;
        }
    }
    Ok(())
}
