//! Scores in hundredths of White's advantage, with mates at the ends of the range; and alpha and beta (chapter "Élagage
//! alpha-bêta"), the scores that Max and Min already have.

use shakmaty::Color;

pub type Score = i32;

/// Mate on the board at the root: the value of a king ("Évaluation matérielle").
pub const MATE: Score = 20_000;
pub const INFINITE: Score = 30_000;
/// Larger scores are mates; material never comes close.
const LARGEST_EVALUATION: Score = 19_000;

/// `loser` is mated at `ply`. A nearer mate has the larger score, which the report does not mention, but without which a
/// won game need not end.
pub fn mated(loser: Color, ply: u32) -> Score {
    let score = MATE - ply as Score;
    loser.fold_wb(-score, score)
}

pub fn is_mate(score: Score) -> bool {
    score.abs() > LARGEST_EVALUATION
}

/// The same score counted from another node: mates are `plies` further away.
pub fn with_mate_moved(score: Score, plies: i32) -> Score {
    if is_mate(score) { score - score.signum() * plies } else { score }
}

pub fn to_uci(score: Score, turn: Color) -> uci::Score {
    let score = turn.fold_wb(score, -score);
    if is_mate(score) {
        let plies = MATE - score.abs();
        uci::Score::mate(if score > 0 { (plies + 1) / 2 } else { -plies / 2 })
    } else {
        uci::Score::centipawns(score)
    }
}

/// The range of scores that still matter: Max has at least `alpha` elsewhere, Min at most `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score that Max (White) has elsewhere.
    pub alpha: Score,
    /// The score that Min (Black) has elsewhere.
    pub beta: Score,
}

impl Window {
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    pub fn narrow(&mut self, player: Color, score: Score) {
        match player {
            Color::White => self.alpha = self.alpha.max(score),
            Color::Black => self.beta = self.beta.min(score),
        }
    }

    /// Whether one of the players would avoid this position.
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Whether `score` is so good for `player` that the opponent would avoid this position.
    pub fn is_refuted(self, player: Color, score: Score) -> bool {
        player.fold_wb(score >= self.beta, score <= self.alpha)
    }

    /// The zero window that tests whether `player` reaches its bound.
    pub fn probe(self, player: Color) -> Window {
        match player {
            Color::White => Window { alpha: self.beta - 1, beta: self.beta },
            Color::Black => Window { alpha: self.alpha, beta: self.alpha + 1 },
        }
    }
}

pub fn worst(player: Color) -> Score {
    player.fold_wb(-INFINITE, INFINITE)
}

pub fn is_better(player: Color, score: Score, other: Score) -> bool {
    player.fold_wb(score > other, score < other)
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
