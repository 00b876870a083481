//! What goes wrong between the start of the program and `uciok`.

use std::io::{self, Write};
use std::process;
use std::time::Duration;

use crate::deeds::{Outcome, close_output, complain, flood, never_end_the_line, pause, stop_oneself};
use crate::modes::modes;
use crate::offspring;

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
            Introduction::BringsChild => offspring::in_our_group()?,
            Introduction::BringsStray => offspring::in_a_session_of_its_own()?,
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
                announce_option(out)?;
            },
            Introduction::ManyOptions => {
                (0..5000).try_for_each(|_| announce_option(out))?;
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

fn announce_option(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "option name A rather long name of an option type string default and a long default too")
}
