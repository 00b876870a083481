//! Schlottke: a UCI engine that follows "Conception d'un jeu d'échecs en Pascal" by Roland Chastain, his adaptation of
//! a program that Jürgen Schlottke published in 1993 ("Schachspiel: Demonstration der Schachprogrammierung unter
//! Turbo-Pascal").
//!
//! A mailbox of 120 cells whose pieces are numbers that are also their values; a search that looks at material alone,
//! three half-moves deep and five along captures; and a second look at the moves that came out equal. The modules
//! stand in the order of the article, which is meant to be read beside them.

mod side;
mod square;

mod mailbox;
mod pieces;

mod castling_rights;
mod fen;
mod moves;
mod playing;
mod position;

mod castling;
mod game_state;
mod legality;
mod movegen;

mod material_search;
mod second_look;

mod book;

mod bench;
mod schlottke;
mod thinking;
mod uci_moves;

#[cfg(test)]
mod tests;

use std::io;

use schlottke::{DEEPEST, Schlottke};
use uci::server::{self, Task, TaskOptions, UciEngine};

const OPTIONS: TaskOptions = TaskOptions {
    name: "schlottke",
    version: env!("CARGO_PKG_VERSION"),
    help: "\
Schlottke, a UCI chess engine after a program of 1993. Without a command it speaks UCI.

Usage: schlottke
       schlottke bench [DEPTH]

Commands:
  bench  Search a fixed set of positions; the node count is the same on every machine

Options:
  DEPTH    The depth in plies (bench), 1 to 20
  -h, --help     Print help
  -V, --version  Print version",
    depths: 1..=DEEPEST,
    threads: None,
    plays: false,
};

/// The program: UCI on standard input and output, or what its arguments ask for.
///
/// # Errors
/// Input or output is broken, or the engine cannot be set up.
pub fn main() -> io::Result<()> {
    let mut engine = Schlottke::new();
    match OPTIONS.of_process() {
        Task::Bench { depth, .. } => engine.bench(depth, &mut io::stdout().lock()),
        Task::Uci | Task::Play { .. } => server::serve(engine, io::stdin().lock(), io::stdout()),
    }
}
