//! The parts of the evaluation, as people read them.

use std::fmt;

/// The parts that the evaluation is the sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// What the pieces are worth by themselves.
    Material,
    /// Where they stand.
    Placement,
    /// Doubled, isolated and backward pawns; pawns that help each other.
    Pawns,
    /// Passed pawns and candidates.
    PassedPawns,
    /// The squares that pieces can safely go to.
    Mobility,
    /// Pieces and the pawns around them: pairs, outposts, files, traps.
    Pieces,
    /// What is under attack.
    Threats,
    /// Safe squares behind the pawns.
    Space,
    /// The pawns in front of the king.
    Shelter,
    /// The attack on the enemy king.
    KingAttack,
    /// Driving a lone king to the edge.
    LoneKing,
    /// What being ahead in material is worth beyond the pieces.
    Lead,
    /// Having the move.
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
