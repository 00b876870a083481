//! The static evaluation: [`Evaluator::evaluate`].
//!
//! The evaluation is a sum of features (`feature`) times weights (`weights`). Terms, one file each, count features into a
//! `Trace`: `Sum` for the evaluation, [`Explanation`] for the command `eval`. A weight is a middlegame and an endgame score
//! ([`PhasedScore`]), interpolated by the game phase (tapered evaluation, Fruit, Fabien Letouzey, 2004).

mod feature;
mod pawn_sets;
mod score;
mod terms;
mod trace;
mod weights;

pub use score::PhasedScore;
pub use trace::{Explanation, Term};

use std::sync::Arc;

use self::pawn_sets::{PawnCache, PawnInfo};
use self::terms::{AttackMap, endgame, king, material, pawns, pieces, threats};
use self::trace::{Sum, Trace};
use super::Value;
use super::nnue::{Accumulators, Network};
use chess::{Color, PieceKind, Position};

/// The evaluation and its cache.
#[derive(Debug, Default)]
pub struct Evaluator {
    pawns: PawnCache,
    /// The network, used instead of the terms if there is one.
    network: Option<Accumulators>,
}

impl Evaluator {
    /// An evaluator with an empty cache and no network.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Evaluates with this network from now on, or without one.
    pub fn use_network(&mut self, network: Option<&Arc<Network>>) {
        let present = self.network.as_ref().map(|accumulators| Arc::as_ptr(&accumulators.network));
        if present != network.map(Arc::as_ptr) {
            self.network = network.map(|network| Accumulators::new(Arc::clone(network)));
        }
    }

    /// The static evaluation for the side to move. The position should be quiet and not a check.
    pub fn evaluate(&mut self, position: &Position) -> Value {
        match &mut self.network {
            Some(network) if is_network_asked(position) => {
                network_value(position, network.evaluate(position))
            }
            _ => self.evaluate_by_hand(position),
        }
    }

    fn evaluate_by_hand(&mut self, position: &Position) -> Value {
        let (pawns, pawn_score) = self.pawns.probe(position);
        let mut sum = Sum::default();
        count_terms(position, &pawns, &mut sum);
        let total = sum.total() + pawn_score;
        value(position, total, scale(position, total))
    }
}

/// The factor on the network's value, from 0 to 1, when `ahead` is ahead: less than 1 in drawish endgames.
pub fn network_share(position: &Position, ahead: Color) -> f32 {
    network_scale(position, ahead) as f32 / FULL_NETWORK_SCALE as f32
}

/// The static evaluation, term by term.
pub fn explain(position: &Position) -> Explanation {
    let mut explanation = Explanation::default();
    let pawns = count_pawn_terms(position, &mut explanation);
    count_terms(position, &pawns, &mut explanation);
    let total = explanation.total();
    explanation.phase = phase(position);
    explanation.scale = scale(position, total);
    explanation.value = value(position, total, explanation.scale);
    explanation
}

/// Counts the terms that [`PawnCache`] keeps: pawns and king shelter.
fn count_pawn_terms(position: &Position, trace: &mut impl Trace) -> PawnInfo {
    for us in Color::ALL {
        king::count_shelter(position, us, trace);
        king::count_pawn_distance(position, us, trace);
    }
    let info = PawnInfo::new(position);
    for us in Color::ALL {
        pawns::count(position, us, &info, trace);
    }
    info
}

fn count_terms(position: &Position, pawns: &PawnInfo, trace: &mut impl Trace) {
    let [by_white, by_black] = pawns.attacks;
    let mut maps =
        [AttackMap::new(position, Color::White, by_white), AttackMap::new(position, Color::Black, by_black)];
    for us in Color::ALL {
        pieces::count(position, us, pawns, &mut maps[us.index()], trace);
    }
    for us in Color::ALL {
        let (ours, theirs) = (&maps[us.index()], &maps[(!us).index()]);
        material::count(position, us, trace);
        pawns::count_passed(position, us, pawns, ours, theirs, trace);
        threats::count(position, us, ours, theirs, trace);
        threats::count_space(position, us, ours, theirs, trace);
        king::count_rights(position, us, trace);
        king::count_attack(position, us, ours, theirs, trace);
        endgame::count_lone_king(position, us, trace);
    }
    material::count_lead(position, trace);
    trace.add(position.side_to_move(), feature::TEMPO.at(0), 1);
}

/// The endgame scale for the side that is ahead.
fn scale(position: &Position, total: PhasedScore) -> i32 {
    let stronger = if total.eg() >= 0 { Color::White } else { Color::Black };
    endgame::scale(position, stronger)
}

/// The value for the side to move. `total` is White's score minus Black's.
fn value(position: &Position, total: PhasedScore, scale: i32) -> Value {
    let for_white = total.blend(phase(position), scale).clamp_to_eval();
    match position.side_to_move() {
        Color::White => for_white,
        Color::Black => -for_white,
    }
}

/// The game phase, from [`PhasedScore::ENDGAME`] to [`PhasedScore::MIDDLEGAME`]: minor pieces count 1, rooks 2, queens 4.
fn phase(position: &Position) -> i32 {
    let count = |kind| position.of_kind(kind).count() as i32;
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    (minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen)).min(PhasedScore::MIDDLEGAME)
}

/// Whether the network evaluates the position. Not if a side has only its king: the training games end before. It learns
/// rare endings poorly; rules know them exactly.
fn is_network_asked(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| position.colored(color).more_than_one())
}

/// Scales the network's value, both for the side to move.
fn network_value(position: &Position, centipawns: i32) -> Value {
    let us = position.side_to_move();
    let counted = network_scale(position, if centipawns >= 0 { us } else { !us });
    Value::new(centipawns * counted / FULL_NETWORK_SCALE).clamp_to_eval()
}

/// The share of the network's value that counts, in parts of [`FULL_NETWORK_SCALE`], when `ahead` is ahead. The endgame
/// scale applies to the endgame part of the game phase. Training scales the output in the same way.
fn network_scale(position: &Position, ahead: Color) -> i32 {
    let scale = endgame::scale(position, ahead);
    FULL_NETWORK_SCALE - (PhasedScore::MIDDLEGAME - phase(position)) * (PhasedScore::FULL_SCALE - scale)
}

/// The value of [`network_scale`] at which the network's value counts in full.
const FULL_NETWORK_SCALE: i32 = PhasedScore::MIDDLEGAME * PhasedScore::FULL_SCALE;
