//! What a position is worth without searching: one function, [`evaluate`], behind which any evaluation could sit.
//!
//! Each side gets a sum of terms, one file per idea. A term is a pair of scores ([`Score`]), and the difference of the
//! two sides is blended by how many pieces are left, as Fruit does (Fabien Letouzey, 2004). [`explain`] runs the same
//! code with a listener that keeps every term.

mod activity;
mod endgame_scale;
mod king_safety;
mod lone_king;
mod passed_pawns;
mod pawn_sets;
mod pawn_structure;
mod piece_square_tables;
mod pieces;
mod score;
mod threats;
mod trace;

pub use score::Score;
pub use trace::{Explanation, Term, Trace, Untraced};

use self::activity::Activity;
use super::Value;
use crate::chess::{Color, PieceKind, Position};

/// What having the move is worth, in centipawns.
const TEMPO: i32 = 14;

/// The value of the position for the side to move. The position should be quiet, and not a check.
pub fn evaluate(position: &Position) -> Value {
    assess(position, &mut Untraced).value
}

/// The value of the position and everything it is made of.
pub fn explain(position: &Position) -> Explanation {
    let mut explanation = Explanation::default();
    let assessment = assess(position, &mut explanation);
    explanation.phase = assessment.phase;
    explanation.scale = assessment.scale;
    explanation.value = assessment.value;
    explanation
}

/// The outcome of an evaluation.
struct Assessment {
    phase: i32,
    scale: i32,
    value: Value,
}

fn assess<T: Trace>(position: &Position, trace: &mut T) -> Assessment {
    let activities = Color::ALL.map(|color| Activity::new(position, color));
    let [white, black] = Color::ALL.map(|color| score_of(position, color, &activities, trace));
    let score = white - black;
    let stronger = if score.eg() >= 0 { Color::White } else { Color::Black };
    let (phase, scale) = (phase(position), endgame_scale::scale(position, stronger));
    let for_white = score.blend(phase, scale);
    let value = match position.side_to_move() {
        Color::White => for_white,
        Color::Black => -for_white,
    };
    Assessment { phase, scale, value: (value + TEMPO).clamp_to_eval() }
}

/// The sum of all terms of one side.
fn score_of<T: Trace>(position: &Position, us: Color, activities: &[Activity; 2], trace: &mut T) -> Score {
    let (ours, theirs) = (&activities[us.index()], &activities[(!us).index()]);
    let terms = [
        (Term::Material, pieces::material(position, us)),
        (Term::Placement, pieces::placement(position, us)),
        (Term::PawnStructure, pawn_structure::score(position, us)),
        (Term::PassedPawns, passed_pawns::score(position, us)),
        (Term::Mobility, ours.mobility),
        (Term::BishopPair, pieces::bishop_pair(position, us)),
        (Term::Rooks, pieces::rooks(position, us)),
        (Term::Threats, threats::score(position, us, ours, theirs)),
        (Term::PawnShield, king_safety::pawn_shield(position, us)),
        (Term::KingAttack, king_safety::attack(position, us, ours, theirs)),
        (Term::LoneKing, lone_king::score(position, us)),
    ];
    for (term, score) in terms {
        trace.term(term, us, score);
    }
    terms.into_iter().map(|(_, score)| score).sum()
}

/// How much of the middlegame is left, from [`Score::ENDGAME`] to [`Score::MIDDLEGAME`]: minor pieces count 1, rooks 2,
/// queens 4.
fn phase(position: &Position) -> i32 {
    let count = |kind| position.of_kind(kind).count() as i32;
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    (minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen)).min(Score::MIDDLEGAME)
}
