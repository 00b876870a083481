//! Watching the evaluation add up.

use std::fmt;

use super::Score;
use crate::chess::Color;
use crate::engine::Value;

/// The parts that the evaluation is the sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// What the pieces are worth by themselves.
    Material,
    /// Where they stand.
    Placement,
    /// Doubled, isolated and backward pawns.
    PawnStructure,
    /// Passed pawns and candidates.
    PassedPawns,
    /// The squares that pieces can safely go to.
    Mobility,
    /// Two bishops.
    BishopPair,
    /// Rooks on open files and on the seventh rank.
    Rooks,
    /// Pieces under attack.
    Threats,
    /// The pawns in front of the king.
    PawnShield,
    /// The attack on the enemy king.
    KingAttack,
    /// Driving a lone king to the edge.
    LoneKing,
}

impl Term {
    /// All terms in the order of display.
    pub const ALL: [Term; 11] = [
        Term::Material,
        Term::Placement,
        Term::PawnStructure,
        Term::PassedPawns,
        Term::Mobility,
        Term::BishopPair,
        Term::Rooks,
        Term::Threats,
        Term::PawnShield,
        Term::KingAttack,
        Term::LoneKing,
    ];

    fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Placement => "placement",
            Term::PawnStructure => "pawn structure",
            Term::PassedPawns => "passed pawns",
            Term::Mobility => "mobility",
            Term::BishopPair => "bishop pair",
            Term::Rooks => "rooks",
            Term::Threats => "threats",
            Term::PawnShield => "pawn shield",
            Term::KingAttack => "king attack",
            Term::LoneKing => "lone king",
        }
    }
}

/// Is told every term as the evaluation computes it.
pub trait Trace {
    /// `color` gets `score` for `term`.
    fn term(&mut self, term: Term, color: Color, score: Score);
}

/// Does not listen; costs nothing.
#[derive(Debug)]
pub struct Untraced;

impl Trace for Untraced {
    #[inline]
    fn term(&mut self, _: Term, _: Color, _: Score) {}
}

/// Every term for both sides, and how they blend.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    terms: [[Score; 2]; Term::ALL.len()],
    /// The game phase, from [`Score::ENDGAME`] to [`Score::MIDDLEGAME`].
    pub phase: i32,
    /// How much of the endgame score counts, of [`Score::FULL_SCALE`].
    pub scale: i32,
    /// The result from the side to move's point of view, the tempo included.
    pub value: Value,
}

impl Explanation {
    /// What `color` got for `term`.
    pub fn score(&self, term: Term, color: Color) -> Score {
        self.terms[term as usize][color.index()]
    }
}

impl Trace for Explanation {
    fn term(&mut self, term: Term, color: Color, score: Score) {
        self.terms[term as usize][color.index()] += score;
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16}{:>14}{:>14}{:>14}", "mg, eg in cp", "White", "Black", "difference")?;
        let pair = |score: Score| format!("{:>6} {:>6}", score.mg(), score.eg());
        let mut total = Score::ZERO;
        for term in Term::ALL {
            let (white, black) = (self.score(term, Color::White), self.score(term, Color::Black));
            total += white - black;
            let columns = [white, black, white - black].map(pair);
            writeln!(f, "{:<16}{:>14}{:>14}{:>14}", term.name(), columns[0], columns[1], columns[2])?;
        }
        writeln!(f, "{:<44}{:>14}", "total", pair(total))?;
        writeln!(f, "phase {} of {}, endgame scale {} of {}", self.phase, Score::MIDDLEGAME, self.scale, 64)?;
        write!(f, "evaluation for the side to move: {} cp", self.value.get())
    }
}
