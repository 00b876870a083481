//! Commands that the user types in the terminal of a run.
//!
//! Only a terminal is read: CI jobs have no input, and a shell loop around `arbiter` may use its input itself. Programs
//! that control a run use the socket.

use std::io::{self, BufRead, IsTerminal};
use std::thread;

use super::control_handler::ControlHandler;
use crate::live::progress::Speaker;
use runner::ControlCommand;

/// Reads and answers commands on a thread of its own, until the end of the input (Ctrl-D). The run continues without
/// it.
pub fn listen(handler: ControlHandler, speaker: Speaker) -> io::Result<()> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(());
    }
    thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut line = String::new();
        while wait_for_input().is_ok() {
            line.clear();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    let typed = line.trim_end_matches(['\r', '\n']);
                    let is_empty = typed.trim().is_empty();
                    let answer = if is_empty {
                        ControlCommand::HELP.to_owned()
                    } else {
                        handler.answer_in(typed, speaker.width())
                    };
                    speaker.reply(typed, &answer);
                }
            }
        }
    })?;
    Ok(())
}

/// Waits for input while this process is in the foreground. In the background, reading from the terminal would stop the
/// process (SIGTTIN), and the games with it.
#[cfg(unix)]
fn wait_for_input() -> io::Result<()> {
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use rustix::process::getpgrp;
    use rustix::termios::tcgetpgrp;

    /// How often to check whether the process is in the foreground again.
    const BACKGROUND_REST: Duration = Duration::from_secs(1);

    let stdin = io::stdin();
    loop {
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], None) {
            Ok(_) if tcgetpgrp(&stdin)? == getpgrp() => return Ok(()),
            Ok(_) => thread::sleep(BACKGROUND_REST),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Without job control, all input is for this process.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn wait_for_input() -> io::Result<()> {
    Ok(())
}
