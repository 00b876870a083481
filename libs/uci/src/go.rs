//! The `go` command and everything it can limit.

use std::fmt;
use std::time::Duration;

use super::tokens::Tokens;
use super::{ParseError, UciMove};

/// What `go` asks for. Every field that is set limits the search; without any, the engine decides.
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
    /// Nodes to search.
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
    /// What could not be read: it limits nothing.
    pub ignored: Vec<ParseError>,
}

impl Go {
    /// Reads what follows the word `go`. Unknown words are skipped, as the protocol asks; a GUI waits for a move even
    /// where a value is wrong.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = tokens.next() {
            if let Err(error) = go.read_field(word, tokens) {
                go.ignored.push(error);
            }
        }
        go
    }

    fn read_field(&mut self, word: &str, tokens: &mut Tokens<'_>) -> Result<(), ParseError> {
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

    /// Whether depth, nodes or time end the search, or it is a perft. A mate that is asked for may not be there.
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
        // The order of fastchess.
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
