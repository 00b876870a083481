//! Random play that an engine keeps from nonsense.

use super::judge::{OpeningJudge, OpeningJudgeError};
use referee::openings::SeededDraw;
use referee::{Referee, Variant};

/// Moves drawn at random among those that a short search finds nearly as good as its best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidedPlay {
    /// How many moves to draw from, at least 1.
    pub choices: u32,
    /// Nodes for the choice of each move.
    pub nodes: u64,
    /// How much worse than the best a move may be, in centipawns. A move that loses nothing is drawn so many times
    /// (plus one) as often as one that loses all of it, and in between in proportion.
    pub tolerance: u32,
    /// No move is drawn after which either side is better by more than this, in centipawns, as long as there is one.
    pub ceiling: u32,
}

impl GuidedPlay {
    /// Plays from the start position, for so many half-moves or until the game is over. Returns the moves in SAN.
    pub(super) fn play(
        &self,
        judge: &mut OpeningJudge<'_>,
        draw: &mut SeededDraw,
        plies: u32,
    ) -> Result<(Referee, Vec<String>), OpeningJudgeError> {
        let mut referee = Referee::new(Variant::Standard);
        let mut line = Vec::with_capacity(plies as usize);
        while line.len() < plies as usize && referee.outcome().is_none() {
            let fen = referee.fen();
            let scored = judge.best_moves(&fen, self.choices, self.nodes)?;
            let chosen = self.choose(&scored, draw);
            let played = referee.play(chosen).map_err(|_| OpeningJudgeError::NoScore { fen })?;
            line.push(played.san().to_owned());
        }
        Ok((referee, line))
    }

    /// One of the moves, by its weight; the first is the best.
    fn choose<'m>(&self, scored: &'m [(String, i32)], draw: &mut SeededDraw) -> &'m str {
        let best = scored[0].1;
        let weight = |score: i32| {
            if score.unsigned_abs() > self.ceiling {
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
    fn good_moves_are_drawn_more_often_and_bad_ones_never() {
        let play = GuidedPlay { choices: 4, nodes: 1, tolerance: 30, ceiling: 50 };
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
    fn a_move_that_leaves_the_game_even_is_drawn_where_there_is_one() {
        let play = GuidedPlay { choices: 3, nodes: 1, tolerance: 200, ceiling: 50 };
        let scored =
            |scores: [i32; 3]| ["a", "b", "c"].into_iter().map(str::to_owned).zip(scores).collect::<Vec<_>>();
        let mut draw = SeededDraw::new(1, 0);
        for _ in 0..50 {
            assert_eq!(play.choose(&scored([70, 50, -60]), &mut draw), "b");
            assert_eq!(play.choose(&scored([90, 80, 51]), &mut draw), "a");
        }
    }
}
