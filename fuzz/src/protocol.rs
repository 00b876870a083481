//! The UCI protocol: single lines, and whole sessions from both sides.

use std::env;
use std::io::{BufReader, sink};
use std::path::PathBuf;
use std::time::Duration;

use runner::process::{ClockKind, EngineError, EngineProcess};
use runner::{EngineConfig, SearchTask};
use tarrasch::Tarrasch;
use tokio::runtime::Builder;
use uci::server::serve;
use uci::{Command, Message, ParseError};

use super::scratch_file;

/// A line from a GUI to an engine.
///
/// A command is written so that it reads as the same command.
pub fn uci_command(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(mut command) = line.parse::<Command>() {
        if let Command::Go(go) = &mut command {
            // What cannot be read is not written.
            go.ignored.clear();
        }
        let written = command.to_string();
        assert_eq!(written.parse::<Command>().as_ref(), Ok(&command), "{written:?}");
    }
}

/// A line from an engine to a GUI.
///
/// A message is written so that it reads as the same message.
pub fn uci_message(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(mut message) = line.parse::<Message>() {
        if let Message::Info(info) = &mut message {
            // What cannot be read is not written.
            info.unread = None;
        }
        let written = message.to_string();
        assert_eq!(written.parse::<Message>().as_ref(), Ok(&message), "{written:?}");
    }
}

/// The deepest search and the most lines, so that an input takes milliseconds.
const DEPTH: u32 = 3;
const LINES: usize = 40;

/// Lines of a GUI through a whole session with Tarrasch.
///
/// The session ends when its input does.
pub fn uci_session(bytes: &[u8]) {
    let mut input = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').take(LINES) {
        let text = String::from_utf8_lossy(line);
        match text.parse::<Command>() {
            Ok(Command::Go(mut go)) => {
                go.perft = None;
                go.depth = Some(go.depth.unwrap_or(DEPTH).min(DEPTH));
                input.extend(format!("{}\n", Command::Go(go)).bytes());
            }
            Ok(Command::SetOption { name, .. }) if is_costly(&name) => {}
            Ok(Command::Bench(_)) => {}
            Err(ParseError::Unknown(word)) if word == "genfens" => {}
            _ => input.extend(line.iter().chain(b"\n")),
        }
    }
    let engine = Tarrasch::new().expect("memory");
    serve(engine, BufReader::new(&input[..]), sink()).expect("memory does not fail");
}

/// An option whose value is memory, threads, or a path.
fn is_costly(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["hash", "threads", "path", "file", "book"].iter().any(|word| name.contains(word))
}

const TIMEOUT: Duration = Duration::from_millis(40);

/// The output of an engine in a whole session, through the pipes of a real process.
///
/// The process is the example `playback` of the harness: at each line that it gets it says the next part of the input.
/// It is looked for where cargo puts examples, or at `ARBITER_PLAYBACK`.
///
/// The session ends by itself, whatever the engine says, and a move that is taken from it looks like one.
pub fn engine_session(bytes: &[u8]) {
    let (_folder, script) = scratch_file("script", bytes);
    let engine = EngineConfig {
        name: "playback".to_owned(),
        program: playback(),
        args: vec![script.display().to_string()],
        ..EngineConfig::default()
    };
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut engine =
            EngineProcess::start(&engine, ClockKind::Wall).expect("the example playback is built");
        engine.keep_lines(&["score".to_owned()]);
        // Whoever fails is asked no more, as in a match.
        let _ = converse(&mut engine).await;
        let _ = engine.protocol_log();
        let _ = engine.complaints();
        engine.end().await;
    });
}

async fn converse(engine: &mut EngineProcess) -> Result<(), EngineError> {
    engine.handshake(TIMEOUT).await?;
    let options = engine.introduction().options.clone();
    for option in options.iter().take(3) {
        engine.try_option(&option.name, Some("1"), TIMEOUT).await.or_else(still_there)?;
    }
    engine.is_ready(TIMEOUT).await?;
    engine.new_game(TIMEOUT).await?;
    for _ in 0..3 {
        let Ok(answer) =
            engine.search(SearchTask::AsWritten("position startpos\ngo depth 1\n"), TIMEOUT).await
        else {
            return Ok(());
        };
        assert!((4..=5).contains(&answer.best.as_ref().len()), "{answer:?}");
        if engine
            .start_pondering(SearchTask::AsWritten("position startpos\ngo ponder\n"), TIMEOUT)
            .await
            .is_err()
        {
            return Ok(());
        }
        let _ = tokio::time::timeout(Duration::from_millis(1), engine.watch_pondering()).await;
        if engine.ponder_hit(TIMEOUT).await.is_err() {
            return Ok(());
        }
    }
    engine.ask("d\n", TIMEOUT, |_| true).await?;
    Ok(())
}

/// A value that an option does not take is no fault of the session.
fn still_there(error: EngineError) -> Result<(), EngineError> {
    match error {
        EngineError::Setting { .. } => Ok(()),
        other => Err(other),
    }
}

fn playback() -> PathBuf {
    if let Some(path) = env::var_os("ARBITER_PLAYBACK") {
        return path.into();
    }
    let own = env::current_exe().expect("the path of this program");
    let profile = own.parent().and_then(|deps| deps.parent()).expect("a target folder");
    profile.join("examples").join("playback")
}
