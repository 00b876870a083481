//! Requests of users, scripts and browsers to the harness: command lines, orders, moves, pages.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use arbiter::compat::Tournament;
use arbiter::engines::EngineSpec;
use arbiter::live::control::ControlHandler;
use arbiter::live::watch::{JournalSource, LiveFilesArgs, LiveRun, RunFollower, routes};
use arbiter::play::{HumanGame, PlayCommand};
use arbiter::results::{RunState, SharedState};
use arbiter::web::guarded;
use referee::san::san_to_uci;
use referee::{Referee, Side, Variant};
use runner::{ControlCommand, RunConfig, RunControl, SearchLimits, TimeControl};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::scratch_file;

/// An engine, a time control, a seed of numbers: what stands in one word of our own command line.
///
/// A time control is written so that it reads as the same one.
pub fn engine_spec(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(spec) = text.parse::<EngineSpec>() {
        let _ = spec.settings.engine.limits.as_ref().map(SearchLimits::validate);
    }
    if let Ok(control) = text.parse::<TimeControl>() {
        let written = control.to_string();
        assert_eq!(written.parse::<TimeControl>().as_ref(), Ok(&control), "{written}");
    }
}

/// A command line of fastchess, one word a line.
///
/// It is a tournament or an error, and a tournament is a run or an error.
pub fn fastchess(bytes: &[u8]) {
    if let Ok(tournament) = Tournament::of_fastchess(&words(bytes)) {
        let _ = tournament.recorded_run_config();
    }
}

/// The words; none names a file of another program's state, which has a target of its own.
pub fn words(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter(|word| !word.starts_with("file=/dev")).map(str::to_owned).collect()
}

/// A command line of cutechess-cli, one word a line.
///
/// It is a tournament or an error, and a tournament is a run or an error.
pub fn cutechess(bytes: &[u8]) {
    if let Ok(tournament) = Tournament::of_cutechess(&words(bytes)) {
        let _ = tournament.recorded_run_config();
    }
}

/// The lines of a person in the terminal or on the page, against the rules.
///
/// Every line is a command or an error, and a move that is played is legal.
pub fn play_line(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let fen = lines.next().filter(|line| !line.is_empty());
    let Ok(mut game) = HumanGame::new(fen, Side::White, None) else { return };
    let start = Referee::from_start(fen, Variant::Standard).expect("the game took it");
    let mut shadow = vec![start];
    for line in lines.take(200) {
        match line.parse() {
            Ok(PlayCommand::Move(typed)) => {
                let referee = shadow.last().expect("the start");
                let uci = san_to_uci(referee, &typed).unwrap_or(typed);
                if game.play(&uci, Duration::from_millis(1)).is_ok() {
                    let mut next = referee.clone();
                    next.play(&uci).expect("a move that was played is legal");
                    shadow.push(next);
                }
            }
            Ok(PlayCommand::Undo) => {
                let taken_back = game.undo();
                shadow.truncate(shadow.len() - taken_back);
            }
            Ok(PlayCommand::Resign) => game.resign(),
            _ => {}
        }
        assert_eq!(game.moves().len() + 1, shadow.len());
    }
}

const CONFIG: &str = "games = 100\n[limits]\nnodes = 5\n[book]\npath = 'x.epd'\n\
                      [[engine]]\nname = 'a'\nprogram = 'a'\n[[engine]]\nname = 'b'\nprogram = 'b'\n";

/// Lines to the control socket, one request each, in a run of two engines.
///
/// Every line gets an answer without an empty line, which would end it, and no order asks for more games than allowed.
pub fn control(bytes: &[u8]) {
    let config: RunConfig = toml::from_str(CONFIG).expect("a configuration");
    let control = RunControl::new(2);
    let state = SharedState::new(RunState::new(config.clone()));
    let handler = ControlHandler::new(control.clone(), state, Path::new("run"));
    for line in bytes.split(|byte| *byte == b'\n').take(50) {
        let line = String::from_utf8_lossy(line);
        if let Ok(command) = line.parse::<ControlCommand>() {
            assert_eq!(command.to_string().parse(), Ok(command));
        }
        let answer = handler.answer(&line);
        assert!(!answer.is_empty() && answer.lines().all(|line| !line.is_empty()), "{line:?}: {answer:?}");
        assert!((1..=ControlCommand::MAX_CONCURRENCY).contains(&control.pace().concurrency));
    }
}

/// The run that the page shows: two engines, no game yet.
const JOURNAL: &str = concat!(
    r#"{"event":"run_started","config":{"games":2,"book":{"path":"x"},"engine":[{"name":"a","program":"a"},"#,
    r#"{"name":"b","program":"b"}]},"games":2,"at":"2026-01-01T00:00:00Z"}"#,
    "\n"
);

/// The port in the requests of the corpus, which is replaced by the listener's.
const WRITTEN_PORT: &[u8] = b":8080";

/// The timeout of an answer to anything; a part of a request has none.
const GLANCE: Duration = Duration::from_millis(20);

/// The timeout of an answer to a good request, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request to the server of a page, byte by byte as it comes from the network.
///
/// Whatever was sent, the server still answers the next one; and a page of another site gets nothing.
pub fn http(bytes: &[u8]) {
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

fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (folder, _) = scratch_file("events.jsonl", JOURNAL.as_bytes());
        let mut journal = JournalSource::open(folder.path()).expect("a journal");
        let run = LiveRun::begin(folder.path(), &mut journal).expect("a run");
        let follower = RunFollower::begin(run, journal, LiveFilesArgs::default()).expect("threads");
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
