//! How much shallower late moves are searched.

use std::sync::LazyLock;

use crate::Depth;

/// Computed at its first use, as the compiler knows no logarithms.
static TABLE: LazyLock<Reductions> = LazyLock::new(Reductions::compute);

/// The reduction in plies by depth and move count, growing with the logarithm of both (Chess Programming
/// Wiki, "Late Move Reductions").
#[derive(Debug)]
pub struct Reductions(Box<[[u8; 64]; 64]>);

impl Reductions {
    const BASE: f64 = 1.5;
    const DIVISOR: f64 = 2.3;

    /// The one table.
    pub fn table() -> &'static Reductions {
        &TABLE
    }

    fn compute() -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (move_count, plies) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (move_count as f64).ln();
                *plies = (Reductions::BASE + product / Reductions::DIVISOR) as u8;
            }
        }
        Reductions(table)
    }

    /// Plies to reduce the move with this move count, from 1.
    pub fn plies(&self, depth: Depth, move_count: usize) -> i32 {
        let depth = depth.get().clamp(0, 63) as usize;
        i32::from(self.0[depth][move_count.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        let reductions = Reductions::table();
        assert_eq!(reductions.plies(Depth::new(3), 1), reductions.plies(Depth::new(60), 1));
        for depth in 2..63 {
            for move_count in 2..63 {
                let here = reductions.plies(Depth::new(depth), move_count);
                assert!(reductions.plies(Depth::new(depth + 1), move_count) >= here);
                assert!(reductions.plies(Depth::new(depth), move_count + 1) >= here);
            }
        }
    }
}
