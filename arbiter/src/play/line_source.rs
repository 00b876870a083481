//! Where the lines come from that a person types.

use std::io::{self, BufRead, IsTerminal, Write};

/// The standard input, which is prompted where a person sits at both ends.
#[derive(Clone, Copy, Debug)]
pub struct LineSource {
    prompts: bool,
}

impl LineSource {
    /// What the standard input is.
    pub fn of_stdin() -> LineSource {
        LineSource { prompts: io::stdin().is_terminal() && io::stdout().is_terminal() }
    }

    /// The next line; `None` at the end of the input, which Ctrl-D is too.
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
        // What is no UTF-8 is no move either, and is answered as such.
        Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
