//! Results by the colour of the pieces.

use crate::referee::Side;
use crate::report::engine_tally::outcome;
use crate::runner::GameRecord;
use crate::stats::Wdl;

/// The results of all games as White saw them, and those of each engine with either colour.
#[derive(Clone, Debug, Default)]
pub struct ScoresByColour {
    /// All games, seen by White.
    pub white: Wdl,
    /// By the index of the engine: its games with White, and with Black.
    pub engines: Vec<[Wdl; 2]>,
}

impl ScoresByColour {
    /// Counts a game, unless a sequential test decided without it.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(result) = game.scored_result() else { return };
        for (place, side) in [Side::White, Side::Black].into_iter().enumerate() {
            let engine = game.engine(side);
            if self.engines.len() <= engine {
                self.engines.resize(engine + 1, [Wdl::default(); 2]);
            }
            self.engines[engine][place].record(outcome(result.half_points(side)));
        }
        self.white.record(outcome(result.half_points(Side::White)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::made_up_games::two_engine_match;

    #[test]
    fn each_engine_has_its_games_with_either_colour() {
        let mut scores = ScoresByColour::default();
        for game in &two_engine_match("wld") {
            scores.add(game);
        }
        assert_eq!(scores.white, Wdl::new(2, 1, 0));
        assert_eq!(scores.engines[0], [Wdl::new(1, 1, 0), Wdl::new(0, 0, 1)]);
        assert_eq!(scores.engines[1], [Wdl::new(1, 0, 0), Wdl::new(0, 1, 1)]);
    }
}
