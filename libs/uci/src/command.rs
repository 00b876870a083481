//! Lines from the GUI to the engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::tokens::Words;
use super::{ParseError, UciMove};

/// A line from the GUI to the engine.
///
/// ```
/// let Ok(uci::Command::Go(go)) = "go wtime 60000 btime 59000 winc 600".parse() else { panic!("a search") };
/// assert_eq!(go.winc, Some(std::time::Duration::from_millis(600)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI: answer with `id`, the options and `uciok`.
    Uci,
    /// Switch additional `info string` output on or off.
    Debug(bool),
    /// Answer `readyok` when all earlier commands are done.
    IsReady,
    /// Set an option. A button has no value.
    SetOption {
        /// The name as the engine announced it; may contain blanks.
        name: String,
        /// The new value as text; may contain blanks.
        value: Option<String>,
    },
    /// The next position belongs to a different game.
    UciNewGame,
    /// Set up a position and play moves from it.
    Position {
        /// The position before the moves.
        start: StartPosition,
        /// The moves to play from there.
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
    /// For people: run the bench, optionally to a given depth, and print the node count.
    Bench(Option<u32>),
    /// For people: print the position.
    Display,
    /// For people: print the evaluation, term by term.
    Eval,
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let mut tokens = Words::new(line);
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
            word => return Err(ParseError::Unknown(word.to_owned())),
        };
        Ok(command)
    }
}

fn read_set_option(tokens: &mut Words<'_>) -> Result<Command, ParseError> {
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

fn read_position(tokens: &mut Words<'_>) -> Result<Command, ParseError> {
    let start = match tokens.next().ok_or(ParseError::Missing("position"))? {
        "startpos" => StartPosition::Startpos,
        "fen" => StartPosition::Fen(tokens.text_until(|word| word == "moves")),
        word => return Err(ParseError::invalid("position", "startpos or fen", word)),
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

impl StartPosition {
    /// The FEN of the position.
    pub fn fen(&self) -> &str {
        match self {
            StartPosition::Startpos => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            StartPosition::Fen(fen) => fen,
        }
    }
}

impl fmt::Display for StartPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartPosition::Startpos => f.write_str("startpos"),
            StartPosition::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}

/// The limits of a search. The search ends when it reaches any of them; without limits, the engine decides.
///
/// UCI writes times as whole milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time about the expected reply.
    pub ponder: bool,
    /// Time left on White's clock.
    pub wtime: Option<Duration>,
    /// Time left on Black's clock.
    pub btime: Option<Duration>,
    /// White's increment per move.
    pub winc: Option<Duration>,
    /// Black's increment per move.
    pub binc: Option<Duration>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many full moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Perft to this depth instead of a search (not in the protocol; as in Stockfish).
    pub perft: Option<u32>,
    /// Search only these moves at the root; empty means all.
    pub searchmoves: Vec<UciMove>,
    /// The words that could not be read; they have no effect.
    pub ignored: Vec<ParseError>,
}

impl Go {
    /// Reads the rest of a `go` line. Unknown words are skipped, as the protocol demands. A wrong value is no error,
    /// because the GUI waits for a move in any case.
    pub(super) fn read(tokens: &mut Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = tokens.next() {
            if let Err(error) = go.read_field(word, tokens) {
                go.ignored.push(error);
            }
        }
        go
    }

    fn read_field(&mut self, word: &str, tokens: &mut Words<'_>) -> Result<(), ParseError> {
        match word {
            "ponder" => self.ponder = true,
            "infinite" => self.infinite = true,
            "wtime" => self.wtime = Some(tokens.millis("wtime")?),
            "btime" => self.btime = Some(tokens.millis("btime")?),
            "winc" => self.winc = Some(tokens.millis("winc")?),
            "binc" => self.binc = Some(tokens.millis("binc")?),
            "movetime" => self.movetime = Some(tokens.millis("movetime")?),
            "movestogo" => self.movestogo = Some(tokens.value("movestogo", "a number of moves")?),
            "depth" => self.depth = Some(tokens.value("depth", "a depth in plies")?),
            "nodes" => self.nodes = Some(tokens.value("nodes", "a number of nodes")?),
            "mate" => self.mate = Some(tokens.value("mate", "a number of moves")?),
            "perft" => self.perft = Some(tokens.value("perft", "a depth in plies")?),
            "searchmoves" => self.searchmoves = tokens.values(),
            _ => {}
        }
        Ok(())
    }

    /// The root moves to search: the legal moves in `searchmoves`, or all legal moves if none is in it.
    pub fn root_moves<M>(
        &self,
        legal: impl IntoIterator<Item = M>,
        to_uci: impl Fn(&M) -> UciMove,
    ) -> Vec<M> {
        let (asked, others): (Vec<M>, Vec<M>) = legal
            .into_iter()
            .partition(|mv| self.searchmoves.is_empty() || self.searchmoves.contains(&to_uci(mv)));
        if asked.is_empty() { others } else { asked }
    }

    /// Whether the search ends by itself: by depth, nodes or time, or as a perft. There may be no mate to find.
    pub fn is_limited(&self) -> bool {
        let by_work = self.depth.is_some() || self.nodes.is_some() || self.perft.is_some();
        by_work || self.movetime.is_some() || self.wtime.is_some() || self.btime.is_some()
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        // fastchess writes them in this order.
        let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
        let numbers = [
            ("nodes", self.nodes.map(u128::from)),
            ("depth", self.depth.map(u128::from)),
            ("movetime", millis(self.movetime)),
            ("wtime", millis(self.wtime)),
            ("btime", millis(self.btime)),
            ("winc", millis(self.winc)),
            ("binc", millis(self.binc)),
            ("movestogo", self.movestogo.map(u128::from)),
            ("mate", self.mate.map(u128::from)),
            ("perft", self.perft.map(u128::from)),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.searchmoves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}
