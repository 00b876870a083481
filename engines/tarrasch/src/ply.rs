//! The distance from the root of the search.

/// The number of plies from the root, from 0 to [`Ply::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(u8);

impl Ply {
    /// The root itself.
    pub const ROOT: Ply = Ply(0);
    /// The deepest ply. Here the search only evaluates.
    pub const MAX: Ply = Ply(127);
    /// The number of plies, for arrays indexed by ply.
    pub const COUNT: usize = Ply::MAX.0 as usize + 1;

    /// This many plies from the root, at most [`Ply::MAX`].
    pub const fn new(plies: u8) -> Ply {
        if plies < Ply::MAX.0 { Ply(plies) } else { Ply::MAX }
    }

    /// The number of plies.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The index into arrays of [`Ply::COUNT`] elements.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next ply, at most [`Ply::MAX`].
    #[must_use]
    pub const fn next(self) -> Ply {
        Ply::new(self.0 + 1)
    }

    /// Whether this is the root.
    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}
