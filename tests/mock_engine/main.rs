//! An engine for the tests of the runner: it plays random legal moves, the same in the same position, and misbehaves
//! in the way that its first argument names.
//!
//! It is no part of the product; it speaks only as much UCI as the runner asks for.

#![expect(clippy::print_stderr, reason = "one of the modes floods the error output")]

mod behaviour;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use behaviour::{Behaviour, Outcome};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// The position on the board and how many moves it took.
struct Board {
    position: Chess,
    plies: usize,
}

fn main() -> ExitCode {
    let behaviour = std::env::args().nth(1).unwrap_or_else(|| "well".to_owned());
    let Ok(behaviour) = behaviour.parse::<Behaviour>() else {
        eprintln!("unknown mode {behaviour}");
        return ExitCode::from(2);
    };
    match talk(behaviour) {
        Ok(()) => ExitCode::SUCCESS,
        // The runner is gone.
        Err(_) => ExitCode::FAILURE,
    }
}

fn talk(behaviour: Behaviour) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut board = Board { position: Chess::default(), plies: 0 };
    let end = if behaviour == Behaviour::CarriageReturns { "\r\n" } else { "\n" };
    for line in io::stdin().lock().lines() {
        let line = line?;
        match line.split_whitespace().next() {
            Some("uci") => {
                if behaviour.introduce(&mut out)? == Outcome::Handled {
                    continue;
                }
                write!(out, "id name Mock{end}option name Hash type spin default 1 min 1 max 8{end}uciok{end}")?;
            }
            Some("isready") if behaviour != Behaviour::NeverReady => write!(out, "readyok{end}")?,
            Some("position") => board = Board::read(&line),
            Some("go") => {
                if behaviour.answer(&mut out, board.plies)? == Outcome::Normal {
                    let chosen = board.choose();
                    write!(out, "info depth 1 score cp {} nodes 20 time 0 pv {chosen}{end}", board.score())?;
                    write!(out, "bestmove {chosen}{end}")?;
                }
            }
            Some("quit") if behaviour != Behaviour::IgnoresQuit => return Ok(()),
            _ => {}
        }
        out.flush()?;
    }
    behaviour.when_abandoned();
    Ok(())
}

impl Board {
    /// Sets up the position of a `position` line, which the tests only send when it is legal.
    fn read(line: &str) -> Board {
        let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
        let fen = start.strip_prefix("position fen ");
        let start = fen.and_then(|fen| fen.parse::<Fen>().ok());
        let start = start.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        let mut board = Board { position: start.unwrap_or_default(), plies: 0 };
        for text in moves.split_whitespace() {
            let chosen = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&board.position).ok());
            if let Some(chosen) = chosen {
                board.position.play_unchecked(chosen);
                board.plies += 1;
            }
        }
        board
    }

    /// A number that depends on the position and its ply alone.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn choose(&self) -> UciMove {
        let moves = self.position.legal_moves();
        moves[(self.number() % moves.len() as u64) as usize].to_uci(CastlingMode::Standard)
    }

    fn score(&self) -> i64 {
        (self.number() >> 32) as i64 % 200 - 100
    }
}
