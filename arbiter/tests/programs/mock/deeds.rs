//! What several modes do, each at its own moment.

use std::fs::File;
use std::io::{self, Write};
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
