//! The interface of an engine to the UCI server, and what all our engines share.

use std::fmt;
use std::io::{self, Write};
use std::ops::{Add, AddAssign};
use std::time::{Duration, Instant};

use super::SearchControl;
use crate::{BestMove, EngineOption, Genfens, Go, Info, OptionValue, StartPosition, UciMove};

/// Openings one after the other, as FENs of six fields, or what went wrong.
pub type OpeningFens = Box<dyn Iterator<Item = Result<String, String>>>;

/// An engine as the server sees it. The server owns the protocol, the threads and the clock's start; the engine owns
/// the position, the options and the search.
///
/// Errors are texts for people: the server sends them as `info string`.
pub trait UciEngine: Send {
    /// Name and version, as `id name` gives them.
    const NAME: &'static str;
    /// The authors, as `id author` gives them.
    const AUTHOR: &'static str;

    /// The options in the order of their announcement, behind `Move Overhead`, which the server has for every engine: see
    /// [`SearchControl::overhead`].
    fn options(&self) -> Vec<EngineOption>;

    /// Sets an option. The server has found it among [`UciEngine::options`] and has read its value, so that `name` is
    /// spelled as announced, and `value` is of the type and in the range announced.
    ///
    /// # Errors
    /// Why the value cannot be used; the option keeps its old one.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String>;

    /// Clears what earlier games left: hash table and histories.
    fn new_game(&mut self);

    /// Sets up a position and plays moves from it.
    ///
    /// # Errors
    /// What is wrong with the position or which move is illegal; the engine keeps the position it had.
    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String>;

    /// Searches the position until the limits of `go` are reached or `control` says stop. If the protocol forbids to
    /// answer yet, the server waits for `stop` or `ponderhit`. So the engine may return as soon as it is done.
    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove;

    /// Perft to `depth` plies, at least 1: each move with the number of leaf nodes below it, counted when it is asked for.
    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_>;

    /// The position for people, in several lines.
    fn display(&self) -> String;

    /// The evaluation of the position for people, in several lines.
    fn explain(&self) -> String;

    /// Runs the bench and writes the node counts, at this depth or the default one.
    ///
    /// # Errors
    /// When `output` cannot be written.
    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()>;

    /// The openings that are asked for, as FENs; each is made when it is asked for.
    ///
    /// # Errors
    /// What is wrong with the request. The error of an opening ends them.
    fn genfens(&mut self, _request: &Genfens) -> Result<OpeningFens, String> {
        Err("this engine makes no openings".to_owned())
    }

    /// The parameters of the search that can be tuned, a line each: name, type, value, minimum, maximum, and the sizes
    /// `c_end` and `r_end` of the last step of an SPSA run.
    ///
    /// # Errors
    /// The engine has no parameters to tune.
    fn spsa(&self) -> Result<String, String> {
        Err("this engine has no parameters to tune".to_owned())
    }
}

/// The side to move. (`arbiter-chess` has a type of the same name: the two libraries do not depend on each other.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// Has `wtime` and `winc`.
    White,
    /// Has `btime` and `binc`.
    Black,
}

impl Color {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 1 for White, -1 for Black: the way that pawns go.
    pub const fn sign(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// The index into pairs of things, White first.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The end of a game whose side to move, `side`, has no move, in words.
pub const fn end_in_words(is_check: bool, side: Color) -> &'static str {
    match (is_check, side) {
        (true, Color::White) => "Checkmate, Black wins.",
        (true, Color::Black) => "Checkmate, White wins.",
        (false, _) => "Stalemate.",
    }
}

/// The position that a `position` command sets up, from the engine's own ways to read a FEN and to play a move; `play`
/// gives `None` for an illegal move.
///
/// # Errors
/// What is wrong with the position or which move is illegal.
pub fn set_up<P, E: fmt::Display>(
    start: &StartPosition,
    moves: &[UciMove],
    from_fen: impl FnOnce(&str) -> Result<P, E>,
    mut play: impl FnMut(&mut P, UciMove) -> Option<()>,
) -> Result<P, String> {
    let mut position = from_fen(start.fen()).map_err(|error| format!("position: {error}"))?;
    for (index, &mv) in moves.iter().enumerate() {
        play(&mut position, mv)
            .ok_or_else(|| format!("position: move {} of the list, {mv}, is illegal", index + 1))?;
    }
    Ok(position)
}

/// A number of positions visited: moves played by the search, null moves included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nodes(u64);

impl Nodes {
    /// A number of nodes.
    pub const fn new(count: u64) -> Nodes {
        Nodes(count)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Nodes per second; a time below a microsecond counts as one.
    pub fn per_second(self, time: Duration) -> u64 {
        let micros = time.as_micros().max(1);
        (u128::from(self.0) * 1_000_000 / micros) as u64
    }

    /// The `info` of what a search has cost.
    pub fn info(self, time: Duration) -> Info {
        Info { nodes: Some(self.0), nps: Some(self.per_second(time)), time: Some(time), ..Info::default() }
    }

    /// The last `info` line of a search: its total cost. It has the move too, if `last`, the line before it, has another:
    /// then an iteration that was interrupted found it.
    pub fn last_info(self, time: Duration, last: &Info, best: UciMove) -> Info {
        let cost = self.info(time);
        if last.pv.first() == Some(&best) {
            return cost;
        }
        Info { depth: Some(last.depth.unwrap_or(0) + 1), pv: vec![best], ..cost }
    }
}

impl Add for Nodes {
    type Output = Nodes;

    fn add(self, other: Nodes) -> Nodes {
        Nodes(self.0 + other.0)
    }
}

impl AddAssign for Nodes {
    fn add_assign(&mut self, other: Nodes) {
        self.0 += other.0;
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The positions of the bench.
pub fn bench_positions() -> impl Iterator<Item = &'static str> {
    include_str!("bench_positions.fen").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Searches positions and writes the best move and the nodes of each, then the totals.
///
/// # Errors
/// When `output` cannot be written or a search fails.
pub fn run_bench<'a>(
    positions: impl IntoIterator<Item = &'a str>,
    output: &mut dyn Write,
    mut search: impl FnMut(&str) -> io::Result<(Option<UciMove>, u64)>,
) -> io::Result<()> {
    let start = Instant::now();
    let mut total = 0;
    for (index, fen) in positions.into_iter().enumerate() {
        let (best, nodes) = search(fen)?;
        let best = best.map(|best| best.to_string()).unwrap_or_default();
        writeln!(output, "{:>2}  {best:<5} {nodes:>10} nodes  {fen}", index + 1)?;
        total += nodes;
    }
    writeln!(output)?;
    write_totals(Nodes::new(total), start.elapsed(), output)
}

/// Writes the last lines of a bench, which are the same for all engines: the totals.
///
/// # Errors
/// When `output` cannot be written.
pub fn write_totals(nodes: Nodes, time: Duration, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "Total time (ms) : {}", time.as_millis())?;
    writeln!(output, "Nodes searched  : {nodes}")?;
    writeln!(output, "Nodes/second    : {}", nodes.per_second(time))
}
