//! What a position is about: the win or the draw that only one move keeps.

use std::fmt;

use uci::ScoreValue;

/// The result that the best move keeps and every other move gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stake {
    /// One move wins, and with the others the game is level or worse.
    Win,
    /// One move holds, and the others lose.
    Draw,
}

impl Stake {
    /// What is at stake between the scores of the best and of the second move; `None` when both lead to the same
    /// result, or when one of them is too close to call.
    ///
    /// A move wins from `winning` centipawns on and loses from as many below zero; it is level up to `level` centipawns
    /// from zero. Scores are those of the side to move.
    pub fn between(best: ScoreValue, second: ScoreValue, winning: i32, level: i32) -> Option<Stake> {
        let (best, second) = (centipawns(best), centipawns(second));
        if best >= winning && second <= level {
            Some(Stake::Win)
        } else if best >= -level && second <= -winning {
            Some(Stake::Draw)
        } else {
            None
        }
    }
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stake::Win => "wins",
            Stake::Draw => "holds",
        })
    }
}

/// A score as one number; a mate is beyond every evaluation.
fn centipawns(score: ScoreValue) -> i32 {
    match score {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) if moves > 0 => i32::MAX,
        ScoreValue::Mate(_) => i32::MIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScoreValue::{Centipawns, Mate};

    #[test]
    fn only_two_different_results_are_a_stake() {
        let stake = |best, second| Stake::between(best, second, 200, 60);
        assert_eq!(stake(Centipawns(200), Centipawns(60)), Some(Stake::Win));
        assert_eq!(stake(Mate(3), Centipawns(-500)), Some(Stake::Win));
        assert_eq!(stake(Centipawns(-60), Centipawns(-200)), Some(Stake::Draw));
        assert_eq!(stake(Centipawns(100), Mate(-2)), Some(Stake::Draw));
        for (best, second) in [
            (Centipawns(199), Centipawns(0)),
            (Centipawns(300), Centipawns(61)),
            (Mate(2), Centipawns(900)),
            (Centipawns(-61), Centipawns(-900)),
            (Centipawns(-300), Mate(-5)),
            (Mate(-1), Mate(-1)),
        ] {
            assert_eq!(stake(best, second), None, "{best} {second}");
        }
    }
}
