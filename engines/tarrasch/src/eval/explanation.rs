//! The evaluation, term by term.

use std::fmt;

use super::feature::{Feature, GROUPS};
use super::trace::{Trace, king_danger_score};
use super::weights::WEIGHTS;
use super::{Score, Term};
use crate::Value;
use chess::Color;

/// All terms of the evaluation for both sides.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    terms: [[Score; 2]; Term::ALL.len()],
    dangers: [Score; 2],
    /// The game phase, from [`Score::ENDGAME`] to [`Score::MIDDLEGAME`].
    pub phase: i32,
    /// The endgame scale, from 0 to [`Score::FULL_SCALE`].
    pub scale: i32,
    /// The evaluation for the side to move.
    pub value: Value,
}

impl Explanation {
    /// The score of `color` for `term`.
    pub fn score(&self, term: Term, color: Color) -> Score {
        match term {
            Term::KingAttack => king_danger_score(self.dangers[color.index()]),
            _ => self.terms[term as usize][color.index()],
        }
    }

    /// White's score minus Black's.
    pub fn total(&self) -> Score {
        let difference = |term| self.score(term, Color::White) - self.score(term, Color::Black);
        Term::ALL.into_iter().map(difference).sum()
    }
}

impl Trace for Explanation {
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        let group = GROUPS.partition_point(|group| group.first <= feature.index()) - 1;
        self.terms[GROUPS[group].term as usize][color.index()] += WEIGHTS[feature.index()] * count;
    }

    fn add_danger(&mut self, color: Color, feature: Feature, count: i32) {
        self.dangers[color.index()] += WEIGHTS[feature.index()] * count;
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16}{:>14}{:>14}{:>14}", "mg, eg in cp", "White", "Black", "difference")?;
        let pair = |score: Score| format!("{:>6} {:>6}", score.mg(), score.eg());
        for term in Term::ALL {
            let (white, black) = (self.score(term, Color::White), self.score(term, Color::Black));
            let columns = [white, black, white - black].map(pair);
            writeln!(f, "{term:<16}{:>14}{:>14}{:>14}", columns[0], columns[1], columns[2])?;
        }
        writeln!(f, "{:<44}{:>14}", "total", pair(self.total()))?;
        writeln!(f, "phase {} of {}, endgame scale {} of {}", self.phase, Score::MIDDLEGAME, self.scale, 64)?;
        write!(f, "evaluation for the side to move: {} cp", self.value.get())
    }
}
