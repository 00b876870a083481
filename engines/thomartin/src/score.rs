//! Scores: hundredths of White's advantage, and mates at the ends of the range.

use shakmaty::Color;

/// How good a position is for White.
pub type Score = i32;

/// Mate on the board at the root: the value of a king ("Évaluation matérielle").
pub const MATE: Score = 20_000;
/// Beyond every score.
pub const INFINITE: Score = 30_000;
/// Everything beyond is a mate; no material comes near.
const LARGEST_EVALUATION: Score = 19_000;

/// `loser` is mated at `ply`. The nearer mate is the larger score, which the report does not mention and without which
/// a won game need not end.
pub fn mated(loser: Color, ply: u32) -> Score {
    let score = MATE - ply as Score;
    loser.fold_wb(-score, score)
}

/// Whether the score is a mate for either side.
pub fn is_mate(score: Score) -> bool {
    score.abs() > LARGEST_EVALUATION
}

/// The same score counted from another node: mates come `plies` further away.
pub fn with_mate_moved(score: Score, plies: i32) -> Score {
    if is_mate(score) { score - score.signum() * plies } else { score }
}

/// The score as the protocol wants it, for the side to move.
pub fn to_uci(score: Score, turn: Color) -> uci::Score {
    let score = turn.fold_wb(score, -score);
    if is_mate(score) {
        let plies = MATE - score.abs();
        uci::Score::mate(if score > 0 { (plies + 1) / 2 } else { -plies / 2 })
    } else {
        uci::Score::centipawns(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves_of_the_side_to_move() {
        assert_eq!(to_uci(mated(Color::Black, 3), Color::White), uci::Score::mate(2));
        assert_eq!(to_uci(mated(Color::Black, 4), Color::Black), uci::Score::mate(-2));
        assert_eq!(to_uci(-120, Color::Black), uci::Score::centipawns(120));
    }

    #[test]
    fn moving_a_mate_and_moving_it_back_changes_nothing() {
        for score in [0, 900, mated(Color::White, 7), mated(Color::Black, 7)] {
            assert_eq!(with_mate_moved(with_mate_moved(score, 4), -4), score);
        }
        assert_eq!(with_mate_moved(mated(Color::Black, 2), 3), mated(Color::Black, 5));
    }
}
