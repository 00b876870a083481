//! druelle: a first chess program, with pieces in lists and a base of openings.
//!
//! The program of Matthias Druelle, Paul Boutes and Damien Cassan, "Documentation sur le jeu d'échecs et son
//! implémentation" (12 October 2014), written to be read beside it; the headers of the modules name its sections. Without
//! a command it speaks UCI; `play` is for playing by hand in French notation.

mod canonical_text;
mod engine;
mod evaluation;
mod fen;
mod game;
mod generation;
mod hash_table;
mod movement;
mod opening_base;
mod piece;
mod player;
mod search;
mod side;
mod square;
#[cfg(test)]
mod tests;
mod text_mode;
mod zobrist;

use std::io;

use anyhow::Context;
use arbiter::engine::{UciEngine, server};
use clap::{Parser, Subcommand};
use engine::Druelle;
use side::Side;
use text_mode::TextMode;

/// druelle, a UCI chess engine after a document for a first chess program. Without a command it speaks UCI.
#[derive(Parser)]
#[command(name = "druelle", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Play a game by hand, in French notation.
    Play {
        /// Have the black pieces.
        #[arg(long)]
        black: bool,
    },
    /// Search a fixed set of positions; the node count is the same on every machine.
    Bench {
        /// The depth in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: Option<u32>,
    },
}

fn main() -> anyhow::Result<()> {
    let mut engine = Druelle::new().context("the opening base that ships is wrong")?;
    match Arguments::parse().task {
        Some(Task::Play { black }) => {
            let person = if black { Side::Black } else { Side::White };
            TextMode::new(engine, person).run(io::stdin().lock(), io::stdout().lock())?;
        }
        Some(Task::Bench { depth }) => engine.bench(depth, &mut io::stdout().lock())?,
        None => server::serve(engine, io::stdin().lock(), io::stdout())?,
    }
    Ok(())
}
