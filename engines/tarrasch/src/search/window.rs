//! The alpha-beta window.

use crate::transposition_table::Bound;
use crate::{Ply, Value};

/// The values between alpha and beta, both excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The side to move already has this value: lower ones fail low.
    pub alpha: Value,
    /// The opponent does not allow this value: from here on the node fails high.
    pub beta: Value,
}

impl Window {
    /// Contains every value.
    pub const OPEN: Window = Window { alpha: Value::new(-Value::INFINITE.get()), beta: Value::INFINITE };

    /// The zero window that tests whether a value is above `alpha`.
    pub fn zero_above(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// `radius` centipawns to either side of a value.
    pub fn around(value: Value, radius: i32) -> Window {
        let bounded = |value: Value| value.clamp(-Value::INFINITE, Value::INFINITE);
        Window { alpha: bounded(value - radius), beta: bounded(value + radius) }
    }

    /// The same window from the opponent's point of view.
    #[must_use]
    pub fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Mate distance pruning: the window without mates that are impossible at `ply`. May be empty.
    #[must_use]
    pub fn within_mate_distance(self, ply: Ply) -> Window {
        Window {
            alpha: self.alpha.max(Value::mated_in(ply)),
            beta: self.beta.min(Value::mate_in(ply.next())),
        }
    }

    /// The bound of a value that a search with this window returned. Only PV nodes return exact values.
    pub fn bound_of(self, value: Value, is_pv: bool) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if is_pv && value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Moves a value above beta towards beta, to (beta + `parts` × value) / (`parts` + 1): the search proved that the
    /// value exceeds beta, but not by how much. Mates stay as they are.
    pub fn soften_fail_high(self, value: Value, parts: i32) -> Value {
        let is_above = value > self.beta && !value.is_mate() && !self.beta.is_mate();
        if is_above { self.beta + (value - self.beta) * parts / (parts + 1) } else { value }
    }

    /// Whether no value can lie inside.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_above_the_window_are_softened_and_mates_are_not() {
        let window = Window::zero_above(Value::new(99));
        let tempered = |value: Value, parts| window.soften_fail_high(value, parts);
        assert_eq!(tempered(Value::new(180), 1), Value::new(140));
        assert_eq!(tempered(Value::new(180), 7), Value::new(170));
        assert_eq!(tempered(Value::new(20), 1), Value::new(20));
        let mate = Value::mate_in(Ply::new(5));
        assert_eq!(tempered(mate, 1), mate);
    }
}
