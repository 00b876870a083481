//! Writes requests as lines for an engine, and reads its lines. The process that carries the lines does not parse them.
//!
//! A protocol writes [requests](Request) as lines, and reads lines as values. The values of the crate `uci` are common to all
//! protocols: the names of options, limits ([`Go`]), reports and answers ([`Message`]).

mod engine_info;
mod position_line;
mod uci;

use std::fmt;

use ::uci::{Go, Message};

pub(crate) use self::uci::Uci;
pub use self::uci::speaks_xboard;
pub(crate) use engine_info::excerpt;
pub use engine_info::{EngineInfo, SettingError, nearest_name};
pub use position_line::PositionLine;

/// A protocol, with what it knows of one engine.
pub(crate) trait Protocol: fmt::Debug + Send {
    /// Appends the lines of a request, which go out in one write.
    fn write(&mut self, request: Request<'_>, lines: &mut String);

    fn expects(&self, request: Request<'_>) -> Expected;

    /// Reads a line of the introduction, and returns whether it is the last. One that cannot be understood is skipped.
    fn introduce(&mut self, line: &str, engine: &mut EngineInfo) -> bool;

    /// The kind of a later line, and whether it has the time of the search. An engine may send thousands for one move.
    fn classify(&self, line: &[u8]) -> (LineKind, bool);

    /// A report or an answer, if it has the form of one.
    fn read(&self, line: &str) -> Option<Message>;
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Request<'a> {
    Introduce,
    SetOption(&'a str, Option<&'a str>),
    /// Say when everything so far is done.
    GetReady,
    /// Prepare for another game, and say when that is done.
    NewGame,
    Search(SearchTask<'a>),
    PonderHit,
    Stop,
    Quit,
}

/// What is to be searched, and within which limits.
#[derive(Clone, Copy, Debug)]
pub enum SearchTask<'a> {
    /// The position of a game.
    Of(&'a PositionLine, &'a Go),
    /// The position after one more move.
    After(&'a PositionLine, &'a str, &'a Go),
    /// Lines of the engine's protocol, sent as they are.
    AsWritten(&'a str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Ready,
    /// The answer to a search.
    Answer,
    /// A report of the best variation, with an exact score.
    Exact,
    /// Such a report whose score is only a bound.
    Bound,
    /// A report without a score.
    Other,
    /// Free text, another variation, or the current root move: nothing that is recorded.
    Idle,
    /// Not part of the protocol.
    Unknown,
}

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
