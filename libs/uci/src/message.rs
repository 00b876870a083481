//! What the engine writes to the GUI.

use std::fmt;
use std::str::FromStr;

use super::tokens::Tokens;
use super::{EngineOption, Info, ParseError, UciMove};

/// A line from the engine to the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The engine's name and version.
    IdName(String),
    /// The authors of the engine.
    IdAuthor(String),
    /// An option that can be set.
    Option(EngineOption),
    /// The end of the options.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// A report of the search.
    Info(Box<Info>),
    /// The result of the search.
    BestMove(BestMove),
}

/// The answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move, or `None` if the engine has none (`(none)`, `0000`, or nothing at all).
    pub best: Option<UciMove>,
    /// The reply the engine would like to ponder on.
    pub ponder: Option<UciMove>,
}

impl FromStr for Message {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Message, ParseError> {
        let mut tokens = Tokens::new(line);
        let message = match tokens.next().ok_or(ParseError::Empty)? {
            "id" => match tokens.next() {
                Some("name") => Message::IdName(tokens.rest()),
                Some("author") => Message::IdAuthor(tokens.rest()),
                _ => return Err(ParseError::Missing("id")),
            },
            "option" => Message::Option(EngineOption::read(&mut tokens)?),
            "uciok" => Message::UciOk,
            "readyok" => Message::ReadyOk,
            "info" => Message::Info(Box::new(Info::read(&mut tokens))),
            "bestmove" => Message::BestMove(BestMove::read(&mut tokens)?),
            word => return Err(ParseError::Unknown(word.to_owned())),
        };
        Ok(message)
    }
}

impl BestMove {
    /// Reads what follows the word `bestmove`. A malformed move is an error; a malformed ponder move is ignored.
    fn read(tokens: &mut Tokens<'_>) -> Result<BestMove, ParseError> {
        let best = match tokens.next() {
            None | Some("(none)" | "0000" | "none" | "NULL") => None,
            Some(word) => Some(word.parse().map_err(|_| ParseError::Invalid {
                field: "bestmove",
                expected: "a move such as e2e4 or e7e8q",
                found: word.to_owned(),
            })?),
        };
        let ponder = match tokens.next() {
            Some("ponder") => tokens.next().and_then(|word| word.parse().ok()),
            _ => None,
        };
        Ok(BestMove { best, ponder })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::IdName(name) => write!(f, "id name {name}"),
            Message::IdAuthor(author) => write!(f, "id author {author}"),
            Message::Option(option) => option.fmt(f),
            Message::UciOk => f.write_str("uciok"),
            Message::ReadyOk => f.write_str("readyok"),
            Message::Info(info) => info.fmt(f),
            Message::BestMove(best_move) => best_move.fmt(f),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best {
            Some(best) => write!(f, "bestmove {best}")?,
            None => f.write_str("bestmove (none)")?,
        }
        self.ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bestmove_that_is_no_move_is_an_error_and_none_is_not() {
        assert!(matches!("bestmove Nf3".parse::<Message>(), Err(ParseError::Invalid { .. })));
        for line in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            assert_eq!(line.parse(), Ok(Message::BestMove(BestMove { best: None, ponder: None })), "{line}");
        }
    }

    #[test]
    fn a_carriage_return_is_a_blank() {
        let message: Message = "bestmove e2e4\r".parse().unwrap();
        assert_eq!(message.to_string(), "bestmove e2e4");
    }
}
