//! Lines of a GUI through a whole session with Tarrasch.

use std::io::{BufReader, sink};

use tarrasch::Tarrasch;
use uci::Command;
use uci::server::serve;

/// The deepest search and the most lines, so that an input takes milliseconds.
const DEPTH: u32 = 3;
const LINES: usize = 40;

/// The session ends when its input does.
pub fn run(bytes: &[u8]) {
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
            Ok(Command::Bench(_) | Command::Genfens(_)) => {}
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
