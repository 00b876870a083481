//! The table of late-move reductions.

use super::params;
use crate::Depth;

/// The reduction in plies, by depth and move count: `base + ln(depth) ln(move count) / divisor` (Chess Programming
/// Wiki, "Late Move Reductions").
#[derive(Debug)]
pub struct Reductions {
    plies: Box<[[u8; 64]; 64]>,
    /// The parameters of the table, in hundredths.
    base: i32,
    divisor: i32,
}

impl Default for Reductions {
    fn default() -> Reductions {
        let (base, divisor) = (params::late_move_reduction_base(), params::late_move_reduction_divisor());
        let mut plies = Box::new([[0; 64]; 64]);
        for (depth, row) in plies.iter_mut().enumerate().skip(1) {
            for (move_count, plies) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (move_count as f64).ln();
                *plies = (f64::from(base) / 100.0 + product / (f64::from(divisor) / 100.0)) as u8;
            }
        }
        Reductions { plies, base, divisor }
    }
}

impl Reductions {
    /// Recomputes the table if the parameters have changed.
    pub fn refresh(&mut self) {
        let now = [params::late_move_reduction_base(), params::late_move_reduction_divisor()];
        if [self.base, self.divisor] != now {
            *self = Reductions::default();
        }
    }

    /// The reduction in plies at this depth for this move count, from 1.
    pub fn plies(&self, depth: Depth, move_count: usize) -> i32 {
        let depth = depth.get().clamp(0, 63) as usize;
        i32::from(self.plies[depth][move_count.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        let reductions = Reductions::default();
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
