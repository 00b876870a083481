//! Writes requests as lines for an engine, and reads its lines. The process that carries the lines does not parse them.
//!
//! A protocol writes [requests](Request) as lines, and reads lines as values. The values of the crate `uci` are common to all
//! protocols: the names of options, limits ([`Go`]), reports and answers ([`Message`]).

mod engine_info;
mod position_line;
mod uci;
mod xboard;

use std::fmt;
use std::time::Duration;

use ::uci::{Go, Message};

use crate::config::{ProtocolName, SearchLimits};
use crate::termination::Termination;
use referee::GameResult;

pub(crate) use self::uci::Uci;
pub(crate) use self::xboard::Xboard;
pub(crate) use engine_info::excerpt;
pub use engine_info::{EngineInfo, SettingError, nearest_name};
pub use position_line::PositionLine;

impl ProtocolName {
    pub(crate) fn begin(self) -> Box<dyn Protocol> {
        match self {
            ProtocolName::Uci => Box::<Uci>::default(),
            ProtocolName::Xboard => Box::<Xboard>::default(),
        }
    }
}

/// A protocol, with what it knows of one engine.
pub(crate) trait Protocol: fmt::Debug + Send {
    /// Appends the lines of a request, which go out in one write. There may be none.
    fn write(&mut self, request: Request<'_>, lines: &mut String);

    fn expects(&self, request: Request<'_>) -> Expected;

    /// Reads a line of the introduction, and appends the lines that answer it. One that cannot be understood is skipped.
    fn introduce(&mut self, line: &str, engine: &mut EngineInfo, answer: &mut String) -> Heard;

    /// The kind of a later line, and whether it has the time of the search. An engine may send thousands for one move.
    fn classify(&mut self, line: &[u8]) -> (LineKind, bool);

    /// A report, or the answer that was classified last, if it has the form of one.
    fn read(&self, line: &str) -> Option<Message>;

    /// How long an engine has to be silent instead of saying that a request is done, if it cannot say so. `timeout` is the
    /// longest wait.
    fn silence(&self, _request: Request<'_>, _timeout: Duration) -> Option<Duration> {
        None
    }

    /// The line by which the engine gave up the game.
    fn resignation(&self) -> Option<&str> {
        None
    }

    /// Why the engine cannot be told these limits; `None` if it can.
    fn refuses(&self, _limits: &SearchLimits) -> Option<String> {
        None
    }

    /// Whether the process can play another game.
    fn plays_again(&self) -> bool {
        true
    }
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
    GameOver(GameResult, Termination),
    Quit,
}

/// What a line of the introduction means for the wait for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    More,
    /// The engine needs an unknown time to start.
    NeedsTime,
    Last,
    /// It is the last, and shows that the engine only knows xboard's protocol.
    SpeaksXboard,
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
    /// That it is ready, such as `readyok`.
    Ready(&'static str),
    /// Anything else, or that it reads what it is sent.
    Answer(&'static str),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Introduction(word) | Expected::Ready(word) | Expected::Answer(word) => word,
        })
    }
}
