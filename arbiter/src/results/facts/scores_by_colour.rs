//! Results by the colour of the pieces.

use std::collections::BTreeMap;

use runner::GameRecord;
use stats::{PairableGame, Wdl};

/// The start position, which says nothing about the opening.
pub const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The results for White, by the engines with White and with Black.
#[derive(Clone, Debug, Default)]
pub struct ScoresByColour {
    by_players: BTreeMap<(usize, usize), Wdl>,
    games: Vec<PairableGame>,
}

/// A game of a run with what tells its pair and its opening; `None` without a result. `player` has the index of an engine
/// among all players.
pub fn pairable(game: &GameRecord, player: impl Fn(usize) -> usize) -> Option<PairableGame> {
    let outcome = game.outcome(game.white)?;
    let [white, black] = [game.white, game.black].map(|engine| player(engine) as u32);
    let fen = [game.opening.fen.as_str()].into_iter();
    let opening: Vec<&str> = fen.chain(game.opening.moves.iter().map(|played| &*played.uci)).collect();
    let start = (opening != [STANDARD_START]).then(|| PairableGame::start_of(&opening.join(" ")));
    Some(PairableGame { white, black, outcome, round: Some(u64::from(game.pair)), start })
}

impl ScoresByColour {
    /// Counts a game, unless a sequential test decided without it.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(outcome) = game.scored_outcome(game.white) else { return };
        self.by_players.entry((game.white, game.black)).or_default().record(outcome);
        self.games.extend(pairable(game, |engine| engine));
    }

    /// The engine with White, the engine with Black, and White's results.
    fn encounters(&self) -> impl Iterator<Item = (usize, usize, Wdl)> {
        self.by_players.iter().map(|(&(white, black), &results)| (white, black, results))
    }

    /// The games with what tells their pairs.
    pub fn games(&self) -> &[PairableGame] {
        &self.games
    }

    /// White's results of all games.
    pub fn of_white(&self) -> Wdl {
        self.by_players.values().copied().sum()
    }

    /// The results of one engine: with White, and with Black.
    pub fn of_engine(&self, engine: usize) -> [Wdl; 2] {
        let white = self.encounters().filter(|(white, ..)| *white == engine).map(|(.., results)| results);
        let black = self.encounters().filter(|(_, black, _)| *black == engine);
        [white.sum(), black.map(|(.., results)| results.reversed()).sum()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::two_engine_match;

    #[test]
    fn each_engine_has_its_games_with_either_colour() {
        let mut scores = ScoresByColour::default();
        for game in &two_engine_match("wld") {
            scores.add(game);
        }
        assert_eq!(scores.of_white(), Wdl::new(2, 1, 0));
        assert_eq!(scores.of_engine(0), [Wdl::new(1, 1, 0), Wdl::new(0, 0, 1)]);
        assert_eq!(scores.of_engine(1), [Wdl::new(1, 0, 0), Wdl::new(0, 1, 1)]);
    }
}
