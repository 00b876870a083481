//! The outcome of a game against a human.

use referee::{GameEnd, GameResult, Side};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By the rules of chess: mate or a draw.
    OnTheBoard(GameEnd),
    /// This side resigned.
    Resigned(Side),
    /// This side lost on time.
    LostOnTime(Side),
    /// The engine, on this side, crashed, stalled, or returned an illegal move.
    EngineFailed(Side),
}

impl Outcome {
    /// The result.
    pub const fn result(&self) -> GameResult {
        match self {
            Outcome::OnTheBoard(end) => end.result(),
            Outcome::Resigned(loser) | Outcome::LostOnTime(loser) | Outcome::EngineFailed(loser) => {
                GameResult::won_by(loser.other())
            }
        }
    }

    /// The result and the reason: `0-1, White resigns`.
    pub fn words(&self) -> String {
        let score = self.result().as_str();
        match self {
            Outcome::OnTheBoard(GameEnd::Checkmate { winner }) => format!("{score}, {winner} mates"),
            Outcome::OnTheBoard(GameEnd::Stalemate) => format!("{score}, draw by stalemate"),
            Outcome::OnTheBoard(GameEnd::ThreefoldRepetition) => {
                format!("{score}, draw by 3-fold repetition")
            }
            Outcome::OnTheBoard(GameEnd::FiftyMoves) => {
                format!("{score}, draw by fifty moves rule")
            }
            Outcome::OnTheBoard(GameEnd::InsufficientMaterial) => {
                format!("{score}, draw by insufficient mating material")
            }
            Outcome::Resigned(loser) => format!("{score}, {loser} resigns"),
            Outcome::LostOnTime(loser) => format!("{score}, {loser} loses on time"),
            Outcome::EngineFailed(loser) => format!("{score}, {loser} loses by a fault of the engine"),
        }
    }

    /// The PGN tag `Termination`.
    pub const fn pgn_termination(&self) -> &'static str {
        match self {
            Outcome::OnTheBoard(_) | Outcome::Resigned(_) => "normal",
            Outcome::LostOnTime(_) => "time forfeit",
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
            (Outcome::OnTheBoard(GameEnd::Stalemate), "1/2-1/2, draw by stalemate"),
            (Outcome::Resigned(Side::White), "0-1, White resigns"),
            (Outcome::LostOnTime(Side::Black), "1-0, Black loses on time"),
            (Outcome::EngineFailed(Side::White), "0-1, White loses by a fault of the engine"),
        ];
        for (outcome, words) in cases {
            assert_eq!(outcome.words(), words);
        }
    }
}
