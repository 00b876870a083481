//! What several modes do, each at its own moment, and children that outlive the engine: each has the engine's tag in its
//! command line, so that the tests can see whether it lives.

#![expect(clippy::unnecessary_wraps, reason = "every deed of the table has the same shape")]

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::Engine;

/// Whether the engine goes on as a good one would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Normal,
    Handled,
}

use Outcome::{Handled, Normal};

pub type Done = io::Result<Outcome>;

/// Does nothing for so many milliseconds.
pub fn pause(time: u64) -> Done {
    thread::sleep(Duration::from_millis(time));
    Ok(Normal)
}

/// Does nothing for longer than any test waits.
pub fn stay() -> Done {
    thread::sleep(Duration::from_mins(10));
    Ok(Handled)
}

/// Sends `info` until the pipe breaks.
pub fn flood(engine: &mut Engine) -> Done {
    loop {
        writeln!(engine.out, "info depth 1 score cp 1 nodes 1")?;
    }
}

/// Sends a line without an end until the pipe breaks.
pub fn never_end_the_line(engine: &mut Engine) -> Done {
    loop {
        engine.out.write_all(&[b'x'; 4096])?;
    }
}

/// Fills the error output with so many lines.
pub fn complain(lines: usize) -> Done {
    let line = "everything is wrong, as always, and somebody should hear about it at length\n";
    eprint!("{}", line.repeat(lines));
    Ok(Normal)
}

pub fn close_input() {
    system::close_input();
}

/// Closes the output and stays.
pub fn close_output() -> Done {
    system::close_output();
    stay()
}

pub fn close_errors() -> Done {
    system::close_errors();
    Ok(Normal)
}

pub fn die_of_bad_access() -> Done {
    system::die_of_bad_access();
    Ok(Normal)
}

/// Stops, as Ctrl-Z or a debugger does.
pub fn stop_oneself() -> Done {
    system::stop_oneself();
    Ok(Normal)
}

/// So much CPU time is burnt; by the time of day it may take much longer.
const BURNT: Duration = Duration::from_millis(400);

/// Uses up CPU time, however long that takes on a busy machine.
pub fn burn() -> Done {
    let mut number = 1_u64;
    while cpu_time() < BURNT {
        for _ in 0..100_000 {
            number = std::hint::black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
        }
    }
    Ok(Normal)
}

/// The CPU time of the only thread so far, from the kernel's statistics in nanoseconds.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Without such statistics there is nothing to test, and nothing is burnt.
    let used = text.split_whitespace().next().and_then(|field| field.parse().ok());
    used.map_or(BURNT, Duration::from_nanos)
}

/// Works for 300 ms of the clock on the wall, which it asks the kernel for, whatever shows this process another time.
pub fn watch_wall() -> Done {
    #[cfg(target_os = "linux")]
    {
        let now = || {
            let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
            Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
        };
        let end = now() + Duration::from_millis(300);
        while now() < end {}
    }
    Ok(Normal)
}

/// Stops the process that started this one, and lets it go on after 3.3 seconds.
pub fn stop_runner() -> Done {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getppid, kill_process};
        let signal = |signal| getppid().map(|runner| kill_process(runner, signal));
        let _ = signal(Signal::STOP);
        pause(3300)?;
        let _ = signal(Signal::CONT);
    }
    Ok(Normal)
}

pub use system::ignore_signals;

#[cfg(unix)]
mod system {
    use std::env;
    use std::fs::File;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use rustix::process::{Signal, getpid, kill_process};
    use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

    use super::Done;

    /// Does not hear the signals that ask a program to end. A shell ignores them for us: what it starts in its place
    /// inherits that.
    pub fn ignore_signals() -> Done {
        let script = "trap '' HUP INT QUIT TERM; exec \"$0\" ignores-quit \"$@\"";
        let mut shell = Command::new("sh");
        Err(shell.args(["-c", script]).arg(env::current_exe()?).args(env::args().nth(2)).exec())
    }

    pub fn close_input() {
        let _ = File::open("/dev/null").map(dup2_stdin);
    }

    pub fn close_output() {
        let _ = File::create("/dev/null").map(dup2_stdout);
    }

    pub fn close_errors() {
        let _ = File::create("/dev/null").map(dup2_stderr);
    }

    pub fn die_of_bad_access() {
        let _ = kill_process(getpid(), Signal::SEGV);
    }

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

    use super::{Done, Normal};

    /// No signal reaches an engine.
    pub fn ignore_signals() -> Done {
        Ok(Normal)
    }

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

    pub fn die_of_bad_access() {
        std::process::exit(STATUS_ACCESS_VIOLATION);
    }

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
pub fn child_with_our_output() -> Done {
    child_command(CHILD)?.spawn().map(|_| Normal)
}

/// Starts a child that stays in our process group.
pub fn child_in_our_group() -> Done {
    child_command(CHILD)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(|_| Normal)
}

/// Starts a child that goes into a session of its own, where no signal to our group reaches it.
pub fn child_in_a_session_of_its_own() -> Done {
    child_command(STRAY)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(|_| Normal)
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
    let _ = stay();
}
