//! How sure a search is of its move, and so how much of its time it should use.

use super::params;

/// How sure a search is of its move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// For how many iterations the best move has been the same.
    pub iterations: u32,
    /// By how many centipawns its value fell in the last one.
    pub value_drop: i32,
    /// The share of all nodes that were spent on it, from 0 to 1: what is left went into refuting the others.
    pub node_share: f64,
}

impl Stability {
    /// An unsteady best move deserves more time, a steady one less: the factor for the soft limit.
    pub fn time_factor(self) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let by_iterations = match self.iterations {
            0 => params::time_new_move(),
            1 => params::time_second_iteration(),
            2 => params::time_third_iteration(),
            3 => params::time_fourth_iteration(),
            4 => params::time_fifth_iteration(),
            _ => params::time_steady_move(),
        };
        let by_drop = (1.0 + f64::from(self.value_drop) * percent(params::time_drop()) / 100.0)
            .clamp(percent(params::time_drop_min()), percent(params::time_drop_max()));
        let by_share =
            (percent(params::time_share_base()) - self.node_share) * percent(params::time_share_scale());
        percent(by_iterations) * by_drop * by_share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsteady_best_move_gets_more_time() {
        let steady = Stability { iterations: 5, value_drop: 0, node_share: 0.9 };
        assert!(steady.time_factor() < 1.0);
        for unsteady in [
            Stability { iterations: 0, ..steady },
            Stability { value_drop: 60, ..steady },
            Stability { node_share: 0.4, ..steady },
        ] {
            assert!(unsteady.time_factor() > steady.time_factor());
        }
        assert!(Stability { iterations: 0, value_drop: 30, node_share: 0.5 }.time_factor() > 1.0);
    }
}
