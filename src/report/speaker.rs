//! Lines for the person who watches a run, from whatever thread has something to say.

use std::io::{self, Write};

use indicatif::ProgressBar;

/// Says lines above the display that stays in place, or on the standard error stream where there is no such display.
/// A closed terminal changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Speaker {
    display: Option<ProgressBar>,
}

impl Speaker {
    /// Speaks on the standard error stream.
    pub fn stderr() -> Speaker {
        Speaker::default()
    }

    /// Speaks above a display.
    pub(super) fn above(display: ProgressBar) -> Speaker {
        Speaker { display: Some(display) }
    }

    /// Says one or more lines, indented as all that we say.
    pub fn say(&self, text: &str) {
        let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
        self.print(&lines.join("\n"));
    }

    /// Answers what was typed at the terminal. The line break that was typed has moved the cursor one line down, which
    /// the display does not know of.
    pub fn reply(&self, text: &str) {
        if self.display.is_some() {
            // Control sequence CUU of ECMA-48: one line up.
            let _ = write!(io::stderr(), "\u{1b}[1A");
        }
        self.say(text);
    }

    fn print(&self, lines: &str) {
        match &self.display {
            Some(display) => display.println(lines),
            None => {
                let _ = writeln!(io::stderr(), "{lines}");
            }
        }
    }
}
