//! The trace: what the terms of the evaluation count features into, and its two listeners.

use std::fmt;

use super::PhasedScore;
use super::feature::{Feature, GROUPS, MATERIAL, PLACEMENT};
use super::weights::WEIGHTS;
use crate::Value;
use chess::{Color, PieceKind, Square};

/// Receives every feature of a position: [`Sum`] and [`Explanation`].
pub trait Trace {
    fn add(&mut self, color: Color, feature: Feature, count: i32);

    /// Adds a piece of `color`: its material and its entry of the piece-square tables.
    fn add_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.add(color, MATERIAL.at(kind.index()), 1);
        self.add(color, PLACEMENT.at(placement(color, kind, square)), 1);
    }

    /// Adds `count` times this feature to the danger of the king that `color` attacks: see [`king_danger_score`].
    fn add_danger(&mut self, color: Color, feature: Feature, count: i32);
}

/// The index into the piece-square tables. The files a to d and h to e share entries.
const fn placement(color: Color, kind: PieceKind, square: Square) -> usize {
    let square = square.relative_to(color);
    let (rank, file) = (square.index() / 8, square.index() % 8);
    let from_edge = if file < 4 { file } else { 7 - file };
    kind.index() * 32 + rank * 4 + from_edge
}

/// The middlegame danger is at most this.
const DANGER_MG_LIMIT: i32 = 1500;
/// The middlegame danger is squared and divided by this.
const DANGER_MG_DIVISOR: i32 = 720;
/// The endgame danger is divided by this.
const DANGER_EG_DIVISOR: i32 = 20;

/// The score for king danger: quadratic in the middlegame, linear in the endgame, zero for negative danger, as in
/// Ethereal (Andrew Grant, 2018).
#[inline]
fn king_danger_score(danger: PhasedScore) -> PhasedScore {
    let (mg, eg) = (danger.mg().clamp(0, DANGER_MG_LIMIT), danger.eg().max(0));
    PhasedScore::new(mg * mg / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR)
}

/// The sum of counts times weights, by side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sides: [PhasedScore; 2],
    dangers: [PhasedScore; 2],
}

impl Sum {
    /// White's score minus Black's.
    #[inline]
    pub fn total(&self) -> PhasedScore {
        let [white, black] = self.sides;
        let [by_white, by_black] = self.dangers.map(king_danger_score);
        white - black + by_white - by_black
    }
}

/// Material and piece-square tables added, by colour, kind and square: one lookup instead of two.
static PIECES: [[[PhasedScore; 64]; 6]; 2] = {
    let mut table = [[[PhasedScore::ZERO; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        let (color, kind, square) = (index / 384, index / 64 % 6, index % 64);
        let place = placement(Color::ALL[color], PieceKind::ALL[kind], Square::from_index(square));
        let (material, placement) = (WEIGHTS[MATERIAL.first + kind], WEIGHTS[PLACEMENT.first + place]);
        table[color][kind][square] =
            PhasedScore::new(material.mg() + placement.mg(), material.eg() + placement.eg());
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

/// All terms of the evaluation for both sides.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    terms: [[PhasedScore; 2]; Term::ALL.len()],
    dangers: [PhasedScore; 2],
    /// The game phase, from [`PhasedScore::ENDGAME`] to [`PhasedScore::MIDDLEGAME`].
    pub phase: i32,
    /// The endgame scale, from 0 to [`PhasedScore::FULL_SCALE`].
    pub scale: i32,
    /// The evaluation for the side to move.
    pub value: Value,
}

impl Explanation {
    pub fn score(&self, term: Term, color: Color) -> PhasedScore {
        match term {
            Term::KingAttack => king_danger_score(self.dangers[color.index()]),
            _ => self.terms[term as usize][color.index()],
        }
    }

    /// White's score minus Black's.
    pub fn total(&self) -> PhasedScore {
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
        let pair = |score: PhasedScore| format!("{:>6} {:>6}", score.mg(), score.eg());
        for term in Term::ALL {
            let (white, black) = (self.score(term, Color::White), self.score(term, Color::Black));
            let columns = [white, black, white - black].map(pair);
            writeln!(f, "{term:<16}{:>14}{:>14}{:>14}", columns[0], columns[1], columns[2])?;
        }
        writeln!(f, "{:<44}{:>14}", "total", pair(self.total()))?;
        writeln!(
            f,
            "phase {} of {}, endgame scale {} of {}",
            self.phase,
            PhasedScore::MIDDLEGAME,
            self.scale,
            64
        )?;
        write!(f, "evaluation for the side to move: {} cp", self.value.get())
    }
}

named_enum! {
    /// A term of the evaluation, as the command `eval` prints it.
    pub enum Term {
        /// Piece values and imbalance.
        Material = "material",
        /// Piece-square tables.
        Placement = "placement",
        Pawns = "pawns",
        /// Passed pawns and candidates.
        PassedPawns = "passed pawns",
        Mobility = "mobility",
        /// Other features of single pieces: bishop pair, outposts, open files, trapped pieces.
        Pieces = "pieces",
        /// Attacked and hanging pieces.
        Threats = "threats",
        /// Space and control of squares.
        Space = "space",
        /// King shelter, pawn storm and castling rights.
        Shelter = "shelter",
        KingAttack = "king attack",
        /// Driving a lone king to the edge.
        LoneKing = "lone king",
        /// A material lead beyond the sum of the pieces, and how well it converts.
        Lead = "lead",
        Tempo = "tempo",
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
