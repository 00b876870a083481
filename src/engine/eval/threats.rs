//! Pieces that stand under attack.

use super::Score;
use super::activity::Activity;
use crate::chess::{Color, PieceKind, Position};

const BY_PAWN: Score = Score::new(45, 30);
const HEAVY_BY_MINOR: Score = Score::new(28, 20);
const HANGING: Score = Score::new(20, 22);

/// What `us` threatens: pieces by pawns, rooks and queens by knights and bishops, anything undefended by anything.
pub fn score(position: &Position, us: Color, ours: &Activity, theirs: &Activity) -> Score {
    let enemies = position.colored(!us) & !position.of_kind(PieceKind::King);
    let pieces = enemies & !position.of_kind(PieceKind::Pawn);
    let heavy = pieces & (position.of_kind(PieceKind::Rook) | position.of_kind(PieceKind::Queen));
    let by_minor = ours.by(PieceKind::Knight) | ours.by(PieceKind::Bishop);
    let hanging = enemies & ours.all & !theirs.all;
    BY_PAWN * (pieces & ours.by(PieceKind::Pawn)).count() as i32
        + HEAVY_BY_MINOR * (heavy & by_minor).count() as i32
        + HANGING * hanging.count() as i32
}
