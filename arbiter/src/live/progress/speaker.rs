//! Lines for the person who watches a run, from whatever thread has something to say.

use std::io::{self, Write};

use console::{Term, measure_text_width};
use indicatif::ProgressBar;

use crate::cli;
use crate::text::printable;
use crate::text::wrapped::wrapped;

/// Says lines above the display that stays in place, or on the standard error stream where there is no such display.
/// A closed terminal changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Speaker {
    display: Option<ProgressBar>,
}

impl Speaker {
    /// The columns of a text whose reader may not have a terminal.
    pub const COLUMNS: usize = 100;

    /// Speaks on the standard error stream.
    pub fn stderr() -> Speaker {
        Speaker::default()
    }

    /// Speaks above a display.
    pub fn above(display: ProgressBar) -> Speaker {
        Speaker { display: Some(display) }
    }

    /// Says one or more lines, indented as all that we say unless they are already.
    pub fn say(&self, text: &str) {
        let indented = |line: &str| if line.starts_with(' ') { line.to_owned() } else { format!("  {line}") };
        let lines: Vec<String> = text.lines().map(indented).collect();
        self.print(&lines.join("\n"));
    }

    /// Answers a line that was typed at the terminal, given without its line break. The display leaves the cursor at
    /// the right edge, so that what is typed stands below it, and does not know that the cursor has moved.
    pub fn reply(&self, typed: &str, text: &str) {
        if self.display.is_some() {
            let lines = 1 + measure_text_width(typed).div_ceil(self.width());
            // The control sequences CUU and ED of ECMA-48: move the cursor up, and clear what is below.
            let _ = write!(io::stderr(), "\u{1b}[{lines}A\u{1b}[J");
        }
        self.say(text);
    }

    /// How many columns there are to speak in; as many as a line of text can well have where there is no terminal.
    pub fn width(&self) -> usize {
        match &self.display {
            Some(_) => usize::from(Term::stderr().size().1).max(1),
            None => Speaker::COLUMNS,
        }
    }

    fn print(&self, lines: &str) {
        match &self.display {
            Some(display) => display.println(printable(&wrapped(lines, self.width()))),
            None => {
                let _ = writeln!(cli::stderr(), "{lines}");
            }
        }
    }
}
