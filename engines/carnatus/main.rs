//! carnatus: a small chess engine on a board of 120 cells that turns after each move.
//!
//! The engine of Serge Zaitsev's article "Writing a simple chess engine in Go" (2020), a port of Thomas Ahle's Sunfish,
//! written anew to be read beside it. The headers of the modules name the sections of the French edition, "Ecrire un
//! moteur d'échecs simple dans Go". Without a command it speaks UCI; `play` is for playing by hand.

mod board;
mod bound;
mod engine;
mod fen;
mod game;
mod hash_table;
mod move_generator;
mod piece;
mod piece_square;
mod position;
mod search;
mod side;
mod square;
#[cfg(test)]
mod tests;
mod text_mode;

use std::io;

use arbiter::engine::{UciEngine, server};
use clap::{Parser, Subcommand};
use engine::{BENCH_DEPTH, Carnatus};
use side::Side;

/// carnatus, a UCI chess engine after Sunfish. Without a command it speaks UCI.
#[derive(Parser)]
#[command(name = "carnatus", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Play a game by hand, 10,000 nodes a move.
    Play {
        /// Have the black pieces.
        #[arg(long)]
        black: bool,
    },
    /// Search a fixed set of positions; the node count is the same on every machine.
    Bench {
        /// The depth in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=99), default_value_t = BENCH_DEPTH)]
        depth: u32,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Some(Task::Play { black }) => {
            let person = if black { Side::Black } else { Side::White };
            text_mode::play(person, io::stdin().lock(), io::stdout().lock())?;
        }
        Some(Task::Bench { depth }) => Carnatus::new().bench(Some(depth), &mut io::stdout().lock())?,
        None => server::serve(Carnatus::new(), io::stdin().lock(), io::stdout())?,
    }
    Ok(())
}
