//! Actions that several modes share, and children that outlive the engine. A child has the engine's tag in its command
//! line, so that tests can see whether it lives.

#![expect(clippy::unnecessary_wraps, reason = "every deed of the table has the same shape")]

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::Engine;

/// Whether the engine continues as a good one would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Normal,
    Handled,
}

use Outcome::{Handled, Normal};

pub type Done = io::Result<Outcome>;

/// Sleeps for this many milliseconds.
pub fn pause(time: u64) -> Done {
    thread::sleep(Duration::from_millis(time));
    Ok(Normal)
}

/// Sleeps longer than any test waits.
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

/// Sends an endless line until the pipe breaks.
pub fn never_end_the_line(engine: &mut Engine) -> Done {
    loop {
        engine.out.write_all(&[b'x'; 4096])?;
    }
}

/// Writes this many lines to the error output.
pub fn complain(lines: usize) -> Done {
    let line = "everything is wrong, as always, and somebody should hear about it at length\n";
    eprint!("{}", line.repeat(lines));
    Ok(Normal)
}

/// Closes the output but keeps running.
pub fn close_output() -> Done {
    system::close_output();
    stay()
}

/// The CPU time to burn; the wall-clock time may be much longer.
const BURNT: Duration = Duration::from_millis(400);

/// Burns CPU time, however long that takes on a busy machine.
pub fn burn() -> Done {
    let mut number = 1_u64;
    while cpu_time() < BURNT {
        for _ in 0..100_000 {
            number = std::hint::black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
        }
    }
    Ok(Normal)
}

/// The CPU time of the only thread, from the kernel's statistics in nanoseconds.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Without such statistics nothing can be tested, and nothing is burnt.
    let used = text.split_whitespace().next().and_then(|field| field.parse().ok());
    used.map_or(BURNT, Duration::from_nanos)
}

/// Works for 300 ms of wall-clock time, read from the kernel even if a debugger shows this process another time.
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

pub use system::{close_errors, close_input, die_of_bad_access, ignore_signals, stop_oneself};

#[cfg(unix)]
mod system {
    use std::env;
    use std::fs::File;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use rustix::process::{Signal, getpid, kill_process};
    use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

    use super::{Done, Normal};

    /// Ignores the signals that ask a program to end. A shell sets this up: programs that replace it inherit ignored
    /// signals.
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

    pub fn close_errors() -> Done {
        let _ = File::create("/dev/null").map(dup2_stderr);
        Ok(Normal)
    }

    pub fn die_of_bad_access() -> Done {
        let _ = kill_process(getpid(), Signal::SEGV);
        Ok(Normal)
    }

    /// Stops its own process, as Ctrl-Z or a debugger does.
    pub fn stop_oneself() -> Done {
        let _ = kill_process(getpid(), Signal::STOP);
        Ok(Normal)
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

    /// Signals never reach an engine here.
    pub fn ignore_signals() -> Done {
        Ok(Normal)
    }

    pub fn close_input() {
        close(&io::stdin());
    }

    pub fn close_output() {
        close(&io::stdout());
    }

    pub fn close_errors() -> Done {
        close(&io::stderr());
        Ok(Normal)
    }

    fn close(stream: &impl AsRawHandle) {
        // SAFETY: the handle is open, and std treats a missing standard handle as a sink.
        drop(unsafe { OwnedHandle::from_raw_handle(stream.as_raw_handle()) });
    }

    pub fn die_of_bad_access() -> Done {
        std::process::exit(STATUS_ACCESS_VIOLATION)
    }

    pub fn stop_oneself() -> Done {
        // SAFETY: the handle is this thread's own.
        unsafe { SuspendThread(GetCurrentThread()) };
        Ok(Normal)
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

/// Starts a child in its own session, where no signal to our group reaches it.
pub fn child_in_a_session_of_its_own() -> Done {
    child_command(STRAY)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(|_| Normal)
}

fn child_command(kind: &str) -> io::Result<Command> {
    let mut child = Command::new(env::current_exe()?);
    child.arg(kind).args(env::args().nth(2)).stdin(Stdio::null());
    Ok(child)
}

/// Runs as a child.
pub fn live_as_child(kind: &str) {
    #[cfg(unix)]
    if kind == STRAY {
        let _ = rustix::process::setsid();
    }
    // Children cannot leave a job object this way.
    #[cfg(windows)]
    let _ = kind;
    let _ = stay();
}
