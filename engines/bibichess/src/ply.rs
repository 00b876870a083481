//! How far the search is from its root.

/// Half-moves played since the root of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(usize);

impl Ply {
    /// The position to find a move for.
    pub const ROOT: Ply = Ply(0);
    /// Where extensions end, so that recursion does: a position here is evaluated whatever goes on in it.
    pub const LAST: Ply = Ply(127);
    /// How many plies there are, for arrays with one element for each.
    pub const COUNT: usize = Ply::LAST.0 + 1;

    /// The ply after so many half-moves.
    #[cfg(test)]
    pub const fn new(half_moves: usize) -> Ply {
        Ply(half_moves)
    }

    /// The number of half-moves.
    pub const fn get(self) -> usize {
        self.0
    }

    /// One half-move further.
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// Whether this is the position to find a move for.
    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}
