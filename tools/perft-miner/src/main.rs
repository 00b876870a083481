//! Makes a perft suite of hard cases, which `suites/perft/hard.epd` and `hard-chess960.epd` are.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use perft_miner::MineArgs;

/// Makes a perft suite of hard cases from random play, counted by our own core and by shakmaty.
#[derive(Parser)]
#[command(name = "perft-miner", version)]
struct Arguments {
    #[command(flatten)]
    mine: MineArgs,
}

fn main() -> ExitCode {
    let done = Arguments::parse().mine.run();
    done.unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "error: {}", error.message());
        error.exit_code()
    })
    .into()
}
