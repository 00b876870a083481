//! Pondering of the mock engine: well, or badly in the way that its first argument names.

use std::io::{self, Write};

use crate::deeds::pause;

/// The ways to ponder badly.
pub const MANNERS: [&str; 7] = [
    "ponder-misses",      // Expects another reply than its own choice.
    "ponder-illegal",     // Expects an illegal reply.
    "ponder-early",       // Answers before `ponderhit` or `stop`.
    "ponder-deaf",        // Ignores `ponderhit` and `stop`.
    "ponder-deaf-misses", // Ignores them, and expects another reply than its own choice.
    "ponder-late",        // Answers `ponderhit` 300 ms late, and without a move.
    "ponder-exit",        // Exits when it is told to ponder with clocks.
];

/// The state of searches on the opponent's time.
#[derive(Debug, Default)]
pub struct Pondering {
    /// One of [`MANNERS`], or another mode, which ponders well.
    pub manner: String,
    /// Whether the option `Ponder` was set.
    pub is_enabled: bool,
    /// The answer held back until `ponderhit` or `stop`.
    held_back: Option<String>,
}

impl Pondering {
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

    /// The text after the best move: the expected reply, given all legal ones and the one that the mock would choose.
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

    /// Writes an answer, or holds it back.
    pub fn answer(&mut self, go: &str, answer: String, out: &mut impl Write) -> io::Result<()> {
        let ponders = go.split_whitespace().any(|word| word == "ponder");
        let has_clocks = ["ponder wtime ", "ponder btime "].iter().any(|words| go.contains(words));
        match self.manner.as_str() {
            "ponder-exit" if has_clocks => std::process::exit(9),
            "ponder-early" => write!(out, "{answer}"),
            _ if ponders => {
                self.held_back = Some(answer);
                Ok(())
            }
            _ => write!(out, "{answer}"),
        }
    }
}
