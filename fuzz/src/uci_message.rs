//! A line from an engine to a GUI.

use uci::Message;

/// A message is written so that it reads as the same message.
pub fn run(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(message) = line.parse::<Message>() {
        let written = message.to_string();
        assert_eq!(written.parse::<Message>().as_ref(), Ok(&message), "{written:?}");
    }
}
