//! The program: UCI on standard input and output, or the commands in its arguments.

use std::ffi::OsString;
use std::io::Write;
use std::{env, io, process};

use anyhow::Context;

use super::{BenchSetup, Depth, Tarrasch, bench_with};
use uci::server::{self, ObeyError, Task, TaskOptions};

const OPTIONS: TaskOptions = TaskOptions {
    name: "tarrasch",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
Tarrasch, a UCI chess engine. Without a command it speaks UCI, and also knows `d`, `eval`, `bench` and `go perft N`.

Usage: tarrasch
       tarrasch bench [DEPTH] [--threads N] [--hash MB]
       tarrasch COMMAND...

Commands:
  bench    Search a fixed set of positions; the node count is the same on every machine
  COMMAND  A line of UCI, or a command from here; several run in order, then the program ends
  \"genfens N seed S book None|FILE [plies P]\"
           Print N openings for OpenBench, each after P or P + 1 random plies [default: 8; from a book 4]

Options of bench:
  DEPTH        The depth in plies, 1 to 100 [default: 12]
  --threads N  The number of threads, 1 to 256; with more than one the node count varies [default: 1]
  --hash MB    The size of the transposition table, 1 to 65536 [default: 16]

Options:
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=100,
    threads: Some(1..=256),
};

pub fn main() -> anyhow::Result<()> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let is_command = |word: &OsString| *word != "bench" && !word.to_string_lossy().starts_with('-');
    if arguments.first().is_some_and(is_command) {
        return obey(arguments);
    }
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
    Ok(server::serve(new_engine()?, io::stdin().lock(), io::stdout())?)
}

/// Runs commands. A wrong one ends the process with exit code 2.
fn obey(arguments: Vec<OsString>) -> anyhow::Result<()> {
    let obeyed = server::obey_all(new_engine()?, arguments, io::stdout());
    if let Err(ObeyError::Refused(refusal)) = &obeyed {
        let _ = writeln!(io::stderr(), "error: {refusal}");
        process::exit(2);
    }
    Ok(obeyed?)
}

fn new_engine() -> anyhow::Result<Tarrasch> {
    Tarrasch::new().context("there is no memory for the transposition table")
}
