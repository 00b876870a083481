//! The connection to a run in progress: a Unix domain socket in its folder. On Windows it is a local port; a file in the
//! folder has its number and a random word that clients must send.
//!
//! A client sends one command a line. The answer is one or more lines and an empty line; then the next command is read.
//! After `watch` the client only receives, see [`send`]. No client can disturb the run: the length of a line, the number of
//! clients, the timeouts and the answers per second are limited.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::runtime::Builder;
use tokio::time::{timeout, timeout_at};

use super::control_handler::ControlHandler;
use super::{REFUSAL, SOCKET_FILE, WATCH};
use runner::process::schedule_as_batch;
use runner::{LivePosition, LiveWatch};
use system::{Listener, Stream};

const LINE_CAP: u64 = 1024;

const MAX_CLIENTS: usize = 16;

const IDLE_TIMEOUT: Duration = Duration::from_mins(5);

const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The pause after every answer. With [`MAX_CLIENTS`] it limits the answers to 800 a second.
const ANSWER_PAUSE: Duration = Duration::from_millis(20);

const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The socket of a run. Dropping it removes the socket; connected clients are answered while the program runs.
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
}

impl ControlSocket {
    /// Creates the socket in the folder of a run, for this user only. The socket of a killed run is replaced.
    pub fn open(folder: &Path, handler: ControlHandler) -> Result<ControlSocket> {
        let path = folder.join(SOCKET_FILE);
        remove_stale(&path)?;
        let (listener, word) = system::bind(&path).with_context(|| path.display().to_string())?;
        let socket = ControlSocket { path };
        let named = thread::Builder::new().name("control".to_owned());
        named
            .spawn(move || serve(&listener, word.as_deref(), &handler))
            .context("cannot start the thread of the control socket")?;
        Ok(socket)
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // The user may have removed the folder.
        let _ = fs::remove_file(&self.path);
    }
}

/// On Windows another program may now have the port of a killed run; the lock of the journal shows that nobody plays it.
fn remove_stale(path: &Path) -> Result<()> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    if !system::is_ours(path).unwrap_or(false) {
        bail!("{}: expected a socket or nothing, found another file", path.display());
    }
    if cfg!(unix) && system::connect(path).is_ok() {
        bail!("{}: another process is playing this run", path.display());
    }
    fs::remove_file(path).with_context(|| path.display().to_string())
}

/// The connection to a run; `None` if it is not running.
pub(super) fn connect(folder: &Path) -> io::Result<Option<Stream>> {
    match system::connect(&folder.join(SOCKET_FILE)) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) => match error.kind() {
            io::ErrorKind::PermissionDenied => {
                let problem = "the run is another user's, who alone may give it orders";
                Err(io::Error::new(error.kind(), problem))
            }
            // The path of a socket is short.
            io::ErrorKind::InvalidInput => {
                let problem = "the path is too long for a socket; only Ctrl-C stops a run in this folder";
                Err(io::Error::new(io::ErrorKind::InvalidFilename, problem))
            }
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::InvalidData => Ok(None),
            _ => Err(error),
        },
    }
}

#[cfg(unix)]
mod system {
    use std::fs::{self, Permissions};
    use std::io;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::path::Path;

    pub(super) use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

    /// The socket's name until it has its permissions. It is no longer than the final name, since socket paths are limited.
    const NEW_FILE: &str = "control.new";

    /// The listener. Only its owner can open its file, so a client need not identify itself.
    pub(super) fn bind(path: &Path) -> io::Result<(Listener, Option<String>)> {
        let new = path.with_file_name(NEW_FILE);
        // A run may have been killed at this point and have left the file.
        let _ = fs::remove_file(&new);
        let listener = Listener::bind(&new)?;
        let placed =
            fs::set_permissions(&new, Permissions::from_mode(0o600)).and_then(|()| fs::rename(&new, path));
        placed.inspect_err(|_| drop(fs::remove_file(&new)))?;
        Ok((listener, None))
    }

    pub(super) fn connect(path: &Path) -> io::Result<Stream> {
        Stream::connect(path)
    }

    pub(super) fn is_ours(path: &Path) -> io::Result<bool> {
        Ok(fs::symlink_metadata(path)?.file_type().is_socket())
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs;
    use std::io::{self, Write};
    use std::net::Ipv4Addr;
    pub(super) use std::net::{TcpListener as Listener, TcpStream as Stream};
    use std::path::Path;

    /// The listener, and the word that a client must send as its first line.
    pub(super) fn bind(path: &Path) -> io::Result<(Listener, Option<String>)> {
        let listener = Listener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let word = format!("{:032x}", rand::random::<u128>());
        fs::write(path, format!("{} {word}\n", listener.local_addr()?.port()))?;
        Ok((listener, Some(word)))
    }

    pub(super) fn connect(path: &Path) -> io::Result<Stream> {
        let (port, word) = read(path)?;
        let mut stream = Stream::connect((Ipv4Addr::LOCALHOST, port))?;
        writeln!(stream, "{word}")?;
        Ok(stream)
    }

    pub(super) fn is_ours(path: &Path) -> io::Result<bool> {
        Ok(fs::symlink_metadata(path)?.is_file() && read(path).is_ok())
    }

    fn read(path: &Path) -> io::Result<(u16, String)> {
        let text = fs::read_to_string(path)?;
        let parts = text
            .trim_end()
            .split_once(' ')
            .and_then(|(port, word)| Some((port.parse().ok()?, word.to_owned())));
        parts.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "expected a port and a word"))
    }
}

fn serve(listener: &Listener, word: Option<&str>, handler: &ControlHandler) {
    // Each client holds a token; if none is free, the next client is refused.
    let token = Arc::new(());
    for client in listener.incoming() {
        let Ok(mut client) = client else {
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        if Arc::strong_count(&token) > MAX_CLIENTS {
            let _ = client.set_write_timeout(Some(WRITE_TIMEOUT));
            let _ = write!(client, "{REFUSAL}expected at most {MAX_CLIENTS} clients at the same time\n\n");
            continue;
        }
        let (handler, word, token) = (handler.clone(), word.map(str::to_owned), Arc::clone(&token));
        let named = thread::Builder::new().name("control client".to_owned());
        // If no thread can be started, the client is disconnected.
        let _ = named.spawn(move || {
            // Errors of a client do not affect the run.
            let _ = serve_client(&client, word.as_deref(), &handler);
            drop(token);
        });
    }
}

fn serve_client(client: &Stream, word: Option<&str>, handler: &ControlHandler) -> io::Result<()> {
    client.set_read_timeout(Some(IDLE_TIMEOUT))?;
    client.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let mut reader = BufReader::new(client);
    let mut writer = client;
    let mut line = Vec::new();
    if let Some(word) = word {
        reader.by_ref().take(LINE_CAP).read_until(b'\n', &mut line)?;
        if line.trim_ascii() != word.as_bytes() {
            return Ok(());
        }
    }
    loop {
        line.clear();
        reader.by_ref().take(LINE_CAP).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let is_cut = line.len() as u64 == LINE_CAP && !line.ends_with(b"\n");
        if is_cut {
            return write!(writer, "{REFUSAL}expected a line of at most {LINE_CAP} bytes\n\n");
        }
        if line.trim_ascii() == WATCH.as_bytes() {
            return send(writer, handler.watch());
        }
        write!(writer, "{}\n\n", handler.answer(&String::from_utf8_lossy(&line)))?;
        thread::sleep(ANSWER_PAUSE);
    }
}

const INTERVAL: Duration = Duration::from_millis(100);

pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Sends positions until the run ends or the client disconnects; sends nothing without a `watch`.
fn send(mut client: impl Write, watch: Option<LiveWatch>) -> io::Result<()> {
    let Some(mut watch) = watch else { return Ok(()) };
    schedule_as_batch();
    let runtime = Builder::new_current_thread().enable_time().build()?;
    // Confirms the connection to the client.
    client.write_all(b"\n")?;
    loop {
        let Some(latest) = runtime.block_on(gather(&mut watch)) else { return Ok(()) };
        let mut text = if latest.is_empty() { "\n".to_owned() } else { String::new() };
        for position in latest.values() {
            text += &serde_json::to_string(&**position)?;
            text.push('\n');
        }
        client.write_all(text.as_bytes())?;
    }
}

/// The latest position of each game that has news, of none if it is time for a heartbeat; `None` when the run is over.
async fn gather(watch: &mut LiveWatch) -> Option<BTreeMap<u32, Arc<LivePosition>>> {
    let Ok(first) = timeout(HEARTBEAT, watch.next()).await else { return Some(BTreeMap::new()) };
    let first = first?;
    let until = Instant::now() + INTERVAL;
    let mut latest = BTreeMap::from([(first.game, first)]);
    while let Ok(Some(position)) = timeout_at(until.into(), watch.next()).await {
        latest.insert(position.game, position);
    }
    Some(latest)
}
