//! The interface between an engine and the UCI server, and what all engines share.

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use derive_more::{Add, AddAssign, Display};

use super::{ObeyError, SearchControl};
use crate::{BestMove, EngineOption, Go, Info, OptionValue, StartPosition, UciMove};

/// An engine as the server sees it. The server handles the protocol, the threads and the start of the clock; the engine
/// has the position, the options and the search.
///
/// Errors are texts for people, which the server sends as `info string`.
pub trait UciEngine: Send {
    /// Name and version, as `id name` gives them.
    const NAME: &'static str;
    /// The authors, as `id author` gives them.
    const AUTHOR: &'static str;
    /// The first words of the engine's own commands, which the protocol does not have.
    const OWN_COMMANDS: &'static [&'static str] = &[];

    /// The options, in the order of announcement. The server announces its own `Move Overhead` before them: see
    /// [`SearchControl::overhead`].
    fn options(&self) -> Vec<EngineOption>;

    /// Sets an option. The server has looked it up in [`UciEngine::options`] and read its value, so `name` is spelled as
    /// announced, and `value` has the announced type and range.
    ///
    /// # Errors
    /// Why the value cannot be used; the option keeps its old value.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String>;

    /// Clears the state of earlier games, such as hash table and histories.
    fn new_game(&mut self);

    /// Sets up a position and plays moves from it.
    ///
    /// # Errors
    /// What is wrong with the position, or which move is illegal; the engine keeps its position.
    fn set_position(&mut self, start: &StartPosition, moves: &[UciMove]) -> Result<(), String>;

    /// Searches the position until a limit of `go` is reached or `control` says stop. The search may return as soon as it
    /// is done: the server waits for `stop` or `ponderhit` if the protocol does not allow an answer yet.
    fn search(&mut self, go: &Go, control: &SearchControl, report: &mut dyn FnMut(Info)) -> BestMove;

    /// Perft to `depth` plies, at least 1: each legal move with the number of leaf nodes below it, computed lazily.
    fn perft(&mut self, depth: u32) -> Box<dyn Iterator<Item = (UciMove, u64)> + '_>;

    /// The position for people, in several lines.
    fn display(&self) -> String;

    /// The evaluation of the position for people, in several lines.
    fn explain(&self) -> String;

    /// Runs the bench to the given depth or the default one, and writes the node counts.
    ///
    /// # Errors
    /// If `output` cannot be written.
    fn bench(&mut self, depth: Option<u32>, output: &mut dyn Write) -> io::Result<()>;

    /// Executes a line whose first word is one of [`OWN_COMMANDS`](UciEngine::OWN_COMMANDS), and writes the answer.
    ///
    /// # Errors
    /// What is wrong with the line, or why `output` cannot be written.
    fn own_command(&mut self, line: &str, _output: &mut dyn Write) -> Result<(), ObeyError> {
        Err(ObeyError::Refused(format!("`{line}`: this engine has no such command")))
    }
}

/// The position of a `position` command, set up with the engine's own `from_fen` and `play`. `play` returns `None` for an
/// illegal move.
///
/// # Errors
/// What is wrong with the position, or which move is illegal.
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

/// The number of nodes that a search visited: the moves it played, including null moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Add, AddAssign, Display)]
pub struct Nodes(u64);

impl Nodes {
    /// A number of nodes.
    pub const fn new(count: u64) -> Nodes {
        Nodes(count)
    }

    /// The number of nodes as a plain integer.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Nodes per second. A time below a microsecond counts as one microsecond.
    pub fn per_second(self, time: Duration) -> u64 {
        let micros = time.as_micros().max(1);
        (u128::from(self.0) * 1_000_000 / micros) as u64
    }

    /// An `info` line with the nodes, speed and time of a search.
    pub fn info(self, time: Duration) -> Info {
        Info { nodes: Some(self.0), nps: Some(self.per_second(time)), time: Some(time), ..Info::default() }
    }

    /// The last `info` line of a search, with its total nodes and time. If `best` differs from the move in `last`, the
    /// line before it, an interrupted iteration has found it, so the line has this move too.
    pub fn last_info(self, time: Duration, last: &Info, best: UciMove) -> Info {
        let cost = self.info(time);
        if last.pv.first() == Some(&best) {
            return cost;
        }
        Info { depth: Some(last.depth.unwrap_or(0) + 1), pv: vec![best], ..cost }
    }
}

/// Lets plain numbers be added to units of a search, such as depths and values, and subtracted from them.
#[macro_export]
macro_rules! adds_numbers {
    ($($unit:ident)+) => {$(
        impl ::std::ops::Add<i32> for $unit {
            type Output = $unit;

            fn add(self, number: i32) -> $unit {
                $unit(self.0 + number)
            }
        }

        impl ::std::ops::Sub<i32> for $unit {
            type Output = $unit;

            fn sub(self, number: i32) -> $unit {
                $unit(self.0 - number)
            }
        }
    )+};
}

/// The FENs of the positions that a bench searches: the start position, and forty from games.
pub fn bench_positions() -> impl Iterator<Item = &'static str> {
    include_str!("bench_positions.fen").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Searches each of the positions (FENs) as a new game, writes the best moves and the nodes, and then the totals.
///
/// # Errors
/// If `output` cannot be written or a position cannot be set up.
pub fn run_bench<'a>(
    engine: &mut impl UciEngine,
    go: &Go,
    positions: impl IntoIterator<Item = &'a str>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let start = Instant::now();
    let mut total = 0;
    for (index, fen) in positions.into_iter().enumerate() {
        engine.new_game();
        engine.set_position(&StartPosition::Fen(fen.to_owned()), &[]).map_err(io::Error::other)?;
        let (control, mut nodes) = (SearchControl::new(Instant::now(), false), 0);
        let answer = engine.search(go, &control, &mut |info| nodes = info.nodes.unwrap_or(nodes));
        let best = answer.best.map(|best| best.to_string()).unwrap_or_default();
        writeln!(output, "{:>2}  {best:<5} {nodes:>10} nodes  {fen}", index + 1)?;
        total += nodes;
    }
    writeln!(output)?;
    write_totals(Nodes::new(total), start.elapsed(), output)
}

/// Writes the last lines of a bench, the totals, in the format that all engines share.
///
/// # Errors
/// If `output` cannot be written.
pub fn write_totals(nodes: Nodes, time: Duration, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "Total time (ms) : {}", time.as_millis())?;
    writeln!(output, "Nodes searched  : {nodes}")?;
    writeln!(output, "Nodes/second    : {}", nodes.per_second(time))
}
