//! druelle: a first chess program, with pieces in lists and a base of openings.
//!
//! After Matthias Druelle, Paul Boutes and Damien Cassan, "Documentation sur le jeu d'échecs et son implémentation" (12
//! October 2014), to be read beside it; the headers of the modules name its sections. `arbiter play` has what it
//! says about playing by hand: French notation, taking back, and saved games.

mod board;
mod engine;
mod game;
mod movement;
mod opening_base;
mod search;
#[cfg(test)]
mod tests;

use std::io;

use engine::Druelle;
use uci::server::small_engine_task;

const ABOUT: &str = "druelle, a UCI chess engine after a document for a first chess program.";

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    small_engine_task("druelle", env!("CARGO_PKG_VERSION"), ABOUT, 1..=64).run(Druelle::new())
}
