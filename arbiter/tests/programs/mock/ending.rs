//! What goes wrong when the engine is sent away.

use std::os::unix::process::CommandExt;
use std::process::{self, Command};
use std::time::Duration;
use std::{env, io};

use crate::deeds::{self, Outcome, pause};
use crate::modes::modes;

modes! {
    /// The modes of leaving.
    Ending {
        /// Stays when told to quit, and when its input is closed.
        IgnoresQuit = "ignores-quit",
        /// Stays like that, and does not hear the signals that ask a program to end.
        IgnoresSignals = "ignores-signals",
        /// Takes a while to quit.
        SlowQuit = "slow-quit",
        /// Aborts when told to quit.
        CrashOnQuit = "crash-on-quit",
        /// Stops itself when told to quit.
        StopOnQuit = "stop-on-quit",
    }
}

impl Ending {
    /// What happens before the first line is read.
    pub fn start(self) -> io::Result<()> {
        if self != Ending::IgnoresSignals {
            return Ok(());
        }
        // A shell ignores them for us: what it starts in its place inherits that.
        let program = env::current_exe()?;
        let script = "trap '' HUP INT QUIT TERM; exec \"$0\" ignores-quit \"$@\"";
        Err(Command::new("sh").args(["-c", script]).arg(program).args(env::args().nth(2)).exec())
    }

    /// What happens on `quit`.
    pub fn quit(self) -> Outcome {
        match self {
            Ending::IgnoresQuit | Ending::IgnoresSignals => return Outcome::Handled,
            Ending::SlowQuit => pause(Duration::from_millis(100)),
            Ending::CrashOnQuit => process::abort(),
            Ending::StopOnQuit => deeds::stop_oneself(),
        }
        Outcome::Normal
    }

    /// What happens when the input is closed.
    pub fn when_abandoned(self) {
        if matches!(self, Ending::IgnoresQuit | Ending::IgnoresSignals) {
            deeds::stay();
        }
    }
}
