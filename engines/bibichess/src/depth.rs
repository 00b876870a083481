//! How much further to search.

use std::ops::{Add, Sub};

/// Half-moves left until quiescence; none or less is quiescence itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// The deepest iteration.
    pub const MAX: Depth = Depth(64);

    /// A depth in half-moves.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// The number of half-moves.
    pub const fn plies(self) -> i32 {
        self.0
    }

    /// Whether only quiescence is left.
    pub const fn is_exhausted(self) -> bool {
        self.0 <= 0
    }
}

impl Add<i32> for Depth {
    type Output = Depth;

    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;

    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}
