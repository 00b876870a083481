//! How the mock ponders: well, and in the ways that its first argument names.

use std::io::{self, Write};
use std::time::Duration;

use crate::deeds::pause;

/// What becomes of searches on the opponent's time.
#[derive(Debug, Default)]
pub struct Pondering {
    manner: Manner,
    /// The option `Ponder` was set.
    enabled: bool,
    /// The answer that waits for `ponderhit` or `stop`.
    held_back: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Manner {
    #[default]
    Well,
    /// Expects another reply than the one it would choose itself: `ponder-misses`.
    Misses,
    /// Expects an illegal reply: `ponder-illegal`.
    Illegal,
    /// Answers before it is told to: `ponder-early`.
    Early,
    /// Hears neither `ponderhit` nor `stop`: `ponder-deaf`.
    Deaf,
    /// The same, and expects another reply: `ponder-deaf-misses`.
    DeafMisses,
    /// Answers `ponderhit` 300 ms late, and with no move: `ponder-late`.
    Late,
    /// Ends when it is to ponder: `ponder-exit`.
    Exit,
}

impl Pondering {
    /// How the mode ponders; well, where the name says nothing else.
    pub fn new(mode: &str) -> Pondering {
        let manner = match mode {
            "ponder-misses" => Manner::Misses,
            "ponder-illegal" => Manner::Illegal,
            "ponder-early" => Manner::Early,
            "ponder-deaf" => Manner::Deaf,
            "ponder-deaf-misses" => Manner::DeafMisses,
            "ponder-late" => Manner::Late,
            "ponder-exit" => Manner::Exit,
            _ => Manner::Well,
        };
        Pondering { manner, ..Pondering::default() }
    }

    /// Listens to what concerns pondering.
    pub fn hear(&mut self, line: &str, out: &mut impl Write) -> io::Result<()> {
        if line == "setoption name Ponder value true" {
            self.enabled = true;
        }
        if matches!(line, "ponderhit" | "stop")
            && !matches!(self.manner, Manner::Deaf | Manner::DeafMisses)
            && let Some(answer) = self.held_back.take()
        {
            if self.manner == Manner::Late && line == "ponderhit" {
                pause(Duration::from_millis(300));
                return writeln!(out, "bestmove (none)");
            }
            write!(out, "{answer}")?;
        }
        Ok(())
    }

    /// Whether the runner asked for it.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// What follows the best move: the reply expected, given all that are legal and the one that the mock would choose.
    pub fn wish(&self, legal: &[String], choice: Option<String>) -> String {
        let reply = match self.manner {
            Manner::Misses | Manner::DeafMisses => {
                legal.iter().find(|reply| Some(*reply) != choice.as_ref()).cloned()
            }
            Manner::Illegal => Some("a1h8".to_owned()),
            _ => choice,
        };
        reply.map(|reply| format!(" ponder {reply}")).unwrap_or_default()
    }

    /// Gives an answer, or holds it back.
    pub fn answer(&mut self, go: &str, answer: String, out: &mut impl Write) -> io::Result<()> {
        let ponders = go.split_whitespace().any(|word| word == "ponder");
        match self.manner {
            Manner::Exit if ponders => std::process::exit(9),
            Manner::Early => write!(out, "{answer}"),
            _ if ponders => {
                self.held_back = Some(answer);
                Ok(())
            }
            _ => write!(out, "{answer}"),
        }
    }
}
