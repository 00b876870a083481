//! A request to the server of a page, byte by byte as it comes from the network.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use arbiter::live::watch::{JournalSource, LiveRun, RunFollower, routes};
use arbiter::web::guarded;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// The run that the page shows: two engines, no game yet.
const JOURNAL: &str = concat!(
    r#"{"event":"run_started","config":{"games":2,"book":{"path":"x"},"engine":[{"name":"a","program":"a"},"#,
    r#"{"name":"b","program":"b"}]},"games":2,"at":"2026-01-01T00:00:00Z"}"#,
    "\n"
);

/// The port that requests are written for; that of the listener is put in its place.
const WRITTEN_PORT: &[u8] = b":8080";

/// How long an answer to anything is waited for; a part of a request has none.
const GLANCE: Duration = Duration::from_millis(20);

/// How long the server may take for a request that is as it should be, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whatever was sent, the server still answers the next one; and a page of another site gets nothing.
pub fn run(bytes: &[u8]) {
    let address = server();
    let port = format!(":{}", address.port());
    let mut stream = send(address, &replaced(bytes, WRITTEN_PORT, port.as_bytes()));
    let _ = stream.shutdown(Shutdown::Write);
    let answer = start_of_answer(&mut stream, GLANCE);
    if answer.is_ok_and(|start| start.starts_with(b"HTTP/1.1 200")) {
        let lower = bytes.to_ascii_lowercase();
        assert!(!contains(&lower, b"origin: http://evil"), "{}", String::from_utf8_lossy(bytes));
    }
    let good = format!("GET / HTTP/1.1\r\nHost: localhost{port}\r\nConnection: close\r\n\r\n");
    let mut stream = send(address, good.as_bytes());
    let answer = start_of_answer(&mut stream, PATIENCE);
    assert!(
        matches!(&answer, Ok(start) if start.starts_with(b"HTTP/1.1 200")),
        "the server is gone: {answer:?}"
    );
}

fn send(address: SocketAddr, request: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    // It may hang up before all is written.
    let _ = stream.write_all(request);
    stream
}

fn start_of_answer(stream: &mut TcpStream, patience: Duration) -> io::Result<Vec<u8>> {
    stream.set_read_timeout(Some(patience))?;
    let mut answer = vec![0; 64];
    let length = loop {
        match stream.read(&mut answer) {
            // libFuzzer has an alarm, which interrupts whatever is waited for.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            length => break length?,
        }
    };
    answer.truncate(length);
    Ok(answer)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn replaced(text: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    match text.windows(part.len()).position(|window| window == part) {
        Some(at) => [&text[..at], by, &text[at + part.len()..]].concat(),
        None => text.to_vec(),
    }
}

/// The server of this process.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (folder, _) = super::scratch::file("events.jsonl", JOURNAL.as_bytes());
        let mut journal = JournalSource::open(folder.path()).expect("a journal");
        let run = LiveRun::begin(folder.path(), &mut journal).expect("a run");
        let follower = RunFollower::begin(run, journal).expect("threads");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            let _folder = folder;
            let routes = guarded(routes(follower), address.port());
            runtime.block_on(axum::serve(listener, routes).into_future())
        });
        address
    })
}
