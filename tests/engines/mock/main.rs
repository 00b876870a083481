//! An engine for the tests of the runner: it plays random legal moves, the same in the same position, and misbehaves
//! in the way that its first argument names.
//!
//! It is no part of the product; it speaks only as much UCI as the runner asks for.

#![expect(clippy::print_stderr, reason = "one of the modes floods the error output")]

mod behaviour;
mod pondering;
mod slowness;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use behaviour::{Behaviour, Outcome};
use pondering::Pondering;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// The position on the board, how many moves it took, and the line that set it up.
#[derive(Default)]
struct Board {
    position: Chess,
    plies: usize,
    line: String,
}

fn main() -> ExitCode {
    let behaviour = std::env::args().nth(1).unwrap_or_else(|| "well".to_owned());
    let pondering = Pondering::new(&behaviour);
    let Ok(behaviour) = behaviour.parse::<Behaviour>() else {
        eprintln!("unknown mode {behaviour}");
        return ExitCode::from(2);
    };
    match talk(behaviour, pondering) {
        Ok(()) => ExitCode::SUCCESS,
        // The runner is gone.
        Err(_) => ExitCode::FAILURE,
    }
}

fn talk(behaviour: Behaviour, mut pondering: Pondering) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut board = Board::default();
    let end = if behaviour == Behaviour::CarriageReturns { "\r\n" } else { "\n" };
    for line in io::stdin().lock().lines() {
        let line = line?;
        pondering.hear(&line, &mut out)?;
        let first_word = line.split_whitespace().next();
        match first_word {
            Some("uci") => {
                if behaviour.introduce(&mut out)? == Outcome::Handled {
                    continue;
                }
                write!(
                    out,
                    "id name Mock{end}option name Hash type spin default 1 min 1 max 8{end}\
                     option name Ponder type check default false{end}uciok{end}"
                )?;
            }
            Some("isready") if behaviour != Behaviour::NeverReady => write!(out, "readyok{end}")?,
            Some("ucinewgame") if behaviour == Behaviour::StopsBeforeGame => slowness::stop(),
            Some("position") => board.set_up(line),
            Some("go") => {
                let outcome = behaviour.answer(&mut out, board.plies)?;
                if outcome == Outcome::Handled {
                    out.flush()?;
                    continue;
                }
                let chosen = board.choose();
                let wish = board.wish(&pondering, chosen);
                let score = board.score();
                let answer = format!(
                    "info depth 1 score cp {score} nodes 20 time 0 pv {chosen}{end}bestmove {chosen}{wish}{end}"
                );
                pondering.answer(&line, answer, &mut out)?;
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
    /// Sets up the position of a `position` line, which the tests only send when it is legal. A line that goes on where
    /// the last one ended only costs its new moves, which makes the engine fast enough to measure the runner with.
    fn set_up(&mut self, line: String) {
        if !line.starts_with(&self.line) || self.line.is_empty() {
            let start = line.split(" moves").next().and_then(|start| start.strip_prefix("position fen "));
            let start = start.and_then(|fen| fen.parse::<Fen>().ok());
            let start = start.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
            let moves = line.find(" moves").map_or(line.len(), |at| at + " moves".len());
            *self = Board { position: start.unwrap_or_default(), plies: 0, line: line[..moves].to_owned() };
        }
        for text in line[self.line.len()..].split_whitespace() {
            let chosen = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.position).ok());
            if let Some(chosen) = chosen {
                self.position.play_unchecked(chosen);
                self.plies += 1;
            }
        }
        self.line = line;
    }

    /// A number that depends on the position and its ply alone.
    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.position.board(), self.position.turn(), self.position.halfmoves(), self.plies)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// What follows the best move when the mock ponders.
    fn wish(&self, pondering: &Pondering, chosen: UciMove) -> String {
        let mut ahead = Board { position: self.position.clone(), plies: self.plies + 1, line: String::new() };
        if !pondering.is_enabled() {
            return String::new();
        }
        ahead.position.play_unchecked(chosen.to_move(&self.position).unwrap());
        let replies = ahead.position.legal_moves();
        let replies: Vec<String> =
            replies.iter().map(|reply| reply.to_uci(CastlingMode::Standard).to_string()).collect();
        let choice = (!replies.is_empty()).then(|| ahead.choose().to_string());
        pondering.wish(&replies, choice)
    }

    fn choose(&self) -> UciMove {
        let moves = self.position.legal_moves();
        moves[(self.number() % moves.len() as u64) as usize].to_uci(CastlingMode::Standard)
    }

    fn score(&self) -> i64 {
        (self.number() >> 32) as i64 % 200 - 100
    }
}
