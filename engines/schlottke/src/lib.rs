//! Schlottke: a UCI engine that follows "Conception d'un jeu d'échecs en Pascal" by Roland Chastain, his adaptation of
//! a program that Jürgen Schlottke published in 1993 ("Schachspiel: Demonstration der Schachprogrammierung unter
//! Turbo-Pascal").
//!
//! The board is a mailbox of 120 cells, whose pieces are numbers that encode their values. The search looks only at
//! material, three half-moves deep and five along captures; a second stage compares the moves with equal results. The
//! modules are in the order of the article, which is meant to be read beside them.

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
use uci::server::small_engine_task;

const ABOUT: &str = "Schlottke, a UCI chess engine after a program of 1993.";

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    small_engine_task("schlottke", env!("CARGO_PKG_VERSION"), ABOUT, 1..=DEEPEST).run(Schlottke::new())
}
