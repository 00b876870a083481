//! carnatus: a small chess engine on a board of 120 cells that turns after each move.
//!
//! The engine of Serge Zaitsev's article "Writing a simple chess engine in Go" (2020), a port of Thomas Ahle's Sunfish,
//! written anew to be read beside it. The headers of the modules name the sections of the French edition, "Ecrire un
//! moteur d'échecs simple dans Go". Without a command it speaks UCI; `play` is for playing by hand.

mod board;
mod engine;
mod game;
mod piece_square;
mod position;
mod search;
#[cfg(test)]
mod tests;

use std::io;

use engine::Carnatus;
use uci::server::{Color, Task, TaskOptions};

const OPTIONS: TaskOptions = TaskOptions {
    name: "carnatus",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
carnatus, a UCI chess engine after Sunfish. Without a command it speaks UCI.

Usage: carnatus
       carnatus play [--black]
       carnatus bench [DEPTH]

Commands:
  play   Play a game by hand, 10,000 nodes a move
  bench  Search a fixed set of positions; the node count is the same on every machine

Options:
  --black  Have the black pieces (play)
  DEPTH    The depth in plies (bench), 1 to 99
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=99,
    threads: None,
    plays: true,
};

/// The program: UCI on standard input and output, or what its arguments ask for.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    match OPTIONS.of_process() {
        Task::Play { black } => {
            let person = if black { Color::Black } else { Color::White };
            engine::play(person, io::stdin().lock(), io::stdout().lock())
        }
        task => task.run(Carnatus::new()),
    }
}
