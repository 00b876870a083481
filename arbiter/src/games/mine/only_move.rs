//! Only moves: the one move that wins, or the one that does not lose.

use std::fmt;

use uci::ScoreValue;

/// What the best move achieves and no other move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlyMove {
    /// One move wins; the others are equal or worse.
    Wins,
    /// One move holds; the others lose.
    Holds,
}

impl OnlyMove {
    /// What the best move alone achieves, given the scores of the best two moves; `None` when both lead to the same
    /// result, or one is too close to call.
    ///
    /// A move wins at `winning` centipawns or more, loses at `-winning` or less, and is equal from `-equal` to `equal`.
    /// Scores are for the side to move.
    pub fn between(best: ScoreValue, second: ScoreValue, winning: i32, equal: i32) -> Option<OnlyMove> {
        let (best, second) = (centipawns(best), centipawns(second));
        if best >= winning && second <= equal {
            Some(OnlyMove::Wins)
        } else if best >= -equal && second <= -winning {
            Some(OnlyMove::Holds)
        } else {
            None
        }
    }
}

impl fmt::Display for OnlyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OnlyMove::Wins => "wins",
            OnlyMove::Holds => "holds",
        })
    }
}

/// A score as one number; a mate is beyond every eval.
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
    fn an_only_move_leads_to_another_result_than_the_second() {
        let only_move = |best, second| OnlyMove::between(best, second, 200, 60);
        assert_eq!(only_move(Centipawns(200), Centipawns(60)), Some(OnlyMove::Wins));
        assert_eq!(only_move(Mate(3), Centipawns(-500)), Some(OnlyMove::Wins));
        assert_eq!(only_move(Centipawns(-60), Centipawns(-200)), Some(OnlyMove::Holds));
        assert_eq!(only_move(Centipawns(100), Mate(-2)), Some(OnlyMove::Holds));
        for (best, second) in [
            (Centipawns(199), Centipawns(0)),
            (Centipawns(300), Centipawns(61)),
            (Mate(2), Centipawns(900)),
            (Centipawns(-61), Centipawns(-900)),
            (Centipawns(-300), Mate(-5)),
            (Mate(-1), Mate(-1)),
        ] {
            assert_eq!(only_move(best, second), None, "{best} {second}");
        }
    }
}
