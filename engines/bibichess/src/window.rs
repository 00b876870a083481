//! The values that still matter (§2.1.2).

use crate::value::Value;

/// The interval between what the side to move already has and what its opponent already has elsewhere: a value outside
/// is refuted further up.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The side to move is sure of this much.
    pub alpha: Value,
    /// The opponent will not allow this much.
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const OPEN: Window = Window { alpha: Window::LOWEST, beta: Value::INFINITE };
    const LOWEST: Value = Value::centipawns(-Value::INFINITE.get());

    /// The window as the opponent sees it.
    #[must_use]
    pub fn of_opponent(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only whether a move is better than `alpha` matters (§2.1.4).
    #[must_use]
    pub fn zero_above_alpha(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }

    /// Only whether a move is as good as `beta` matters (§2.3.1).
    #[must_use]
    pub fn zero_below_beta(self) -> Window {
        Window { alpha: self.beta - 1, ..self }
    }

    /// Whether no value lies strictly between the two ends.
    pub fn is_zero(self) -> bool {
        self.beta <= self.alpha + 1
    }

    /// Whether the side to move has so much that the opponent will not let it come to this.
    pub fn is_refuted(self) -> bool {
        self.alpha >= self.beta
    }
}
