//! carnatus: a small chess engine on a board of 120 cells that turns after each move.
//!
//! After Serge Zaitsev's article "Writing a simple chess engine in Go" (2020), a port of Thomas Ahle's Sunfish, rewritten
//! to be read beside the article. The headers of the modules name the sections of its French edition, "Ecrire un moteur
//! d'échecs simple dans Go".

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
use uci::server::small_engine_task;

const ABOUT: &str = "carnatus, a UCI chess engine after Sunfish.";

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    small_engine_task("carnatus", env!("CARGO_PKG_VERSION"), ABOUT, 1..=99).run(Carnatus::new())
}
