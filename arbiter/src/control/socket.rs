//! The Unix domain socket in the folder of a run.
//!
//! A client writes one command a line. Each is answered by one line or more and an empty line; then the next command is
//! read. After `watch` the client only listens, as [`live_stream`] says. Whatever a client does, the run goes on:
//! lines, clients and waiting times are bounded, and a client that asks without end gets a bounded number of answers a
//! second.

use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::desk::Desk;
use super::{REFUSAL, SOCKET_FILE, WATCH, live_stream};

/// The longest line that is read; every command is far shorter.
const LINE_CAP: u64 = 1024;

/// More clients than this at the same time are turned away.
const MAX_CLIENTS: usize = 16;

/// A client that says nothing for so long is sent away.
const IDLE_PATIENCE: Duration = Duration::from_mins(5);

/// A client that does not read its answer for so long is sent away.
const WRITE_PATIENCE: Duration = Duration::from_secs(2);

/// The rest after every answer. With [`MAX_CLIENTS`] it bounds the answers to 800 a second.
const BREATHER: Duration = Duration::from_millis(20);

/// The rest when the system has no room for another client.
const FULL_HOUSE: Duration = Duration::from_millis(100);

/// Serves the desk of a run to clients. Dropping it removes the socket; clients that are connected are still answered
/// as long as the program lives.
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
}

impl ControlSocket {
    /// Makes the socket in the folder of a run, for this user only. One that a killed run has left is replaced.
    ///
    /// # Errors
    /// Another process serves it, the path is too long for a socket (about 100 bytes), or the file system refuses.
    pub fn open(folder: &Path, desk: Desk) -> Result<ControlSocket> {
        let path = folder.join(SOCKET_FILE);
        remove_stale(&path)?;
        let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
        let socket = ControlSocket { path };
        fs::set_permissions(&socket.path, Permissions::from_mode(0o600))
            .with_context(|| socket.path.display().to_string())?;
        let named = thread::Builder::new().name("control".to_owned());
        named.spawn(move || serve(&listener, &desk)).context("no thread to serve the control socket")?;
        Ok(socket)
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        // Somebody may have removed the folder; that is theirs to know.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes a socket that nobody listens to.
fn remove_stale(path: &Path) -> Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.file_type().is_socket() {
        bail!("{}: expected a socket or nothing, found another file", path.display());
    }
    if UnixStream::connect(path).is_ok() {
        bail!("{}: another process serves this run", path.display());
    }
    fs::remove_file(path).with_context(|| path.display().to_string())
}

fn serve(listener: &UnixListener, desk: &Desk) {
    // Each client holds a token; when all are out, the next client is turned away.
    let token = Arc::new(());
    for client in listener.incoming() {
        let Ok(mut client) = client else {
            thread::sleep(FULL_HOUSE);
            continue;
        };
        if Arc::strong_count(&token) > MAX_CLIENTS {
            let _ = client.set_write_timeout(Some(WRITE_PATIENCE));
            let _ = write!(client, "{REFUSAL}too many clients at the same time\n\n");
            continue;
        }
        let (desk, token) = (desk.clone(), Arc::clone(&token));
        let named = thread::Builder::new().name("control client".to_owned());
        // Without a thread the client is sent away, as when there are too many.
        let _ = named.spawn(move || {
            // A client that went away, or was too slow, is no concern of the run.
            let _ = attend(&client, &desk);
            drop(token);
        });
    }
}

fn attend(client: &UnixStream, desk: &Desk) -> io::Result<()> {
    client.set_read_timeout(Some(IDLE_PATIENCE))?;
    client.set_write_timeout(Some(WRITE_PATIENCE))?;
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
            return write!(writer, "{REFUSAL}the line is longer than {LINE_CAP} bytes\n\n");
        }
        if line.trim_ascii() == WATCH.as_bytes() {
            return live_stream::send(writer, desk.watch());
        }
        write!(writer, "{}\n\n", desk.answer(&String::from_utf8_lossy(&line)))?;
        thread::sleep(BREATHER);
    }
}
