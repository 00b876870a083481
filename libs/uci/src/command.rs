//! What the GUI writes to the engine.

use std::fmt;
use std::str::FromStr;

use super::tokens::Tokens;
use super::{Genfens, Go, ParseError, UciMove};

/// A line from the GUI to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI: answer with `id`, the options and `uciok`.
    Uci,
    /// Switch additional `info string` output on or off.
    Debug(bool),
    /// Answer `readyok` when all earlier commands are done.
    IsReady,
    /// Set an option; a button has no value.
    SetOption {
        /// The name as the engine announced it; may hold blanks.
        name: String,
        /// The new value as it was written; may hold blanks.
        value: Option<String>,
    },
    /// The next position belongs to another game.
    UciNewGame,
    /// Set up a position and play moves from it.
    Position {
        /// The position before the moves.
        start: StartPosition,
        /// The moves played since.
        moves: Vec<UciMove>,
    },
    /// Search the position.
    Go(Go),
    /// End the search and answer `bestmove` now.
    Stop,
    /// The opponent played the move that was pondered on.
    PonderHit,
    /// End the process.
    Quit,
    /// For people: run the bench and print the node count, optionally to another depth.
    Bench(Option<u32>),
    /// For people: print the position.
    Display,
    /// For people: print the evaluation, term by term.
    Eval,
    /// For OpenBench: print openings.
    Genfens(Genfens),
    /// For OpenBench: print the parameters of the search that can be tuned, as the input of an SPSA run.
    Spsa,
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let mut tokens = Tokens::new(line);
        let command = match tokens.next().ok_or(ParseError::Empty)? {
            "uci" => Command::Uci,
            "debug" => Command::Debug(tokens.next() == Some("on")),
            "isready" => Command::IsReady,
            "setoption" => read_set_option(&mut tokens)?,
            "ucinewgame" => Command::UciNewGame,
            "position" => read_position(&mut tokens)?,
            "go" => Command::Go(Go::read(&mut tokens)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "bench" if tokens.peek().is_none() => Command::Bench(None),
            "bench" => Command::Bench(Some(tokens.value("bench", "a depth in plies")?)),
            "d" => Command::Display,
            "eval" => Command::Eval,
            "genfens" => Command::Genfens(Genfens::read(&mut tokens)?),
            "spsa" => Command::Spsa,
            word => return Err(ParseError::Unknown(word.to_owned())),
        };
        Ok(command)
    }
}

fn read_set_option(tokens: &mut Tokens<'_>) -> Result<Command, ParseError> {
    if tokens.next() != Some("name") {
        return Err(ParseError::Missing("name"));
    }
    let name = tokens.text_until(|word| word == "value");
    if name.is_empty() {
        return Err(ParseError::Missing("name"));
    }
    let value = tokens.next().map(|_| tokens.rest());
    Ok(Command::SetOption { name, value })
}

fn read_position(tokens: &mut Tokens<'_>) -> Result<Command, ParseError> {
    let start = match tokens.next().ok_or(ParseError::Missing("position"))? {
        "startpos" => StartPosition::Startpos,
        "fen" => StartPosition::Fen(tokens.text_until(|word| word == "moves")),
        word => {
            return Err(ParseError::Invalid {
                field: "position",
                expected: "startpos or fen",
                found: word.to_owned(),
            });
        }
    };
    let mut moves = Vec::new();
    if tokens.next() == Some("moves") {
        while tokens.peek().is_some() {
            moves.push(tokens.value("moves", "a move such as e2e4 or e7e8q")?);
        }
    }
    Ok(Command::Position { start, moves })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::Position { start, moves } => {
                write!(f, "position {start}")?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Genfens(request) => request.fmt(f),
            Command::Spsa => f.write_str("spsa"),
        }
    }
}

/// The position before the moves of a `position` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartPosition {
    /// The start position of standard chess.
    #[default]
    Startpos,
    /// A position as FEN text, not yet checked.
    Fen(String),
}

impl fmt::Display for StartPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartPosition::Startpos => f.write_str("startpos"),
            StartPosition::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}
