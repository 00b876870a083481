//! An engine that answers at once, so that nearly all of a game's time is the runner's.
//!
//! Its move is legal, looks random and depends on the position alone, so every runner gets the same games. A
//! `position` line that goes on where the last one ended costs it only the new moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, Write};

use chess::{MoveList, Position};

/// Where the game stands, and the line that said so.
struct Board {
    position: Position,
    line: String,
}

/// Talks to a runner until it says `quit`.
pub fn talk() -> io::Result<()> {
    let mut board = Board { position: Position::start(), line: String::new() };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split_whitespace().next() {
            Some("uci") => writeln!(out, "id name Instant\nuciok")?,
            Some("isready") => writeln!(out, "readyok")?,
            Some("position") => board.set_up(line),
            Some("go") => {
                let best = board.choose();
                writeln!(out, "info depth 1 score cp 0 nodes 1 time 0 pv {best}\nbestmove {best}")?;
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

impl Board {
    fn set_up(&mut self, line: String) {
        let goes_on = !self.line.is_empty() && line.starts_with(&self.line);
        let moves = if goes_on { &line[self.line.len()..] } else { self.set_up_start(&line) };
        for text in moves.split_whitespace() {
            if let Some(played) = self.position.parse_uci(text) {
                self.position.play_unchecked(played);
            }
        }
        self.line = line;
    }

    /// Sets up where the moves of a `position` line start from, and returns the moves.
    fn set_up_start<'a>(&mut self, line: &'a str) -> &'a str {
        let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
        let fen = start.strip_prefix("position fen ").and_then(|fen| Position::from_fen(fen).ok());
        self.position = fen.unwrap_or_else(Position::start);
        moves
    }

    fn choose(&self) -> String {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        // The clock that counts moves since the last capture keeps the choice from going round in circles.
        let mut hasher = DefaultHasher::new();
        (self.position.key(), self.position.halfmove_clock()).hash(&mut hasher);
        match moves.len() {
            0 => "(none)".to_owned(),
            count => moves[hasher.finish() as usize % count].to_uci(false),
        }
    }
}
