//! What goes wrong on `isready` and `ucinewgame`.

use std::io::{self, Write};
use std::process;
use std::time::Duration;

use crate::deeds::{Outcome, close_errors, close_input, flood, pause, stay};
use crate::modes::modes;

modes! {
    /// The modes of getting ready.
    Readiness {
        /// Never answers `isready`.
        NeverReady = "never-ready",
        /// Aborts on `isready`.
        CrashOnReady = "crash-on-isready",
        /// Sends `info` for ever instead of `readyok`.
        FloodOnReady = "flood-on-isready",
        /// Takes a while for each `readyok`.
        SlowReady = "slow-ready",
        /// Says `readyok` twice.
        TwiceReady = "twice-ready",
        /// Says no more once a game begins.
        HangOnNewGame = "hang-on-new-game",
        /// Aborts when a game begins.
        CrashOnNewGame = "crash-on-new-game",
        /// Takes a while when a game begins.
        SlowNewGame = "slow-new-game",
        /// Ends with exit code 4 when a second game begins.
        ExitBetweenGames = "exit-between-games",
        /// Closes its input when a game begins, and says that it is ready.
        CloseInput = "close-input",
        /// Closes its error output when a game begins.
        CloseErrors = "close-errors",
    }
}

impl Readiness {
    /// What happens on `isready`, in the game of that number; none has begun where it is 0.
    pub fn get_ready(self, out: &mut impl Write, game: u32) -> io::Result<Outcome> {
        match self {
            Readiness::NeverReady => Ok(Outcome::Handled),
            Readiness::HangOnNewGame if game > 0 => Ok(Outcome::Handled),
            Readiness::CrashOnReady => process::abort(),
            Readiness::FloodOnReady => flood(out),
            Readiness::SlowReady => {
                pause(Duration::from_millis(50));
                Ok(Outcome::Normal)
            }
            Readiness::CloseInput if game > 0 => {
                close_input();
                // Another engine that is being started may hold a copy of our end of the pipe for a moment.
                pause(Duration::from_millis(100));
                writeln!(out, "readyok")?;
                out.flush()?;
                stay();
                Ok(Outcome::Handled)
            }
            Readiness::TwiceReady => {
                writeln!(out, "readyok")?;
                Ok(Outcome::Normal)
            }
            _ => Ok(Outcome::Normal),
        }
    }

    /// What happens on `ucinewgame`, for the game of that number.
    pub fn begin_game(self, game: u32) {
        match self {
            Readiness::CrashOnNewGame => process::abort(),
            Readiness::SlowNewGame => pause(Duration::from_millis(50)),
            Readiness::ExitBetweenGames if game == 2 => process::exit(4),
            Readiness::CloseErrors => close_errors(),
            _ => {}
        }
    }
}
