//! Describes this machine for the record of a run.

use std::{env, fs, thread};

use crate::cli::command_line;
use runner::{EngineConfig, Machine, Made, available_memory, cores_per_game};

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The number of games of these engines that the cores and the memory of this machine have room for, at least one.
pub fn games_at_once(engines: &[EngineConfig], ponder: bool) -> usize {
    let in_memory = games_in_memory(engines).map_or(usize::MAX, |memory| memory.games);
    (cores() / cores_per_game(engines, ponder)).min(in_memory).max(1)
}

/// How many games fit into memory.
pub struct GamesInMemory {
    pub games: usize,
    /// The two largest hash tables together, in bytes.
    pub per_game: u64,
    /// The memory that is available, in bytes.
    pub available: u64,
}

/// How many games fit into memory by the hash tables of their engines; `None` if the system does not tell how much is
/// available or no `Hash` is set.
pub fn games_in_memory(engines: &[EngineConfig]) -> Option<GamesInMemory> {
    let mut tables: Vec<u64> = engines.iter().map(|engine| engine.hash_bytes().unwrap_or(0)).collect();
    tables.sort_unstable();
    // An engine alone plays against itself.
    let per_game = tables.iter().rev().cycle().take(2).fold(0_u64, |sum, table| sum.saturating_add(*table));
    let available = available_memory().filter(|_| per_game > 0)?;
    let games = usize::try_from(available / per_game).unwrap_or(usize::MAX);
    Some(GamesInMemory { games, per_game, available })
}

pub fn made_now() -> Made {
    Made {
        command: command_line(),
        arbiter: env!("CARGO_PKG_VERSION").to_owned(),
        host: Machine::name_here(),
        cpu: cpu_model().unwrap_or_else(|| env::consts::ARCH.to_owned()),
        cores: cores(),
        os: operating_system(),
        date: runner::now(),
        folder: env::current_dir().ok(),
    }
}

/// The processor and its cores, in words.
pub fn model() -> String {
    let Made { cpu, cores, .. } = made_now();
    format!("{cpu}, {cores} cores")
}

/// The processor's name, on systems that report it as Linux does.
fn cpu_model() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn operating_system() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", env::consts::OS, release.trim()).trim_end().to_owned()
}
