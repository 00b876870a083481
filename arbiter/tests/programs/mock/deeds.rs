//! What several modes do, each at its own moment, and children that outlive the engine: each has the engine's tag in its
//! command line, so that the tests can see whether it lives.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Whether the engine goes on as a good one would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Normal,
    Handled,
}

/// Does nothing for a while.
pub fn pause(time: Duration) {
    thread::sleep(time);
}

/// Does nothing for longer than any test waits.
pub fn stay() {
    pause(Duration::from_mins(10));
}

/// Sends `info` until the pipe breaks.
pub fn flood(out: &mut impl Write) -> io::Result<Outcome> {
    loop {
        writeln!(out, "info depth 1 score cp 1 nodes 1")?;
    }
}

/// Sends a line without an end until the pipe breaks.
pub fn never_end_the_line(out: &mut impl Write) -> io::Result<Outcome> {
    loop {
        out.write_all(&[b'x'; 4096])?;
    }
}

/// Fills the error output with so many lines.
pub fn complain(lines: usize) {
    let line = "everything is wrong, as always, and somebody should hear about it at length\n";
    eprint!("{}", line.repeat(lines));
}

/// Closes the output and stays.
pub fn close_output() {
    system::close_output();
    stay();
}

pub use system::{close_errors, close_input, die_of_bad_access, stop_oneself};

#[cfg(unix)]
mod system {
    use std::fs::File;

    use rustix::process::{Signal, getpid, kill_process};
    use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

    pub fn close_input() {
        let _ = File::open("/dev/null").map(dup2_stdin);
    }

    pub fn close_output() {
        let _ = File::create("/dev/null").map(dup2_stdout);
    }

    pub fn close_errors() {
        let _ = File::create("/dev/null").map(dup2_stderr);
    }

    /// Ends as by a bad memory access.
    pub fn die_of_bad_access() {
        let _ = kill_process(getpid(), Signal::SEGV);
    }

    /// Stops, as Ctrl-Z does.
    pub fn stop_oneself() {
        let _ = kill_process(getpid(), Signal::STOP);
    }
}

#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "std neither closes a standard handle nor suspends a thread")]

    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

    use windows_sys::Win32::Foundation::STATUS_ACCESS_VIOLATION;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, SuspendThread};

    pub fn close_input() {
        close(&io::stdin());
    }

    pub fn close_output() {
        close(&io::stdout());
    }

    pub fn close_errors() {
        close(&io::stderr());
    }

    fn close(stream: &impl AsRawHandle) {
        // SAFETY: the handle is open, and std takes a standard handle that is not for one that swallows everything.
        drop(unsafe { OwnedHandle::from_raw_handle(stream.as_raw_handle()) });
    }

    /// Ends as by a bad memory access.
    pub fn die_of_bad_access() {
        std::process::exit(STATUS_ACCESS_VIOLATION);
    }

    /// Stops the only thread, as a debugger does.
    pub fn stop_oneself() {
        // SAFETY: the handle is this thread's own.
        unsafe { SuspendThread(GetCurrentThread()) };
    }
}

/// The first argument of a child.
pub const CHILD: &str = "child";

/// The first argument of a child that leaves the group.
pub const STRAY: &str = "stray";

/// Starts a child that keeps our output and error output open.
pub fn child_with_our_output() -> io::Result<()> {
    child_command(CHILD)?.spawn().map(drop)
}

/// Starts a child that stays in our process group.
pub fn child_in_our_group() -> io::Result<()> {
    child_command(CHILD)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Starts a child that goes into a session of its own, where no signal to our group reaches it.
pub fn child_in_a_session_of_its_own() -> io::Result<()> {
    child_command(STRAY)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

fn child_command(kind: &str) -> io::Result<Command> {
    let mut child = Command::new(env::current_exe()?);
    child.arg(kind).args(env::args().nth(2)).stdin(Stdio::null());
    Ok(child)
}

/// What the child does.
pub fn live_as_child(kind: &str) {
    #[cfg(unix)]
    if kind == STRAY {
        let _ = rustix::process::setsid();
    }
    // A job object has no such way out.
    #[cfg(windows)]
    let _ = kind;
    stay();
}
