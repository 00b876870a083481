//! How far a search still looks ahead.

use std::ops::{Add, Sub};

/// Half-moves still to be searched; at zero and below, quiescence takes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// The horizon: nothing left but quiescence.
    pub const ZERO: Depth = Depth(0);
    /// The depth of the first iteration.
    pub const ONE: Depth = Depth(1);
    /// The deepest iteration.
    pub const MAX: Depth = Depth(100);

    /// That many half-moves.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// The number behind the type.
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
