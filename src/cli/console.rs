//! What the commands tell people while they prepare.

use std::env;
use std::io::{self, IsTerminal, Write};

/// Says that an engine is being built, before that takes its time.
pub fn announce_build(engine: &str) {
    note(&format!("building {engine} …"));
}

/// One line on standard error, where a closed terminal changes nothing.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "  {text}");
}

/// Whether a stream should have colours: it is a terminal, and the user has not set `NO_COLOR` (no-color.org).
pub fn wants_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
