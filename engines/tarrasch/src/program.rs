//! The program: UCI on standard input and output, or `bench` from the command line.

use std::io;

use anyhow::Context;
use uci::server::{self, Task, TaskOptions};

use crate::{BenchSetup, Depth, Tarrasch, bench_with};

const OPTIONS: TaskOptions = TaskOptions {
    name: "tarrasch",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
Tarrasch, a UCI chess engine. Without a command it speaks UCI; for people it also knows `d`, `eval`, `bench` and
`go perft N`.

Usage: tarrasch
       tarrasch bench [DEPTH] [--threads N] [--hash MB]

Commands:
  bench  Search a fixed set of positions; the node count is the same on every machine

Options of bench:
  DEPTH        The depth in plies, 1 to 100 [default: 12]
  --threads N  The number of threads, 1 to 256; with more than one the node count is another one every time
               [default: 1]
  --hash MB    The size of the transposition table, 1 to 65536 [default: 16]

Options:
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=100,
    threads: Some(1..=256),
    plays: false,
};

/// The program.
///
/// # Errors
/// Input or output is broken, or there is no memory for the transposition table.
pub fn main() -> anyhow::Result<()> {
    if let Task::Bench { depth, threads, hash } = OPTIONS.of_process() {
        let usual = BenchSetup::default();
        let setup = BenchSetup {
            depth: depth.map_or(usual.depth, |plies| Depth::new(plies as i32)),
            threads: threads.map_or(usual.threads, |threads| threads as usize),
            hash_mb: hash.map_or(usual.hash_mb, |hash| hash as usize),
        };
        bench_with(setup, &mut io::stdout().lock()).context("cannot write the bench")?;
        return Ok(());
    }
    let engine = Tarrasch::new().context("there is no memory for the transposition table")?;
    Ok(server::serve(engine, io::stdin().lock(), io::stdout())?)
}
