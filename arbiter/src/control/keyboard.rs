//! Commands that are typed at the terminal a run is shown in.
//!
//! Only a terminal is listened to: jobs of CI have no input, and a shell loop that starts runs reads its own list from
//! there. A program that wants to control a run uses the socket.

use std::io::{self, BufRead, IsTerminal};
use std::thread;

use super::desk::Desk;
use crate::progress::Speaker;
use runner::ControlCommand;

/// Answers what is typed, from a thread of its own, as long as the terminal is there. The end of the input, Ctrl-D,
/// changes nothing but that nothing more can be typed.
///
/// # Errors
/// The system has no room for the thread.
pub fn listen(desk: Desk, speaker: Speaker) -> io::Result<()> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(());
    }
    thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
        let mut line = String::new();
        while wait_for_our_turn().is_ok() {
            line.clear();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    let typed = line.trim_end_matches(['\r', '\n']);
                    let is_empty = typed.trim().is_empty();
                    let answer = if is_empty {
                        ControlCommand::HELP.to_owned()
                    } else {
                        desk.answer_in(typed, speaker.width())
                    };
                    speaker.reply(typed, &answer);
                }
            }
        }
    })?;
    Ok(())
}

/// Waits until somebody has typed and means us. In the background of a shell, reading from the terminal would stop the
/// whole process (SIGTTIN), and the games with it.
#[cfg(unix)]
fn wait_for_our_turn() -> io::Result<()> {
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use rustix::process::getpgrp;
    use rustix::termios::tcgetpgrp;

    /// How soon commands are read again after the run came back to the foreground.
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

/// Without job control, whoever can type means us.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn wait_for_our_turn() -> io::Result<()> {
    Ok(())
}
