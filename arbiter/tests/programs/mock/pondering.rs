//! How the mock ponders: well, and in the ways that its first argument names.

use std::io::{self, Write};

use crate::deeds::pause;

/// The ways that are not good.
pub const MANNERS: [&str; 7] = [
    // Expects another reply than the one it would choose itself.
    "ponder-misses",      // Expects an illegal reply.
    "ponder-illegal",     // Answers before it is told to.
    "ponder-early",       // Hears neither `ponderhit` nor `stop`.
    "ponder-deaf",        // The same, and expects another reply.
    "ponder-deaf-misses", // Answers `ponderhit` 300 ms late, and with no move.
    "ponder-late",        // Ends when it is to ponder.
    "ponder-exit",
];

/// What becomes of searches on the opponent's time.
#[derive(Debug, Default)]
pub struct Pondering {
    /// One of [`MANNERS`], or well.
    pub manner: String,
    /// The option `Ponder` was set.
    pub is_enabled: bool,
    /// The answer that waits for `ponderhit` or `stop`.
    held_back: Option<String>,
}

impl Pondering {
    /// Listens to what concerns pondering.
    pub fn hear(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        if line == "setoption name Ponder value true" {
            self.is_enabled = true;
        }
        if matches!(line, "ponderhit" | "stop")
            && !self.manner.starts_with("ponder-deaf")
            && let Some(answer) = self.held_back.take()
        {
            if self.manner == "ponder-late" && line == "ponderhit" {
                pause(300)?;
                return writeln!(out, "bestmove (none)");
            }
            write!(out, "{answer}")?;
        }
        Ok(())
    }

    /// What follows the best move: the reply expected, given all that are legal and the one that the mock would choose.
    pub fn wish(&self, legal: &[String], choice: Option<String>) -> String {
        let reply = match self.manner.as_str() {
            "ponder-misses" | "ponder-deaf-misses" => {
                legal.iter().find(|reply| Some(*reply) != choice.as_ref()).cloned()
            }
            "ponder-illegal" => Some("a1h8".to_owned()),
            _ => choice,
        };
        reply.map(|reply| format!(" ponder {reply}")).unwrap_or_default()
    }

    /// Gives an answer, or holds it back.
    pub fn answer(&mut self, go: &str, answer: String, out: &mut impl Write) -> io::Result<()> {
        let ponders = go.split_whitespace().any(|word| word == "ponder");
        match self.manner.as_str() {
            "ponder-exit" if ponders => std::process::exit(9),
            "ponder-early" => write!(out, "{answer}"),
            _ if ponders => {
                self.held_back = Some(answer);
                Ok(())
            }
            _ => write!(out, "{answer}"),
        }
    }
}
