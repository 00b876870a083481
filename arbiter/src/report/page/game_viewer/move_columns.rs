//! What the engines told about their moves, column by column: numbers of one kind compress best beside each other.

use std::time::Duration;

use serde::Serialize;

use referee::Side;
use runner::{MoveRecord, MoveScore};

/// One entry for each move; a column where nothing is known is left out.
#[derive(Clone, Debug, Serialize)]
pub struct MoveColumns {
    /// Scores as White sees them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<Score>>,
    /// Depths in plies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// By how many plies the selective depth is more than the depth, which counts as 0 where it is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seldepths: Vec<Option<i64>>,
    /// Our times in tenths of a millisecond.
    times: Vec<u64>,
    /// What the clock of the side that moved got back with the move, in tenths of a millisecond: what is left now, and
    /// the time of the move, less what was left before. It is the increment nearly always, and takes no room then. The
    /// clocks stand at 0 before the first move.
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
    /// The columns of these moves, the first of them by `first`.
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
                // A mate in 0 is one that the side that moved has suffered.
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

/// The entries, or nothing where all are missing.
fn column<T>(entries: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let entries: Vec<Option<T>> = entries.collect();
    if entries.iter().any(Option::is_some) { entries } else { Vec::new() }
}

/// Tenths of a millisecond, which is as exactly as anybody wants to read a time.
fn tenths(time: Duration) -> i64 {
    (time.as_micros() as i64 + 50) / 100
}
