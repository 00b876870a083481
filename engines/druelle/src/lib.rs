//! druelle: a first chess program, with pieces in lists and a base of openings.
//!
//! After Matthias Druelle, Paul Boutes and Damien Cassan, "Documentation sur le jeu d'échecs et son implémentation" (12
//! October 2014), to be read beside it; the headers of the modules name its sections. Without a command it speaks UCI;
//! `play` is for playing by hand in French notation.

mod board;
mod engine;
mod game;
mod movement;
mod opening_base;
mod search;
#[cfg(test)]
mod tests;
mod text_mode;

use std::io;

use engine::Druelle;
use text_mode::TextMode;
use uci::server::{Color, SmallEngine, Task};

const ENGINE: SmallEngine = SmallEngine {
    name: "druelle",
    version: env!("CARGO_PKG_VERSION"),
    about: "druelle, a UCI chess engine after a document for a first chess program.",
    play: Some("Play a game by hand, in French notation"),
    depths: 1..=64,
};

/// The program: UCI on standard input and output, or the commands in its arguments.
///
/// # Errors
/// Input or output is broken.
pub fn main() -> io::Result<()> {
    match ENGINE.task() {
        Task::Play { black } => {
            let person = if black { Color::Black } else { Color::White };
            TextMode::new(Druelle::new(), person).run(io::stdin().lock(), io::stdout().lock())
        }
        task => task.run(Druelle::new()),
    }
}
