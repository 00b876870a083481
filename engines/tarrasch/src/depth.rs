//! The remaining depth of a search.

use std::ops::{Add, Sub};

/// The remaining depth in plies; at zero and below quiescence search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// The horizon: only quiescence search is left.
    pub const ZERO: Depth = Depth(0);
    /// The depth of the first iteration.
    pub const ONE: Depth = Depth(1);
    /// The deepest iteration.
    pub const MAX: Depth = Depth(100);

    /// A depth in plies.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// In plies.
    pub const fn get(self) -> i32 {
        self.0
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
