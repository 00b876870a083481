//! What goes wrong from the start of the program to `uciok`, on `isready` and `ucinewgame`, and when the engine is sent away.

use std::io::{self, Write};
use std::process;
use std::time::Duration;

use crate::deeds::{
    Outcome, child_in_a_session_of_its_own, child_in_our_group, close_errors, close_input, close_output,
    complain, flood, never_end_the_line, pause, stay, stop_oneself,
};

/// An enum whose variants go by a name each, in the order of their listing.
macro_rules! modes {
    ($(#[$about:meta])* $kind:ident { $($(#[$what:meta])* $mode:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $($(#[$what])* $mode,)+
        }

        impl $kind {
            /// The names of all modes.
            pub const NAMES: &[&str] = &[$($name),+];

            /// The mode of that name.
            pub fn named(name: &str) -> Option<$kind> {
                match name {
                    $($name => Some($kind::$mode),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use modes;

modes! {
    /// The modes of the introduction.
    Introduction {
        /// Ends with exit code 3 before anything is said.
        ExitAtStart = "exit-at-start",
        /// Takes a while to start.
        SlowStart = "slow-start",
        /// Says who it is before it is asked.
        Banner = "banner",
        /// Fills its error output at the start.
        ComplainsAtStart = "complains-at-start",
        /// Starts a child that stays in its group.
        BringsChild = "brings-child",
        /// Starts a child that leaves its group.
        BringsStray = "brings-stray",
        /// Never answers `uci`.
        NoUciOk = "no-uciok",
        /// Ends when asked `uci`.
        ExitOnUci = "exit-on-uci",
        /// Aborts when asked `uci`.
        CrashOnUci = "crash-on-uci",
        /// Stops itself when asked `uci`.
        StopOnUci = "stop-on-uci",
        /// Closes its output when asked `uci`.
        CloseOutputOnUci = "close-output-on-uci",
        /// Sends `info` for ever when asked `uci`.
        FloodOnUci = "flood-on-uci",
        /// Sends a line that never ends when asked `uci`.
        EndlessLineOnUci = "endless-line-on-uci",
        /// Announces options for ever.
        OptionFlood = "option-flood",
        /// Announces many options.
        ManyOptions = "many-options",
        /// Announces options that are none.
        OddOptions = "odd-options",
        /// Introduces itself with bytes that are no text.
        Binary = "binary-introduction",
    }
}

impl Introduction {
    /// What happens before the first line is read.
    pub fn start(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Introduction::ExitAtStart => process::exit(3),
            Introduction::SlowStart => pause(Duration::from_millis(100)),
            Introduction::Banner => writeln!(out, "Mock, a bad engine\n\nuciok perhaps\nreadyok? not yet")?,
            Introduction::ComplainsAtStart => complain(2000),
            Introduction::BringsChild => child_in_our_group()?,
            Introduction::BringsStray => child_in_a_session_of_its_own()?,
            _ => {}
        }
        out.flush()
    }

    /// What happens on `uci`.
    pub fn introduce(self, out: &mut impl Write) -> io::Result<Outcome> {
        match self {
            Introduction::NoUciOk => {}
            Introduction::ExitOnUci => process::exit(3),
            Introduction::CrashOnUci => process::abort(),
            Introduction::StopOnUci => stop_oneself(),
            Introduction::CloseOutputOnUci => close_output(),
            Introduction::FloodOnUci => return flood(out),
            Introduction::EndlessLineOnUci => return never_end_the_line(out),
            Introduction::OptionFlood => loop {
                out.write_all(OPTION.as_bytes())?;
            },
            Introduction::ManyOptions => {
                out.write_all(OPTION.repeat(5000).as_bytes())?;
                return Ok(Outcome::Normal);
            }
            Introduction::OddOptions => {
                let odd = ["option", "option name", "option name A type", "option name B type spin min x"];
                odd.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                writeln!(out, "option name C type spin default 5 min 9 max 1\nid\nid name\nid author")?;
                return Ok(Outcome::Normal);
            }
            Introduction::Binary => {
                out.write_all(b"\xff\xfe\0 hello \xc3\nid name \xff\0\xfe\n")?;
                return Ok(Outcome::Normal);
            }
            _ => return Ok(Outcome::Normal),
        }
        Ok(Outcome::Handled)
    }
}

const OPTION: &str =
    "option name A rather long name of an option type string default and a long default too\n";

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
        // Elsewhere no signal reaches an engine.
        #[cfg(unix)]
        if self == Ending::IgnoresSignals {
            use std::env;
            use std::os::unix::process::CommandExt;
            // A shell ignores them for us: what it starts in its place inherits that.
            let program = env::current_exe()?;
            let script = "trap '' HUP INT QUIT TERM; exec \"$0\" ignores-quit \"$@\"";
            let mut shell = process::Command::new("sh");
            return Err(shell.args(["-c", script]).arg(program).args(env::args().nth(2)).exec());
        }
        Ok(())
    }

    /// What happens on `quit`.
    pub fn quit(self) -> Outcome {
        match self {
            Ending::IgnoresQuit | Ending::IgnoresSignals => return Outcome::Handled,
            Ending::SlowQuit => pause(Duration::from_millis(100)),
            Ending::CrashOnQuit => process::abort(),
            Ending::StopOnQuit => stop_oneself(),
        }
        Outcome::Normal
    }

    /// What happens when the input is closed.
    pub fn when_abandoned(self) {
        if matches!(self, Ending::IgnoresQuit | Ending::IgnoresSignals) {
            stay();
        }
    }
}
