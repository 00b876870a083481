//! The trace of the evaluation itself: the sum of all weights.

use super::Score;
use super::feature::{Feature, MATERIAL, PLACEMENT};
use super::trace::{Trace, king_danger_score, placement};
use super::weights::WEIGHTS;
use chess::{Color, PieceKind, Square};

/// The sum of counts times weights, by side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sides: [Score; 2],
    dangers: [Score; 2],
}

impl Sum {
    /// White's score minus Black's.
    #[inline]
    pub fn total(&self) -> Score {
        let [white, black] = self.sides;
        let [by_white, by_black] = self.dangers.map(king_danger_score);
        white - black + by_white - by_black
    }
}

/// Material and piece-square tables added, by colour, kind and square: one lookup instead of two.
static PIECES: [[[Score; 64]; 6]; 2] = {
    let mut table = [[[Score::ZERO; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        let (color, kind, square) = (index / 384, index / 64 % 6, index % 64);
        let place = placement(Color::ALL[color], PieceKind::ALL[kind], Square::from_index(square));
        let (material, placement) = (WEIGHTS[MATERIAL.first + kind], WEIGHTS[PLACEMENT.first + place]);
        table[color][kind][square] =
            Score::new(material.mg() + placement.mg(), material.eg() + placement.eg());
        index += 1;
    }
    table
};

impl Trace for Sum {
    #[inline]
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        self.sides[color.index()] += WEIGHTS[feature.index()] * count;
    }

    #[inline]
    fn add_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.sides[color.index()] += PIECES[color.index()][kind.index()][square.index()];
    }

    #[inline]
    fn add_danger(&mut self, color: Color, feature: Feature, count: i32) {
        self.dangers[color.index()] += WEIGHTS[feature.index()] * count;
    }
}
