//! Schlottke: a UCI engine that follows "Conception d'un jeu d'échecs en Pascal" by Roland Chastain, his adaptation of
//! a program that Jürgen Schlottke published in 1993 ("Schachspiel: Demonstration der Schachprogrammierung unter
//! Turbo-Pascal").
//!
//! A mailbox of 120 cells whose pieces are numbers that are also their values; a search that looks at material alone,
//! three half-moves deep and five along captures; and a second look at the moves that came out equal. The modules
//! stand in the order of the article, which is meant to be read beside them.

mod board;
mod position;

mod movegen;
mod thinking;

mod book;

mod notation;
mod schlottke;
#[cfg(test)]
mod tests;

use std::io;

use schlottke::{DEEPEST, Schlottke};
use uci::server::TaskOptions;

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
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    OPTIONS.of_process().run(Schlottke::new())
}
