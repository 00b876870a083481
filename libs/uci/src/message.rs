//! Lines from the engine to the GUI.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::tokens::Words;
use super::{EngineOption, ParseError, UciMove};

/// A line from the engine to the GUI.
///
/// ```
/// let Ok(uci::Message::BestMove(answer)) = "bestmove e2e4 ponder e7e5".parse() else { panic!("an answer") };
/// assert_eq!(answer.best.map(|best| best.to_string()), Some("e2e4".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `id name`: the engine's name and version.
    IdName(String),
    /// `id author`: the engine's authors.
    IdAuthor(String),
    /// An option that the engine has.
    Option(EngineOption),
    /// `uciok`: the end of the options.
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
    /// The reply that the engine would like to ponder on.
    pub ponder: Option<UciMove>,
}

impl FromStr for Message {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Message, ParseError> {
        let mut tokens = Words::new(line);
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
    /// Reads the rest of a `bestmove` line. A malformed move is an error; a malformed ponder move is ignored.
    fn read(tokens: &mut Words<'_>) -> Result<BestMove, ParseError> {
        let best = match tokens.next() {
            None | Some("(none)" | "0000" | "none" | "NULL") => None,
            Some(word) => {
                let wrong = |_| ParseError::invalid("bestmove", "a move such as e2e4 or e7e8q", word);
                Some(word.parse().map_err(wrong)?)
            }
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

/// An `info` line. Every field is optional: an engine sends what it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Selective search depth in plies.
    pub seldepth: Option<u32>,
    /// The index of the `MultiPV` line, from 1.
    pub multipv: Option<u32>,
    /// The score, from the engine's point of view.
    pub score: Option<Score>,
    /// Expected wins, draws and losses in permille.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The share of the transposition table in use, in permille.
    pub hashfull: Option<u32>,
    /// Positions that were found in tablebases so far.
    pub tbhits: Option<u64>,
    /// Time since `go`, to the millisecond.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub currmove: Option<UciMove>,
    /// The index of that move in the search order, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation: the moves of both sides that the engine expects.
    pub pv: Vec<UciMove>,
    /// Free text, which takes the rest of the line.
    pub string: Option<String>,
    /// The error of the first field that could not be read. It is not written.
    pub unread: Option<ParseError>,
}

impl Info {
    /// A line of free text.
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Reads the rest of an `info` line. Unknown words are skipped, as the protocol demands. Unreadable fields are skipped
    /// too, so that one bad number does not lose the line; the first is reported as [`unread`](Info::unread).
    pub(super) fn read(tokens: &mut Words<'_>) -> Info {
        const NUMBER: &str = "a whole number in range";
        let mut info = Info::default();
        let mut unread = None;
        while let Some(word) = tokens.next() {
            let read = match word {
                "depth" => tokens.value("depth", NUMBER).map(|depth| info.depth = Some(depth)),
                "seldepth" => tokens.value("seldepth", NUMBER).map(|depth| info.seldepth = Some(depth)),
                "multipv" => tokens.value("multipv", NUMBER).map(|number| info.multipv = Some(number)),
                "score" => Score::read(tokens).map(|score| info.score = Some(score)),
                "wdl" => read_wdl(tokens).map(|wdl| info.wdl = Some(wdl)),
                "nodes" => tokens.value("nodes", NUMBER).map(|nodes| info.nodes = Some(nodes)),
                "nps" => tokens.value("nps", NUMBER).map(|nps| info.nps = Some(nps)),
                "hashfull" => tokens.value("hashfull", NUMBER).map(|share| info.hashfull = Some(share)),
                "tbhits" => tokens.value("tbhits", NUMBER).map(|hits| info.tbhits = Some(hits)),
                "time" => tokens.millis("time").map(|time| info.time = Some(time)),
                "currmove" => tokens.value("currmove", "a move").map(|played| info.currmove = Some(played)),
                "currmovenumber" => {
                    tokens.value("currmovenumber", NUMBER).map(|n| info.currmovenumber = Some(n))
                }
                "pv" => {
                    info.pv = tokens.values();
                    Ok(())
                }
                "string" => {
                    info.string = Some(tokens.rest());
                    Ok(())
                }
                _ => Ok(()),
            };
            unread = unread.or(read.err());
        }
        info.unread = unread;
        info
    }
}

fn read_wdl(tokens: &mut Words<'_>) -> Result<[u16; 3], ParseError> {
    let numbers: Vec<u16> = tokens.values();
    numbers.try_into().map_err(|_| ParseError::Missing("wdl"))
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        if let Some([wins, draws, losses]) = self.wdl {
            write!(f, " wdl {wins} {draws} {losses}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "currmove", self.currmove)?;
        field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|m| write!(f, " {m}"))?;
        field(f, "string", self.string.as_ref())
    }
}

fn field(f: &mut fmt::Formatter<'_>, word: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {word} {value}"))
}

/// A score from the point of view of the engine that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Centipawns or moves to mate.
    pub value: ScoreValue,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
}

/// The two units of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Full moves until mate; negative if the engine is mated. 0 is meaningless in a position with a legal move: engines
    /// that send it mean different things.
    Mate(i32),
}

impl ScoreValue {
    /// The score as one number. Any mate counts as `mate` centipawns, for or against; a mate in 0 counts as 0.
    #[must_use]
    pub const fn in_centipawns(self, mate: i32) -> i32 {
        match self {
            ScoreValue::Centipawns(value) => value,
            ScoreValue::Mate(moves) => moves.signum() * mate,
        }
    }
}

/// The relation of a reported score to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The true score is at least this (a fail high).
    Lower,
    /// The true score is at most this (a fail low).
    Upper,
}

impl Score {
    /// An exact score in centipawns.
    pub fn centipawns(value: i32) -> Score {
        Score { value: ScoreValue::Centipawns(value), bound: Bound::Exact }
    }

    /// An exact mate score in full moves, negative if the engine is mated.
    pub fn mate(moves: i32) -> Score {
        Score { value: ScoreValue::Mate(moves), bound: Bound::Exact }
    }

    /// Reads the words after `score`.
    pub(super) fn read(tokens: &mut Words<'_>) -> Result<Score, ParseError> {
        let value = match tokens.next() {
            Some("cp") => ScoreValue::Centipawns(tokens.value("cp", "centipawns")?),
            Some("mate") => ScoreValue::Mate(tokens.value("mate", "a number of moves")?),
            Some(word) => return Err(ParseError::invalid("score", "cp or mate", word)),
            None => return Err(ParseError::Missing("score")),
        };
        let bound = match tokens.peek() {
            Some("lowerbound") => Bound::Lower,
            Some("upperbound") => Bound::Upper,
            _ => return Ok(Score { value, bound: Bound::Exact }),
        };
        tokens.next();
        Ok(Score { value, bound })
    }
}

impl fmt::Display for ScoreValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreValue::Centipawns(value) => write!(f, "cp {value}"),
            ScoreValue::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        write!(f, "{}{bound}", self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bestmove_that_is_no_move_is_an_error_and_none_or_a_carriage_return_is_not() {
        assert!(matches!("bestmove Nf3".parse::<Message>(), Err(ParseError::Invalid { .. })));
        for line in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            assert_eq!(line.parse(), Ok(Message::BestMove(BestMove { best: None, ponder: None })), "{line}");
        }
        let message: Message = "bestmove e2e4\r".parse().unwrap();
        assert_eq!(message.to_string(), "bestmove e2e4");
    }

    #[test]
    fn a_field_that_cannot_be_read_does_not_cost_the_others() {
        let info =
            Info::read(&mut Words::new("depth 99999999999999999999 nodes x nps 5 pv e2e4 rubbish time 7"));
        assert_eq!(info.depth, None);
        assert_eq!(info.nodes, None);
        assert_eq!(info.nps, Some(5));
        assert_eq!(info.pv.len(), 1);
        assert_eq!(info.time, Some(Duration::from_millis(7)));
    }
}
