//! The engines' reports on their moves, as columns, which compress better than rows.

use std::time::Duration;

use serde::Serialize;

use referee::Side;
use runner::{MoveRecord, MoveScore};

/// One entry per move; empty columns are left out.
#[derive(Clone, Debug, Serialize)]
pub struct MoveColumns {
    /// Scores for White.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<Score>>,
    /// Depths in plies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// The selective depth minus the depth in plies; an unknown depth counts as 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seldepths: Vec<Option<i64>>,
    /// Our times in tenths of a millisecond.
    times: Vec<u64>,
    /// What was added to the mover's clock, in tenths of a millisecond: time left + time of the move - time left
    /// before. It is nearly always the increment, which compresses to nothing. Before the first move the clocks have 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<i64>>,
    /// Nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Option<u64>>,
    /// Indices of the moves that were pondered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pondered: Vec<usize>,
}

/// A number of centipawns, or a text such as `M3` or `-M4`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Score {
    Centipawns(i64),
    Mate(String),
}

impl MoveColumns {
    /// The columns of these moves; `first` made the first one.
    pub fn of(moves: &[MoveRecord], first: Side) -> MoveColumns {
        let sides = [first, first.other()].into_iter().cycle();
        let sided = || moves.iter().zip(sides.clone());
        MoveColumns {
            scores: column(sided().map(|(played, side)| Some(Score::seen_by_white(played.score?, side)))),
            depths: column(moves.iter().map(|played| played.depth)),
            seldepths: column(moves.iter().map(|played| {
                Some(i64::from(played.seldepth?) - i64::from(played.depth.unwrap_or_default()))
            })),
            times: moves.iter().map(|played| tenths(played.time) as u64).collect(),
            clocks: clocks(sided()),
            nodes: column(moves.iter().map(|played| played.nodes)),
            pondered: (0..moves.len()).filter(|&at| moves[at].pondered).collect(),
        }
    }
}

impl Score {
    fn seen_by_white(score: MoveScore, mover: Side) -> Score {
        let sign = if mover == Side::White { 1 } else { -1 };
        match score {
            MoveScore::Cp(value) => Score::Centipawns(sign * i64::from(value)),
            MoveScore::Mate(moves) => {
                // Mate in 0: the side that moved is mated.
                let is_for_white = (moves > 0) == (mover == Side::White);
                let minus = if is_for_white { "" } else { "-" };
                Score::Mate(format!("{minus}M{}", moves.unsigned_abs()))
            }
        }
    }
}

fn clocks<'a>(moves: impl Iterator<Item = (&'a MoveRecord, Side)>) -> Vec<Option<i64>> {
    let mut left = [0, 0];
    column(moves.map(|(played, side)| {
        let left = &mut left[usize::from(side == Side::Black)];
        let now = tenths(played.clock_left?);
        let given = now + tenths(played.time) - *left;
        *left = now;
        Some(given)
    }))
}

/// The entries; empty if all are missing.
fn column<T>(entries: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let entries: Vec<Option<T>> = entries.collect();
    if entries.iter().any(Option::is_some) { entries } else { Vec::new() }
}

/// Tenths of a millisecond.
fn tenths(time: Duration) -> i64 {
    (time.as_micros() as i64 + 50) / 100
}
