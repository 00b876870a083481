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
mod search;
mod side;
mod square;
#[cfg(test)]
mod tests;
mod text_mode;
mod zobrist;

use std::io;

use anyhow::Context;
use engine::Druelle;
use side::Side;
use text_mode::TextMode;
use uci::server::{self, Task, TaskOptions, UciEngine};

const OPTIONS: TaskOptions = TaskOptions {
    name: "druelle",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
druelle, a UCI chess engine after a document for a first chess program. Without a command it speaks UCI.

Usage: druelle
       druelle play [--black]
       druelle bench [DEPTH]

Commands:
  play   Play a game by hand, in French notation
  bench  Search a fixed set of positions; the node count is the same on every machine

Options:
  --black  Have the black pieces (play)
  DEPTH    The depth in plies (bench), 1 to 64
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=64,
    threads: None,
    plays: true,
};

/// The program: UCI on standard input and output, or what its arguments ask for.
///
/// # Errors
/// Input or output is broken, or the engine cannot be set up.
pub fn main() -> anyhow::Result<()> {
    let mut engine = Druelle::new().context("the opening base that ships is wrong")?;
    match OPTIONS.of_process() {
        Task::Play { black } => {
            let person = if black { Side::Black } else { Side::White };
            TextMode::new(engine, person).run(io::stdin().lock(), io::stdout().lock())?;
        }
        Task::Bench { depth, .. } => engine.bench(depth, &mut io::stdout().lock())?,
        Task::Uci => server::serve(engine, io::stdin().lock(), io::stdout())?,
    }
    Ok(())
}
