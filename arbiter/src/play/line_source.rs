//! The source of the lines that the user types.

use std::io::{self, BufRead, IsTerminal, Write};

/// The standard input, with a prompt if input and output are a terminal.
#[derive(Clone, Copy, Debug)]
pub struct LineSource {
    prompts: bool,
}

impl LineSource {
    /// The standard input.
    pub fn of_stdin() -> LineSource {
        LineSource { prompts: io::stdin().is_terminal() && io::stdout().is_terminal() }
    }

    /// The next line; `None` at the end of the input (Ctrl-D).
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next(self, prompt: &str) -> io::Result<Option<String>> {
        if self.prompts {
            let mut out = io::stdout().lock();
            write!(out, "{prompt}")?;
            out.flush()?;
        }
        let mut bytes = Vec::new();
        let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
        // Invalid UTF-8 is answered like any other text that is not a move.
        Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
