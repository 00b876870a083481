//! Children that outlive the engine. Each has the engine's tag in its command line, so that the tests can see whether
//! it is left.

use std::env;
use std::io;
use std::process::{Command, Stdio};

use crate::deeds;

/// The first argument of a child.
pub const CHILD: &str = "child";

/// The first argument of a child that leaves the group.
pub const STRAY: &str = "stray";

/// Starts a child that keeps our output and error output open.
pub fn with_our_output() -> io::Result<()> {
    command(CHILD)?.spawn().map(drop)
}

/// Starts a child that stays in our process group.
pub fn in_our_group() -> io::Result<()> {
    command(CHILD)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

/// Starts a child that goes into a session of its own, where no signal to our group reaches it.
pub fn in_a_session_of_its_own() -> io::Result<()> {
    command(STRAY)?.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
}

fn command(kind: &str) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(kind).args(env::args().nth(2)).stdin(Stdio::null());
    Ok(command)
}

/// What the child does.
pub fn live(kind: &str) {
    if kind == STRAY {
        let _ = rustix::process::setsid();
    }
    deeds::stay();
}
