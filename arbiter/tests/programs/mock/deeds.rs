//! What several modes do, each at its own moment, and children that outlive the engine: each has the engine's tag in its
//! command line, so that the tests can see whether it lives.

use std::env;
use std::fs::File;
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
    for _ in 0..lines {
        eprintln!("everything is wrong, as always, and somebody should hear about it at length");
    }
}

/// Closes the output and stays.
pub fn close_output() {
    let _ = File::create("/dev/null").map(rustix::stdio::dup2_stdout);
    stay();
}

pub fn close_input() {
    let _ = File::open("/dev/null").map(rustix::stdio::dup2_stdin);
}

/// Closes the error output.
pub fn close_errors() {
    let _ = File::create("/dev/null").map(rustix::stdio::dup2_stderr);
}

/// Ends by a signal of its own making.
pub fn kill_oneself(signal: rustix::process::Signal) {
    let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
}

/// Stops, as Ctrl-Z does.
pub fn stop_oneself() {
    kill_oneself(rustix::process::Signal::STOP);
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
    if kind == STRAY {
        let _ = rustix::process::setsid();
    }
    stay();
}
