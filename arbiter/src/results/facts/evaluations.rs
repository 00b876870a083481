//! The evaluations that engines reported.

use runner::MoveScore;

/// Scores beyond this many pawns, and mates, are in the outermost bins.
const REACH: i32 = 10;
/// Bins per pawn.
const BINS_PER_PAWN: i32 = 2;

/// The scores that an engine reported, in bins of half a pawn, from its point of view.
#[derive(Clone, Debug)]
pub struct Evaluations {
    counts: Vec<u64>,
}

impl Evaluations {
    /// The borders at which a histogram has texts: the place, counted in bins, and the pawns.
    pub fn ticks() -> Vec<(f64, i32)> {
        (-REACH..=REACH).step_by(5).map(|pawns| (f64::from((pawns + REACH) * BINS_PER_PAWN), pawns)).collect()
    }

    /// Counts the score of one move.
    pub fn add(&mut self, score: MoveScore) {
        let pawns = f64::from(score.clamped_centipawns()) / 100.0 + f64::from(REACH);
        let bin = (pawns * f64::from(BINS_PER_PAWN)).floor().max(0.0) as usize;
        let last = self.counts.len() - 1;
        self.counts[bin.min(last)] += 1;
    }

    /// The counts, from far behind to far ahead.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
}

impl Default for Evaluations {
    fn default() -> Evaluations {
        Evaluations { counts: vec![0; (2 * REACH * BINS_PER_PAWN) as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_score_begins_the_upper_half_and_mates_lie_at_the_ends() {
        let mut evaluations = Evaluations::default();
        for score in
            [MoveScore::Cp(0), MoveScore::Cp(-1), MoveScore::Mate(3), MoveScore::Mate(-3), MoveScore::Cp(999)]
        {
            evaluations.add(score);
        }
        let counts = evaluations.counts();
        assert_eq!((counts[20], counts[19], counts[39], counts[0]), (1, 1, 2, 1));
        assert_eq!(Evaluations::ticks()[2], (20.0, 0));
    }
}
