//! Thomartin: a UCI engine that follows the report "8INF878, Rapport TP2, Échecs" by Martin Blanckaert and Thomas
//! Sirvent.
//!
//! Minimax with every improvement taught in the authors' course, and an answer in under a second. Like the original,
//! which uses chesslib, the engine relies on a library for the rules of chess: shakmaty. Everything else is in these
//! modules, to be read beside the chapters of the report. All scores are White's: White is Max and Black is Min.

mod score;

mod evaluation;
mod phase;
mod piece_square_tables;

mod start_tree;

mod hash_table;
mod minimax;
mod move_order;
mod thinking;

mod thomartin;

#[cfg(test)]
mod tests;

use std::io;

use thomartin::{DEEPEST, Thomartin};
use uci::server::small_engine_task;

const ABOUT: &str = "Thomartin, a UCI chess engine after the report 8INF878.";

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    small_engine_task("thomartin", env!("CARGO_PKG_VERSION"), ABOUT, 1..=DEEPEST).run(Thomartin::new())
}
