//! What the engine does wrong: one mode of one moment.

use std::str::FromStr;

use crate::ending::Ending;
use crate::introduction::Introduction;
use crate::readiness::Readiness;
use crate::search::Search;
use crate::slowness::Slowness;

/// A way to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Without fault.
    Well,
    /// From the start to `uciok`.
    Introduction(Introduction),
    /// On `isready` and `ucinewgame`.
    Readiness(Readiness),
    /// On `position` and `go`.
    Search(Search),
    /// On `quit` and the end of the input.
    Ending(Ending),
}

impl Behaviour {
    /// How lines end.
    pub fn line_end(self) -> &'static str {
        if self == Behaviour::Search(Search::CarriageReturns) { "\r\n" } else { "\n" }
    }

    /// The names of all modes, that of the good engine left out.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [Introduction::NAMES, Readiness::NAMES, Search::NAMES, Ending::NAMES].into_iter().flatten().copied()
    }
}

impl FromStr for Behaviour {
    type Err = ();

    fn from_str(name: &str) -> Result<Behaviour, ()> {
        // What these do wrong is said elsewhere.
        if name == "well" || name.starts_with("ponder-") || Slowness::named(name).is_some() {
            return Ok(Behaviour::Well);
        }
        let introduction = Introduction::named(name).map(Behaviour::Introduction);
        let readiness = Readiness::named(name).map(Behaviour::Readiness);
        let search = Search::named(name).map(Behaviour::Search);
        introduction.or(readiness).or(search).or(Ending::named(name).map(Behaviour::Ending)).ok_or(())
    }
}
