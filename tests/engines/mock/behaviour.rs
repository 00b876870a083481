//! The ways to misbehave.

use std::io::{self, Write};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use crate::slowness;

/// How many plies a bad engine plays well before it misbehaves.
const GOOD_PLIES: usize = 4;

/// What the engine does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Nothing.
    Well,
    /// Aborts when asked for a move.
    Crash,
    /// Ends with exit code 7 when asked for a move.
    Exit,
    /// Never answers `go`.
    Hang,
    /// Answers a move that no position allows.
    Illegal,
    /// Answers a move in the wrong notation.
    Unreadable,
    /// Says that it has no move.
    NoMove,
    /// Sends `info` for ever.
    Flood,
    /// Sends a line that never ends.
    EndlessLine,
    /// Answers 300 ms after `go`.
    Late,
    /// Uses 400 ms of CPU time before it answers.
    BurnsTime,
    /// Is stopped by a signal when asked for a move.
    IsStopped,
    /// Is stopped by a signal when a game is to begin.
    StopsBeforeGame,
    /// Closes its output and lives on.
    CloseOutput,
    /// Never answers `uci`.
    NoUciOk,
    /// Ends when asked `uci`.
    ExitOnUci,
    /// Never answers `isready`.
    NeverReady,
    /// Ends its lines as Windows does.
    CarriageReturns,
    /// Stays when told to quit, and when its input is closed.
    IgnoresQuit,
    /// Sends bytes that are no text.
    Binary,
    /// Fills its error output.
    Complains,
    /// Leaves a child that holds its output open, and ends.
    LeavesChild,
}

/// Whether the engine goes on as a good one would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Normal,
    Handled,
}

impl FromStr for Behaviour {
    type Err = ();

    fn from_str(text: &str) -> Result<Behaviour, ()> {
        Ok(match text {
            "well" => Behaviour::Well,
            "crash" => Behaviour::Crash,
            "exit" => Behaviour::Exit,
            "hang" => Behaviour::Hang,
            "illegal" => Behaviour::Illegal,
            "unreadable" => Behaviour::Unreadable,
            "no-move" => Behaviour::NoMove,
            "flood" => Behaviour::Flood,
            "endless-line" => Behaviour::EndlessLine,
            "late" => Behaviour::Late,
            "burns-time" => Behaviour::BurnsTime,
            "is-stopped" => Behaviour::IsStopped,
            "stops-before-game" => Behaviour::StopsBeforeGame,
            "close-output" => Behaviour::CloseOutput,
            "no-uciok" => Behaviour::NoUciOk,
            "exit-on-uci" => Behaviour::ExitOnUci,
            "never-ready" => Behaviour::NeverReady,
            "carriage-returns" => Behaviour::CarriageReturns,
            "ignores-quit" => Behaviour::IgnoresQuit,
            "binary" => Behaviour::Binary,
            "complains" => Behaviour::Complains,
            "leaves-child" => Behaviour::LeavesChild,
            // What these do wrong is said in `pondering`.
            mode if mode.starts_with("ponder-") => Behaviour::Well,
            _ => return Err(()),
        })
    }
}

impl Behaviour {
    /// What happens on `uci`.
    pub fn introduce(self, out: &mut impl Write) -> io::Result<Outcome> {
        match self {
            Behaviour::NoUciOk => Ok(Outcome::Handled),
            Behaviour::ExitOnUci => std::process::exit(3),
            Behaviour::Binary => {
                out.write_all(b"\xff\xfe\0 hello \xc3\n")?;
                Ok(Outcome::Normal)
            }
            _ => Ok(Outcome::Normal),
        }
    }

    /// What happens on `go`.
    pub fn answer(self, out: &mut impl Write, plies: usize) -> io::Result<Outcome> {
        if plies < GOOD_PLIES {
            return Ok(Outcome::Normal);
        }
        match self {
            Behaviour::Crash => std::process::abort(),
            Behaviour::Exit => std::process::exit(7),
            Behaviour::Hang => {}
            Behaviour::Illegal => writeln!(out, "bestmove a1h8")?,
            Behaviour::Unreadable => writeln!(out, "bestmove Nf3")?,
            Behaviour::NoMove => writeln!(out, "bestmove (none)")?,
            Behaviour::Flood => loop {
                writeln!(out, "info depth 1 score cp 1 nodes 1")?;
            },
            Behaviour::EndlessLine => loop {
                out.write_all(&[b'x'; 4096])?;
            },
            Behaviour::Late => {
                thread::sleep(Duration::from_millis(300));
                return Ok(Outcome::Normal);
            }
            Behaviour::BurnsTime => {
                slowness::burn();
                return Ok(Outcome::Normal);
            }
            Behaviour::IsStopped => slowness::stop(),
            Behaviour::CloseOutput => close_output(),
            Behaviour::Binary => {
                out.write_all(b"info string \xff\0\xfe\ninfo nodes \0\n\n")?;
                return Ok(Outcome::Normal);
            }
            Behaviour::Complains => {
                for _ in 0..2000 {
                    eprintln!("everything is wrong, as always, and somebody should hear about it at length");
                }
                return Ok(Outcome::Normal);
            }
            Behaviour::LeavesChild => {
                // The child is named as its parent is, so that the tests can see whether it is left.
                let tag = std::env::args().nth(2).unwrap_or_default();
                std::process::Command::new("sh").args(["-c", "sleep 600; true", &tag]).spawn()?;
                std::process::exit(0);
            }
            _ => return Ok(Outcome::Normal),
        }
        Ok(Outcome::Handled)
    }

    /// What happens when the input is closed.
    pub fn when_abandoned(self) {
        if self == Behaviour::IgnoresQuit {
            thread::sleep(Duration::from_mins(10));
        }
    }
}

/// Closes the output and stays.
fn close_output() {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null");
    if let Ok(null) = null {
        let _ = rustix::stdio::dup2_stdout(null);
    }
    thread::sleep(Duration::from_mins(10));
}
