//! The values that matter to a search.

use crate::transposition_table::Bound;
use crate::{Ply, Value};

/// The open interval between what the side to move already has and what the opponent will not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// A value up to this changes nothing.
    pub alpha: Value,
    /// A value from this on will be avoided by the opponent.
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const OPEN: Window = Window { alpha: Value::new(-Value::INFINITE.get()), beta: Value::INFINITE };

    /// The window that only asks whether a value is above `alpha`.
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

    /// The window without mates that cannot occur at `ply`: neither being mated sooner nor mating faster than on the
    /// next move. May be empty.
    #[must_use]
    pub fn within_mate_distance(self, ply: Ply) -> Window {
        Window {
            alpha: self.alpha.max(Value::mated_in(ply)),
            beta: self.beta.min(Value::mate_in(ply.next())),
        }
    }

    /// How a value that a search with this window returned relates to the true one. Only nodes of the principal
    /// variation find exact values: the others have no room for them.
    pub fn bound_of(self, value: Value, is_pv: bool) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if is_pv && value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Moves a value above beta towards beta: the result has 1 part of beta and `parts` parts of the value. A search with
    /// this window says that the value exceeds beta, but not reliably by how much. Mates stay as they are.
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
    fn only_values_above_the_window_are_tempered_and_mates_are_not() {
        let window = Window::zero_above(Value::new(99));
        let tempered = |value: Value, parts| window.soften_fail_high(value, parts);
        assert_eq!(tempered(Value::new(180), 1), Value::new(140));
        assert_eq!(tempered(Value::new(180), 7), Value::new(170));
        assert_eq!(tempered(Value::new(20), 1), Value::new(20));
        let mate = Value::mate_in(Ply::new(5));
        assert_eq!(tempered(mate, 1), mate);
    }
}
