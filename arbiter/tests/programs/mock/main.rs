//! An engine for the tests of the runner: it plays random legal moves, the same in the same position, and misbehaves
//! in the way that its first argument names. `--modes` lists the ways; `SLOWNESS+MODE` is late with what is wrong.
//!
//! It is no part of the product; it speaks only as much UCI as the runner asks for.

#![expect(clippy::print_stderr, reason = "one of the modes floods the error output")]

mod board;
mod deeds;
mod moments;
mod pondering;
mod search;
mod slowness;

use std::io::{self, BufRead, StdoutLock, Write};
use std::process::ExitCode;
use std::str::FromStr;

use board::Board;
use deeds::Outcome;
use pondering::Pondering;
use slowness::Slowness;

use moments::{Ending, Introduction, Readiness};
use search::Search;

fn main() -> ExitCode {
    let mode = std::env::args().nth(1).unwrap_or_else(|| "well".to_owned());
    let (slowness, wrong) = mode.split_once('+').unwrap_or((&mode, &mode));
    let outcome = match (mode.as_str(), wrong.parse::<Behaviour>()) {
        ("--modes", _) => Behaviour::names().try_for_each(|name| writeln!(io::stdout(), "{name}")),
        (deeds::CHILD | deeds::STRAY, _) => {
            deeds::live_as_child(&mode);
            Ok(())
        }
        (_, Ok(behaviour)) => talk(behaviour, Pondering::new(&mode), Slowness::named(slowness)),
        (_, Err(())) => {
            eprintln!("unknown mode {mode}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The runner is gone.
        Err(_) => ExitCode::FAILURE,
    }
}

fn talk(behaviour: Behaviour, mut pondering: Pondering, slowness: Option<Slowness>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut board = Board::default();
    let mut games = 0;
    match behaviour {
        Behaviour::Introduction(mode) => mode.start(&mut out)?,
        Behaviour::Ending(mode) => mode.start()?,
        _ => {}
    }
    for line in io::stdin().lock().lines() {
        let line = line?;
        pondering.hear(&line, &mut out)?;
        if let Some(slowness) = slowness {
            slowness.hear(&line, board.plies);
        }
        match line.split_whitespace().next() {
            Some("uci") => introduce(behaviour, &mut out)?,
            Some("isready") => get_ready(behaviour, &mut out, games)?,
            Some("ucinewgame") => {
                games += 1;
                if let Behaviour::Readiness(mode) = behaviour {
                    mode.begin_game(games);
                }
            }
            Some("position") => {
                board.set_up(line);
                if let Behaviour::Search(mode) = behaviour {
                    mode.set_up(&mut out, &board)?;
                }
            }
            Some("go") => answer(behaviour, &mut out, &board, &mut pondering, &line)?,
            Some("quit") => match behaviour {
                Behaviour::Ending(mode) if mode.quit() == Outcome::Handled => {}
                _ => return Ok(()),
            },
            _ => {}
        }
        out.flush()?;
    }
    if let Behaviour::Ending(mode) = behaviour {
        mode.when_abandoned();
    }
    Ok(())
}

fn introduce(behaviour: Behaviour, out: &mut StdoutLock<'_>) -> io::Result<()> {
    let outcome = match behaviour {
        Behaviour::Introduction(mode) => mode.introduce(out)?,
        _ => Outcome::Normal,
    };
    match outcome {
        Outcome::Normal => {
            let end = behaviour.line_end();
            write!(
                out,
                "id name Mock{end}option name Hash type spin default 1 min 1 max 8{end}option name Ponder type check default false{end}uciok{end}"
            )
        }
        Outcome::Handled => Ok(()),
    }
}

fn get_ready(behaviour: Behaviour, out: &mut StdoutLock<'_>, games: u32) -> io::Result<()> {
    let outcome = match behaviour {
        Behaviour::Readiness(mode) => mode.get_ready(out, games)?,
        _ => Outcome::Normal,
    };
    match outcome {
        Outcome::Normal => write!(out, "readyok{}", behaviour.line_end()),
        Outcome::Handled => Ok(()),
    }
}

fn answer(
    behaviour: Behaviour,
    out: &mut StdoutLock<'_>,
    board: &Board,
    pondering: &mut Pondering,
    go: &str,
) -> io::Result<()> {
    let outcome = match behaviour {
        Behaviour::Search(mode) => mode.answer(out, board)?,
        _ => Outcome::Normal,
    };
    if outcome == Outcome::Handled {
        return Ok(());
    }
    let (chosen, score, end) = (board.choose(), board.score(), behaviour.line_end());
    let wish = if pondering.is_enabled() {
        let (replies, choice) = board.replies(chosen);
        pondering.wish(&replies, choice)
    } else {
        String::new()
    };
    let answer =
        format!("info depth 1 score cp {score} nodes 20 time 0 pv {chosen}{end}bestmove {chosen}{wish}{end}");
    pondering.answer(go, answer, out)
}

/// A way to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Without fault.
    Well,
    /// From the start to `uciok`.
    Introduction(Introduction),
    /// On `isready` and `ucinewgame`.
    Readiness(Readiness),
    /// On `position` and `go`.
    Search(Search),
    /// On `quit` and the end of the input.
    Ending(Ending),
}

impl Behaviour {
    /// How lines end.
    pub fn line_end(self) -> &'static str {
        if self == Behaviour::Search(Search::CarriageReturns) { "\r\n" } else { "\n" }
    }

    /// The names of all modes, that of the good engine left out.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [Introduction::NAMES, Readiness::NAMES, Search::NAMES, Ending::NAMES].into_iter().flatten().copied()
    }
}

impl FromStr for Behaviour {
    type Err = ();

    fn from_str(name: &str) -> Result<Behaviour, ()> {
        // What these do wrong is said elsewhere.
        if name == "well" || name.starts_with("ponder-") || Slowness::named(name).is_some() {
            return Ok(Behaviour::Well);
        }
        let introduction = Introduction::named(name).map(Behaviour::Introduction);
        let readiness = Readiness::named(name).map(Behaviour::Readiness);
        let search = Search::named(name).map(Behaviour::Search);
        introduction.or(readiness).or(search).or(Ending::named(name).map(Behaviour::Ending)).ok_or(())
    }
}
