//! Finds the pairs in a PGN: two games from one opening with colours reversed.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use referee::Side;
use stats::{Observations, Outcome, Pentanomial, Wdl};

/// A game of the engine, with the tags that identify its pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The index of the opponent.
    pub opponent: usize,
    /// The side of the engine.
    pub side: Side,
    /// The outcome for the engine.
    pub outcome: Outcome,
    /// The tag `Round`, if it is known.
    pub round: Option<String>,
    /// The tag `FEN`; `None` for the standard start position.
    pub start: Option<String>,
}

/// The pairs, or the single games, and the number of unpaired games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPairs {
    /// Pairs if the games are paired, single games otherwise.
    pub observations: Observations,
    /// Unpaired games; 0 for single games.
    pub unpaired: u64,
}

impl FoundPairs {
    /// Finds the pairs among the games of a file, in their order.
    ///
    /// Two games between the same players are a pair if colours are reversed, and the round and the start position are
    /// equal. Of a round such as `12.3` the part before the point counts, because the other part numbers the games. If
    /// less than half of the games are paired, only the start position counts, because some programs give each game its
    /// own round. If still less than half of the games are paired, all games are single games.
    pub fn of(games: &[PlayedGame]) -> FoundPairs {
        let by_round_and_start = |game: &PlayedGame| {
            let round = game.round.as_deref()?;
            let encounter = round.split_once('.').map_or(round, |(encounter, _)| encounter);
            Some((encounter.to_owned(), game.start.clone()))
        };
        let by_start = |game: &PlayedGame| game.start.clone();
        let enough = |pairs: &Pentanomial| pairs.pairs() > 0 && 4 * pairs.pairs() > games.len() as u64;
        let pairs = Some(pair(games, by_round_and_start))
            .filter(enough)
            .or_else(|| Some(pair(games, by_start)).filter(enough));
        match pairs {
            Some(pairs) => FoundPairs {
                observations: Observations::Pairs(pairs),
                unpaired: games.len() as u64 - 2 * pairs.pairs(),
            },
            None => FoundPairs { observations: Observations::Games(count(games)), unpaired: 0 },
        }
    }
}

/// Counts single games.
pub fn count(games: &[PlayedGame]) -> Wdl {
    let mut wdl = Wdl::default();
    for game in games {
        wdl.record(game.outcome);
    }
    wdl
}

/// Pairs each game with the oldest unpaired game with the same opponent and key and the other colour.
fn pair<K: Eq + Hash>(games: &[PlayedGame], key_of: impl Fn(&PlayedGame) -> Option<K>) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    let mut waiting: HashMap<(usize, K), VecDeque<&PlayedGame>> = HashMap::new();
    for game in games {
        let Some(key) = key_of(game) else { continue };
        let waiting = waiting.entry((game.opponent, key)).or_default();
        match waiting.pop_front_if(|other| other.side != game.side) {
            Some(other) => pairs.record(other.outcome, game.outcome),
            None => waiting.push_back(game),
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(side: Side, outcome: Outcome, round: &str, start: &str) -> PlayedGame {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        PlayedGame { opponent: 0, side, outcome, round: said(round), start: said(start) }
    }

    use Outcome::{Draw, Loss, Win};
    use Side::{Black, White};

    fn pairs(counts: [u64; 5], unpaired: u64) -> FoundPairs {
        FoundPairs { observations: Observations::Pairs(Pentanomial::new(counts)), unpaired }
    }

    #[test]
    fn games_of_one_round_are_a_pair_in_any_order() {
        let games = [
            game(White, Win, "1", "a"),
            game(White, Draw, "2", "b"),
            game(Black, Draw, "2", "b"),
            game(Black, Loss, "1", "a"),
            game(Black, Win, "3", "a"),
        ];
        assert_eq!(FoundPairs::of(&games), pairs([0, 0, 2, 0, 0], 1));
    }

    #[test]
    fn the_number_after_the_point_is_ignored() {
        let games = [game(White, Win, "7.13", ""), game(Black, Win, "7.14", "")];
        assert_eq!(FoundPairs::of(&games), pairs([0, 0, 0, 0, 1], 0));
    }

    #[test]
    fn if_each_game_is_a_round_the_start_position_decides() {
        let games = [game(White, Win, "1", "a"), game(Black, Draw, "2", "a"), game(White, Loss, "3", "b")];
        assert_eq!(FoundPairs::of(&games), pairs([0, 0, 0, 1, 0], 1));
    }

    #[test]
    fn games_of_different_opponents_are_no_pair() {
        let mut games = [game(White, Win, "1", "a"), game(Black, Win, "1", "a")];
        games[1].opponent = 1;
        assert_eq!(FoundPairs::of(&games).observations, Observations::Games(Wdl::new(2, 0, 0)));
    }

    #[test]
    fn games_without_pairs_are_single_games() {
        for games in [
            vec![],
            vec![game(White, Win, "", ""), game(Black, Win, "", "")],
            vec![game(White, Win, "1", "a"), game(White, Win, "1", "a")],
            vec![game(White, Win, "1", ""), game(Black, Draw, "2", "")],
        ] {
            let found = FoundPairs::of(&games);
            assert_eq!(found, FoundPairs { observations: Observations::Games(count(&games)), unpaired: 0 });
        }
    }
}
