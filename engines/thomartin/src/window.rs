//! Alpha and beta (chapter "Élagage alpha-bêta"): what Max and Min have already.

use shakmaty::Color;

use super::score::{INFINITE, Score};

/// Scores that still matter: Max has at least `alpha` elsewhere, Min at most `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What Max (White) can have elsewhere.
    pub alpha: Score,
    /// What Min (Black) can have elsewhere.
    pub beta: Score,
}

impl Window {
    /// Every score.
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// `player` has found a move with this score.
    pub fn narrow(&mut self, player: Color, score: Score) {
        match player {
            Color::White => self.alpha = self.alpha.max(score),
            Color::Black => self.beta = self.beta.min(score),
        }
    }

    /// Whether one of the two would not let the game come here.
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether `player` reaches so much with `score` that the opponent would not let the game come here.
    pub fn is_refuted(self, player: Color, score: Score) -> bool {
        player.fold_wb(score >= self.beta, score <= self.alpha)
    }

    /// The window that only asks whether `player` reaches its bound.
    pub fn probe(self, player: Color) -> Window {
        match player {
            Color::White => Window { alpha: self.beta - 1, beta: self.beta },
            Color::Black => Window { alpha: self.alpha, beta: self.alpha + 1 },
        }
    }
}

/// The worst score for `player`.
pub fn worst(player: Color) -> Score {
    player.fold_wb(-INFINITE, INFINITE)
}

/// Whether `player` prefers `score` to `other`.
pub fn is_better(player: Color, score: Score, other: Score) -> bool {
    player.fold_wb(score > other, score < other)
}
