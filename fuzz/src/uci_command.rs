//! A line from a GUI to an engine.

use uci::Command;

/// A command is written so that it reads as the same command.
pub fn run(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(mut command) = line.parse::<Command>() {
        if let Command::Go(go) = &mut command {
            // What cannot be read is not written.
            go.ignored.clear();
        }
        let written = command.to_string();
        assert_eq!(written.parse::<Command>().as_ref(), Ok(&command), "{written:?}");
    }
}
