//! The `info` lines of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::tokens::Tokens;
use super::{Score, UciMove};

/// One `info` line. Every field is optional; an engine sends what it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// The number of the `MultiPV` line, from 1.
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
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Time since `go`, to the millisecond.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub currmove: Option<UciMove>,
    /// Its number in the order of search, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// Free text; takes the rest of the line.
    pub string: Option<String>,
}

impl Info {
    /// A line of free text.
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Reads what follows the word `info`. Unreadable fields and unknown words are skipped, so that one bad number does
    /// not lose the rest of the line.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = tokens.next() {
            match word {
                "depth" => info.depth = number(tokens),
                "seldepth" => info.seldepth = number(tokens),
                "multipv" => info.multipv = number(tokens),
                "score" => info.score = Score::read(tokens).ok(),
                "wdl" => info.wdl = tokens.values().try_into().ok(),
                "nodes" => info.nodes = number(tokens),
                "nps" => info.nps = number(tokens),
                "hashfull" => info.hashfull = number(tokens),
                "tbhits" => info.tbhits = number(tokens),
                "time" => info.time = tokens.millis("time").ok(),
                "currmove" => info.currmove = number(tokens),
                "currmovenumber" => info.currmovenumber = number(tokens),
                "pv" => info.pv = tokens.values(),
                "string" => info.string = Some(tokens.rest()),
                _ => {}
            }
        }
        info
    }
}

/// The next word if it parses; otherwise it stays for the caller.
fn number<T: FromStr>(tokens: &mut Tokens<'_>) -> Option<T> {
    let value = tokens.peek()?.parse().ok()?;
    tokens.next();
    Some(value)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_cannot_be_read_does_not_cost_the_others() {
        let info =
            Info::read(&mut Tokens::new("depth 99999999999999999999 nodes x nps 5 pv e2e4 rubbish time 7"));
        assert_eq!(info.depth, None);
        assert_eq!(info.nodes, None);
        assert_eq!(info.nps, Some(5));
        assert_eq!(info.pv.len(), 1);
        assert_eq!(info.time, Some(Duration::from_millis(7)));
    }
}
