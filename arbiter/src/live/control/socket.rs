//! The Unix domain socket in the folder of a run.
//!
//! A client sends one command a line. The answer is one line or more and an empty line; then the next command is read.
//! After `watch` the client only receives, see [`send`]. No client can disturb the run: the length of a line, the
//! number of clients, the waiting times and the answers per second are limited.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
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

/// The socket until it has its permissions. Not longer than [`SOCKET_FILE`]: the paths of sockets are limited.
const NEW_SOCKET_FILE: &str = "control.new";

const LINE_CAP: u64 = 1024;

const MAX_CLIENTS: usize = 16;

const IDLE_TIMEOUT: Duration = Duration::from_mins(5);

const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The pause after every answer. With [`MAX_CLIENTS`] it limits the answers to 800 a second.
const ANSWER_PAUSE: Duration = Duration::from_millis(20);

const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The socket of a run. Dropping it removes the socket; connected clients are answered as long as the program runs.
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
}

impl ControlSocket {
    /// Creates the socket in the folder of a run, for this user only. The socket of a killed run is replaced.
    pub fn open(folder: &Path, handler: ControlHandler) -> Result<ControlSocket> {
        let path = folder.join(SOCKET_FILE);
        remove_stale(&path)?;
        let mut socket = ControlSocket { path: folder.join(NEW_SOCKET_FILE) };
        // A run may have been killed just here.
        let _ = fs::remove_file(&socket.path);
        let listener = UnixListener::bind(&socket.path)
            .and_then(|listener| {
                fs::set_permissions(&socket.path, Permissions::from_mode(0o600))?;
                fs::rename(&socket.path, &path)?;
                Ok(listener)
            })
            .with_context(|| path.display().to_string())?;
        socket.path = path;
        let named = thread::Builder::new().name("control".to_owned());
        named
            .spawn(move || serve(&listener, &handler))
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

fn remove_stale(path: &Path) -> Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.file_type().is_socket() {
        bail!("{}: expected a socket or nothing, found another file", path.display());
    }
    if UnixStream::connect(path).is_ok() {
        bail!("{}: another process is playing this run", path.display());
    }
    fs::remove_file(path).with_context(|| path.display().to_string())
}

fn serve(listener: &UnixListener, handler: &ControlHandler) {
    // Each client holds a token; without a free token the next client is refused.
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
        let (handler, token) = (handler.clone(), Arc::clone(&token));
        let named = thread::Builder::new().name("control client".to_owned());
        // Without a thread the client is disconnected.
        let _ = named.spawn(move || {
            // Errors of a client do not concern the run.
            let _ = serve_client(&client, &handler);
            drop(token);
        });
    }
}

fn serve_client(client: &UnixStream, handler: &ControlHandler) -> io::Result<()> {
    client.set_read_timeout(Some(IDLE_TIMEOUT))?;
    client.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let mut reader = BufReader::new(client);
    let mut writer = client;
    let mut line = Vec::new();
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

/// The interval of the heartbeat, which detects clients that have gone.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Sends positions until the run is over or the client disconnects; nothing without a `watch`.
fn send(mut client: impl Write, watch: Option<LiveWatch>) -> io::Result<()> {
    let Some(mut watch) = watch else { return Ok(()) };
    schedule_as_batch();
    let runtime = Builder::new_current_thread().enable_time().build()?;
    // Confirms the connection to the client.
    client.write_all(b"\n")?;
    loop {
        match runtime.block_on(gather(&mut watch)) {
            Gathered::Nothing => client.write_all(b"\n")?,
            Gathered::Over => return Ok(()),
            Gathered::Positions(latest) => {
                let mut text = String::new();
                for position in latest.values() {
                    text += &serde_json::to_string(&**position)?;
                    text.push('\n');
                }
                client.write_all(text.as_bytes())?;
            }
        }
    }
}

enum Gathered {
    Nothing,
    Positions(BTreeMap<u32, Arc<LivePosition>>),
    Over,
}

async fn gather(watch: &mut LiveWatch) -> Gathered {
    let first = match timeout(HEARTBEAT, watch.next()).await {
        Err(_) => return Gathered::Nothing,
        Ok(None) => return Gathered::Over,
        Ok(Some(first)) => first,
    };
    let until = Instant::now() + INTERVAL;
    let mut latest = BTreeMap::from([(first.game, first)]);
    while let Ok(Some(position)) = timeout_at(until.into(), watch.next()).await {
        latest.insert(position.game, position);
    }
    Gathered::Positions(latest)
}
