//! Commands to a running match from another process.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use runner::{ControlCommand, LivePosition};

/// Sends a command to the run of a folder and returns its answer; `None` if the run is not running.
///
/// # Errors
/// The run does not answer.
#[cfg(unix)]
pub fn ask(folder: &Path, command: ControlCommand) -> io::Result<Option<String>> {
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    /// A run answers quickly, even on a busy machine.
    const TIMEOUT: Duration = Duration::from_secs(10);

    let Ok(mut stream) = UnixStream::connect(folder.join(super::SOCKET_FILE)) else { return Ok(None) };
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    writeln!(stream, "{command}")?;
    let mut answer = Vec::new();
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if line.is_empty() {
            return Ok(Some(answer.join("\n")));
        }
        answer.push(line);
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the run ended before it answered"))
}

/// Without Unix domain sockets, no run can be reached.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn ask(_folder: &Path, _command: ControlCommand) -> io::Result<Option<String>> {
    Ok(None)
}

/// Receives the positions of a run's games, until `visit` breaks or the run is over; `None` is a heartbeat without news.
/// Returns whether the run is running.
///
/// # Errors
/// The run sends no heartbeat, or a line that is not a position.
#[cfg(unix)]
pub fn watch(
    folder: &Path,
    mut visit: impl FnMut(Option<LivePosition>) -> ControlFlow<()>,
) -> io::Result<bool> {
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;

    use super::live_stream::HEARTBEAT;

    let Ok(mut stream) = UnixStream::connect(folder.join(super::SOCKET_FILE)) else { return Ok(false) };
    // The run sends at least a heartbeat.
    stream.set_read_timeout(Some(3 * HEARTBEAT))?;
    writeln!(stream, "{}", super::WATCH)?;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        let position = if line.is_empty() { None } else { Some(serde_json::from_str(&line)?) };
        if visit(position).is_break() {
            break;
        }
    }
    Ok(true)
}

/// Without Unix domain sockets, no run can be watched.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn watch(
    _folder: &Path,
    _visit: impl FnMut(Option<LivePosition>) -> ControlFlow<()>,
) -> io::Result<bool> {
    Ok(false)
}
