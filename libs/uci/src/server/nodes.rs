//! Node counts.

use std::fmt;
use std::ops::{Add, AddAssign};
use std::time::Duration;

use crate::Info;

/// A number of positions visited: moves played by the search, null moves included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nodes(u64);

impl Nodes {
    /// A number of nodes.
    pub const fn new(count: u64) -> Nodes {
        Nodes(count)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Nodes per second; a time below a microsecond counts as one.
    pub fn per_second(self, time: Duration) -> u64 {
        let micros = time.as_micros().max(1);
        (u128::from(self.0) * 1_000_000 / micros) as u64
    }

    /// The last `info` line of a search: its total cost.
    pub fn info(self, time: Duration) -> Info {
        Info { nodes: Some(self.0), nps: Some(self.per_second(time)), time: Some(time), ..Info::default() }
    }
}

impl Add for Nodes {
    type Output = Nodes;

    fn add(self, other: Nodes) -> Nodes {
        Nodes(self.0 + other.0)
    }
}

impl AddAssign for Nodes {
    fn add_assign(&mut self, other: Nodes) {
        self.0 += other.0;
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
