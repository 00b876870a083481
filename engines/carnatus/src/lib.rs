//! carnatus: a small chess engine on a board of 120 cells that turns after each move.
//!
//! After Serge Zaitsev's article "Writing a simple chess engine in Go" (2020), a port of Thomas Ahle's Sunfish, rewritten
//! to be read beside the article. The headers of the modules name the sections of its French edition, "Ecrire un moteur
//! d'échecs simple dans Go". Without a command the engine speaks UCI; `play` is for playing by hand.

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
use uci::server::{Color, SmallEngine, Task};

const ENGINE: SmallEngine = SmallEngine {
    name: "carnatus",
    version: env!("CARGO_PKG_VERSION"),
    about: "carnatus, a UCI chess engine after Sunfish.",
    play: Some("Play a game by hand, 10,000 nodes a move"),
    depths: 1..=99,
};

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    match ENGINE.task() {
        Task::Play { black } => {
            let person = if black { Color::Black } else { Color::White };
            engine::play(person, io::stdin().lock(), io::stdout().lock())
        }
        task => task.run(Carnatus::new()),
    }
}
