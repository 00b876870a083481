//! Describes this machine for the record of a run.

use std::{env, fs, thread};

use crate::cli::command_line;
use runner::{Machine, Made};

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

pub fn room_for(cores_per_game: usize) -> usize {
    (cores() / cores_per_game).max(1)
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
