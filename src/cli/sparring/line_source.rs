//! Where the lines come from that a person types.

use std::io::{self, BufRead, IsTerminal};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// The keyboard, with the line in hand editable and earlier ones to be called back; or a pipe or file.
pub enum LineSource {
    /// A terminal on both ends.
    Keyboard(Box<DefaultEditor>),
    /// Anything else.
    Plain,
}

impl LineSource {
    /// What the standard input is.
    ///
    /// # Errors
    /// The terminal cannot be read key by key.
    pub fn of_stdin() -> io::Result<LineSource> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let editor = DefaultEditor::new().map_err(io::Error::other)?;
            return Ok(LineSource::Keyboard(Box::new(editor)));
        }
        Ok(LineSource::Plain)
    }

    /// The next line; `None` at the end of the input, and when Ctrl-C or Ctrl-D is pressed. Only a keyboard is
    /// prompted.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self {
            LineSource::Keyboard(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    editor.add_history_entry(line.as_str()).map_err(io::Error::other)?;
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(io::Error::other(error)),
            },
            LineSource::Plain => {
                let mut bytes = Vec::new();
                let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
                // What is no UTF-8 is no move either, and is answered as such.
                Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }
}
