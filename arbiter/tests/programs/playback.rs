//! An engine that plays back a file, to test how engine output is read. For each input line it prints the next part of
//! the file, and it exits after the last part.
//!
//! A part ends at a byte 0xff. Unless a line break precedes it, the answer that the protocol requires is added.

use std::fs;
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let file = std::env::args_os().nth(1).unwrap_or_default();
    let script = fs::read(file)?;
    let mut parts = script.split(|byte| *byte == 0xff);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(part) = parts.next().filter(|_| line != "quit") else { return Ok(()) };
        out.write_all(part)?;
        if !part.ends_with(b"\n") {
            out.write_all(answer_to(&line).as_bytes())?;
        }
        out.flush()?;
    }
    Ok(())
}

fn answer_to(line: &str) -> &'static str {
    match line.split_whitespace().next() {
        Some("uci") => "\nuciok\n",
        Some("isready") => "\nreadyok\n",
        Some("go" | "ponderhit") => "\nbestmove e2e4\n",
        _ => "",
    }
}
