//! Random play from the best moves of an engine.

use super::evaluator::{EvaluatorError, OpeningEvaluator};
use referee::openings::SeededDraw;
use referee::{Referee, Variant};

/// Random choice among the moves that a short search scores nearly as high as the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidedPlay {
    /// Number of moves to choose from, at least 1.
    pub multipv: u32,
    /// Nodes for the choice of each move.
    pub nodes: u64,
    /// How much worse than the best a move may be, in centipawns. A move that loses `n` centipawns has the weight
    /// `tolerance + 1 - n`.
    pub tolerance: u32,
    /// The largest advantage of either side after the move, in centipawns; the best move is played where none is left.
    pub max_advantage: u32,
}

impl GuidedPlay {
    /// Plays from the start position for `plies` plies or until the game is over. Returns the moves in SAN.
    pub(super) fn play(
        &self,
        evaluator: &mut OpeningEvaluator<'_>,
        draw: &mut SeededDraw,
        plies: u32,
    ) -> Result<(Referee, Vec<String>), EvaluatorError> {
        let mut referee = Referee::new(Variant::Standard);
        let mut line = Vec::with_capacity(plies as usize);
        while line.len() < plies as usize && referee.outcome().is_none() {
            let fen = referee.fen();
            let scored = evaluator.best_moves(&fen, self.multipv, self.nodes)?;
            let chosen = self.choose(&scored, draw);
            let played = referee.play(chosen).map_err(|_| EvaluatorError::NoScore { fen })?;
            line.push(played.san().to_owned());
        }
        Ok((referee, line))
    }

    /// A move chosen at random by weight; `scored` has the best first.
    fn choose<'m>(&self, scored: &'m [(String, i32)], draw: &mut SeededDraw) -> &'m str {
        let best = scored[0].1;
        let weight = |score: i32| {
            if score.unsigned_abs() > self.max_advantage {
                return 0;
            }
            let lost = u64::from(best.saturating_sub(score).max(0).unsigned_abs());
            (u64::from(self.tolerance) + 1).saturating_sub(lost)
        };
        let mut left = draw.below(scored.iter().map(|(_, score)| weight(*score)).sum());
        for (text, score) in scored {
            match left.checked_sub(weight(*score)) {
                Some(rest) => left = rest,
                None => return text,
            }
        }
        &scored[0].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_moves_are_likelier_and_bad_ones_are_never_chosen() {
        let play = GuidedPlay { multipv: 4, nodes: 1, tolerance: 30, max_advantage: 50 };
        let scored =
            [("a", 20), ("b", 5), ("c", -10), ("d", -11)].map(|(name, score)| (name.to_owned(), score));
        let mut draw = SeededDraw::new(1, 0);
        let mut counts = [0_u32; 4];
        for _ in 0..4_800 {
            let name = play.choose(&scored, &mut draw);
            counts[scored.iter().position(|(other, _)| other == name).unwrap()] += 1;
        }
        // Weights 31, 16, 1 and 0: expected 3,100, 1,600 and 100, with standard deviations of 33 and 10.
        assert!((2_950..3_250).contains(&counts[0]) && (1_450..1_750).contains(&counts[1]), "{counts:?}");
        assert!((60..140).contains(&counts[2]) && counts[3] == 0, "{counts:?}");
    }

    #[test]
    fn a_move_within_the_largest_advantage_is_chosen_where_there_is_one() {
        let play = GuidedPlay { multipv: 3, nodes: 1, tolerance: 200, max_advantage: 50 };
        let scored =
            |scores: [i32; 3]| ["a", "b", "c"].into_iter().map(str::to_owned).zip(scores).collect::<Vec<_>>();
        let mut draw = SeededDraw::new(1, 0);
        for _ in 0..50 {
            assert_eq!(play.choose(&scored([70, 50, -60]), &mut draw), "b");
            assert_eq!(play.choose(&scored([90, 80, 51]), &mut draw), "a");
        }
    }
}
