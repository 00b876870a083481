//! The end of a search that did not finish.

/// A limit was reached or `stop` came. The value of the node is unknown, so all nodes above it end, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;
