//! How a game against a person ended.

use referee::{GameEnd, GameResult, Side};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By the rules of chess.
    OnTheBoard(GameEnd),
    /// This side gave up.
    Resigned(Side),
    /// The flag of this side fell.
    OutOfTime(Side),
    /// The engine, on this side, has no legal move to show where there is one: it crashed, was silent, or answered
    /// something else.
    EngineFailed(Side),
}

impl Outcome {
    /// Who won.
    pub const fn result(&self) -> GameResult {
        match self {
            Outcome::OnTheBoard(end) => end.result(),
            Outcome::Resigned(loser) | Outcome::OutOfTime(loser) | Outcome::EngineFailed(loser) => {
                GameResult::won_by(loser.other())
            }
        }
    }

    /// One sentence without a full stop, that begins with the score.
    pub fn words(&self) -> String {
        let score = self.result().as_str();
        match self {
            Outcome::OnTheBoard(GameEnd::Checkmate { winner }) => format!("{score}, {winner} mates"),
            Outcome::OnTheBoard(GameEnd::Stalemate) => format!("{score}, stalemate"),
            Outcome::OnTheBoard(GameEnd::ThreefoldRepetition) => {
                format!("{score}, the position is there for the third time")
            }
            Outcome::OnTheBoard(GameEnd::FiftyMoves) => {
                format!("{score}, fifty moves without a capture or a pawn move")
            }
            Outcome::OnTheBoard(GameEnd::InsufficientMaterial) => {
                format!("{score}, nobody can mate any more")
            }
            Outcome::Resigned(loser) => format!("{score}, {loser} resigns"),
            Outcome::OutOfTime(loser) => format!("{score}, {loser} loses on time"),
            Outcome::EngineFailed(loser) => format!("{score}, {loser}'s engine broke"),
        }
    }

    /// What PGN calls it in the tag `Termination`.
    pub const fn pgn_termination(&self) -> &'static str {
        match self {
            Outcome::OnTheBoard(_) | Outcome::Resigned(_) => "normal",
            Outcome::OutOfTime(_) => "time forfeit",
            Outcome::EngineFailed(_) => "rules infraction",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_begin_with_the_score() {
        let cases = [
            (Outcome::OnTheBoard(GameEnd::Checkmate { winner: Side::Black }), "0-1, Black mates"),
            (Outcome::OnTheBoard(GameEnd::Stalemate), "1/2-1/2, stalemate"),
            (Outcome::Resigned(Side::White), "0-1, White resigns"),
            (Outcome::OutOfTime(Side::Black), "1-0, Black loses on time"),
            (Outcome::EngineFailed(Side::White), "0-1, White's engine broke"),
        ];
        for (outcome, words) in cases {
            assert_eq!(outcome.words(), words);
        }
    }
}
