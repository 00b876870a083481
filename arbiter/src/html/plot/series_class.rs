//! The look of one series among several.

use std::fmt;

/// Colours that the style sheet has; later series repeat them with another dash.
const COLOURS: usize = 8;
const DASHES: usize = 3;

/// The classes of the series with this index: `s2 dash0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesClass(pub usize);

impl fmt::Display for SeriesClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{} dash{}", self.0 % COLOURS, self.0 / COLOURS % DASHES)
    }
}
