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

use uci::server;

/// The program: UCI on standard input and output, or what its arguments ask for.
///
/// # Errors
/// Input or output is broken, or the engine cannot be set up.
pub fn main() -> io::Result<()> {
    server::serve(schlottke::Schlottke::new(), io::stdin().lock(), io::stdout())
}
