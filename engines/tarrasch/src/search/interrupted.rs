//! The end of a search that did not finish.

/// A limit was reached, or `stop` came: the value of the node is unknown, and everything above it unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;
