//! An engine for testing the runner: it plays random legal moves, the same in the same position, and misbehaves as its
//! first argument says. `--modes` lists the modes; `late+MODE` misbehaves late.
//!
//! It is not part of the product, and speaks only as much UCI as the runner needs.

#![expect(clippy::print_stderr, reason = "one of the modes floods the error output")]

mod board;
mod deeds;
mod modes;
mod pondering;
mod xboard;

use std::io::{self, BufRead, StdoutLock, Write};
use std::process::ExitCode;

use board::Board;
use deeds::{Done, Outcome};
use modes::{GOOD_PLIES, MODES, Mode, Moment, OF_CLOCKS};
use pondering::{MANNERS, Pondering};

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_else(|| "well".to_owned());
    let outcome = match name.as_str() {
        "--modes" => MODES.iter().try_for_each(|(name, ..)| writeln!(io::stdout(), "{name}")),
        deeds::CHILD | deeds::STRAY => {
            deeds::live_as_child(&name);
            Ok(())
        }
        _ if name.starts_with("xboard") => xboard::talk(&name),
        _ => {
            let Some(engine) = Engine::new(&name) else {
                eprintln!("unknown mode {name}");
                return ExitCode::from(2);
            };
            engine.talk()
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The runner is gone.
        Err(_) => ExitCode::FAILURE,
    }
}

struct Engine {
    /// The ways in which it misbehaves.
    modes: Vec<Mode>,
    board: Board,
    /// The number of games begun.
    games: u32,
    pondering: Pondering,
    line_end: &'static str,
    out: StdoutLock<'static>,
}

impl Engine {
    /// The engine with this behaviour; `None` if the name is unknown.
    fn new(name: &str) -> Option<Engine> {
        let mut modes = Vec::new();
        let mut pondering = Pondering::default();
        for name in name.split('+') {
            let rows = modes.len();
            modes.extend([MODES, OF_CLOCKS].concat().into_iter().filter(|(known, ..)| *known == name));
            if MANNERS.contains(&name) {
                name.clone_into(&mut pondering.manner);
            } else if modes.len() == rows {
                return None;
            }
        }
        let out = io::stdout().lock();
        Some(Engine { modes, board: Board::default(), games: 0, pondering, line_end: "\n", out })
    }

    fn talk(mut self) -> io::Result<()> {
        self.goes_wrong(Moment::Start)?;
        self.out.flush()?;
        for line in io::stdin().lock().lines() {
            let line = line?;
            self.pondering.hear(&line, &mut self.out)?;
            let end = self.line_end;
            match line.split_whitespace().next() {
                Some("uci") if !self.goes_wrong(Moment::Uci)? => write!(
                    self.out,
                    "id name Mock{end}option name Hash type spin default 1 min 1 max 8{end}option name Ponder type check default false{end}uciok{end}"
                )?,
                Some("setoption") => {
                    if let Some(name) = line.strip_prefix("setoption name UCI_Variant value ") {
                        self.board.set_variant(name);
                    }
                }
                Some("isready") if !self.goes_wrong(Moment::Ready)? => write!(self.out, "readyok{end}")?,
                Some("ucinewgame") => {
                    self.games += 1;
                    self.goes_wrong(Moment::NewGame)?;
                }
                Some("position") => {
                    self.board.set_up(line);
                    self.goes_wrong(Moment::Position)?;
                }
                Some("go") => self.search(&line)?,
                Some("quit") if !self.goes_wrong(Moment::Quit)? => return Ok(()),
                _ => {}
            }
            self.out.flush()?;
        }
        self.goes_wrong(Moment::Abandoned)?;
        Ok(())
    }

    /// Misbehaves as planned for this moment. Returns whether the good answer is left out.
    fn goes_wrong(&mut self, moment: Moment) -> io::Result<bool> {
        for index in 0..self.modes.len() {
            let (_, when, deed): Mode = self.modes[index];
            let outcome: Done = if when == moment { deed(self) } else { continue };
            if outcome? == Outcome::Handled {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn search(&mut self, go: &str) -> io::Result<()> {
        if go.starts_with("go perft") && self.modes.iter().any(|(name, ..)| *name == "variants") {
            return self.out.write_all(self.board.count().as_bytes());
        }
        if self.goes_wrong(Moment::AnyGo)? || self.board.plies >= GOOD_PLIES && self.goes_wrong(Moment::Go)? {
            return Ok(());
        }
        let (chosen, score, end) = (self.board.choose(), self.board.score(), self.line_end);
        let wish = if self.pondering.is_enabled {
            let (replies, choice) = self.board.replies(chosen);
            self.pondering.wish(&replies, choice)
        } else {
            String::new()
        };
        let answer = format!(
            "info depth 1 score cp {score} nodes 20 time 0 pv {chosen}{end}bestmove {chosen}{wish}{end}"
        );
        self.pondering.answer(go, answer, &mut self.out)
    }
}
