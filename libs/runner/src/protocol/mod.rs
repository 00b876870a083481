//! What is said to an engine, and what its lines mean.

use std::fmt;

/// What an engine was expected to say, as its protocol writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The end of its introduction, such as `uciok`.
    Introduction(&'static str),
    /// The end of its introduction in UCI, but it answered as engines do that only know xboard's protocol.
    Xboard,
    /// That it is ready, such as `readyok`.
    Ready(&'static str),
    /// Anything else, or that it reads what it is sent.
    Answer(&'static str),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Introduction(word) | Expected::Ready(word) | Expected::Answer(word) => word,
            Expected::Xboard => {
                "uciok (it speaks xboard's protocol, not UCI: give it its own switch for UCI, or start it through an \
                 adapter from xboard to UCI such as Wb2Uci)"
            }
        })
    }
}
