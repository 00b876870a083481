//! The Tarrasch chess engine: UCI on standard input and output, or `bench` from the command line.

use std::io;

use anyhow::Context;
use arbiter::engine::{BENCH_DEPTH, BenchSetup, Depth, Tarrasch, bench_with, server};
use clap::{Parser, Subcommand};

/// Tarrasch, a UCI chess engine. Without a command it speaks UCI; for people it also knows `d`, `eval`, `bench` and
/// `go perft N`.
#[derive(Parser)]
#[command(name = "tarrasch", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search a fixed set of positions; the node count is the same on every machine.
    Bench {
        /// The depth in plies.
        #[arg(value_parser = clap::value_parser!(i32).range(1..=100), default_value_t = BENCH_DEPTH.get())]
        depth: i32,
        /// The number of threads; with more than one the node count is another one every time.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), default_value_t = 1)]
        threads: u16,
        /// The size of the transposition table in MB.
        #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536), default_value_t = 16)]
        hash: u32,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Some(Task::Bench { depth, threads, hash }) => {
            let depth = Depth::new(depth);
            let setup = BenchSetup { depth, threads: threads.into(), hash_mb: hash as usize };
            bench_with(setup, &mut io::stdout().lock()).context("cannot write the bench")?;
        }
        None => {
            let engine = Tarrasch::new().context("there is no memory for the transposition table")?;
            server::serve(engine, io::stdin().lock(), io::stdout())?;
        }
    }
    Ok(())
}
