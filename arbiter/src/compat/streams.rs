//! What the originals print to their two streams.

use std::io::{self, Write as _};

use super::dialect_config::Tournament;
use crate::cli::{stderr, stdout};

/// Says something on standard error, where the original has its warnings or nothing.
pub(super) fn say_aside(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}

/// Prints lines, at once. For OpenBench and fishtest, whose workers read ASCII, other characters are escaped: `\u{e9}`.
pub(super) fn print_line(tournament: &Tournament, text: &str) -> io::Result<()> {
    // In one piece, since the lines of engines may be printed by other threads.
    let line = if tournament.unsaved.test_env { ascii(text) } else { text.to_owned() } + "\n";
    let mut out = stdout();
    out.write_all(line.as_bytes())?;
    out.flush()
}

fn ascii(text: &str) -> String {
    let escaped = |letter: char| {
        if letter.is_ascii() { letter.to_string() } else { letter.escape_unicode().to_string() }
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ascii_is_escaped() {
        assert_eq!(ascii("Warning; \"1½\"\n"), "Warning; \"1\\u{bd}\"\n");
    }
}
