//! The interface of an engine to the UCI server.

use std::io::{self, Write};

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
    fn name(&self) -> String;

    /// The authors, as `id author` gives them.
    fn author(&self) -> String;

    /// The options in the order of their announcement.
    fn options(&self) -> Vec<EngineOption>;

    /// Options that had another name in the last version, the old name first. The old names still work, with a note.
    fn renamed_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

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

    /// Perft to `depth` plies: reports the count of leaf nodes below each move. Ends early when `control` says stop.
    fn perft(&mut self, depth: u32, control: &SearchControl, report: &mut dyn FnMut(UciMove, u64));

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
    /// Why there are none.
    fn spsa(&self) -> Result<String, String> {
        Err("this engine has no parameters to tune".to_owned())
    }
}
