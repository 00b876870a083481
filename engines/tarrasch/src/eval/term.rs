//! The terms of the evaluation, as the command `eval` prints them.

use std::fmt;

/// A term of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Piece values and imbalance.
    Material,
    /// Piece-square tables.
    Placement,
    /// Pawn structure.
    Pawns,
    /// Passed pawns and candidates.
    PassedPawns,
    /// Mobility.
    Mobility,
    /// Other features of single pieces: bishop pair, outposts, open files, trapped pieces.
    Pieces,
    /// Attacked and hanging pieces.
    Threats,
    /// Space and control of squares.
    Space,
    /// King shelter, pawn storm and castling rights.
    Shelter,
    /// King danger.
    KingAttack,
    /// Driving a lone king to the edge.
    LoneKing,
    /// A material lead beyond the sum of the pieces, and how well it converts.
    Lead,
    /// The side to move.
    Tempo,
}

impl Term {
    /// All terms in the order of display.
    pub const ALL: [Term; 13] = [
        Term::Material,
        Term::Placement,
        Term::Pawns,
        Term::PassedPawns,
        Term::Mobility,
        Term::Pieces,
        Term::Threats,
        Term::Space,
        Term::Shelter,
        Term::KingAttack,
        Term::LoneKing,
        Term::Lead,
        Term::Tempo,
    ];
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Term::Material => "material",
            Term::Placement => "placement",
            Term::Pawns => "pawns",
            Term::PassedPawns => "passed pawns",
            Term::Mobility => "mobility",
            Term::Pieces => "pieces",
            Term::Threats => "threats",
            Term::Space => "space",
            Term::Shelter => "shelter",
            Term::KingAttack => "king attack",
            Term::LoneKing => "lone king",
            Term::Lead => "lead",
            Term::Tempo => "tempo",
        })
    }
}
