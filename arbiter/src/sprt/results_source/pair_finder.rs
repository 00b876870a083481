//! Which games belong together: two from one opening, colours reversed.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use referee::Side;
use stats::{Observations, Outcome, Pentanomial, Wdl};

/// A game of the engine in question, with what may tell its partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The other player, by some number.
    pub opponent: usize,
    /// The side that the engine had.
    pub side: Side,
    /// What the engine made of it.
    pub outcome: Outcome,
    /// The tag `Round`, where it says anything.
    pub round: Option<String>,
    /// The tag `FEN`: where the game started, if not from the usual position.
    pub start: Option<String>,
}

/// Games as they are judged, and how many of them have no partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPairs {
    /// Pairs where games come in pairs, single games otherwise.
    pub observations: Observations,
    /// Games whose partner is missing, where games come in pairs.
    pub without_partner: u64,
}

impl FoundPairs {
    /// Finds the pairs among games in the order in which they were written.
    ///
    /// Two games between the same players are a pair when colours are reversed, and the round and the start position
    /// are the same; of a round such as `12.3` the part before the point counts, since the other numbers the games.
    /// Where that pairs less than half of the games, the start position alone has to do, as programs that number each
    /// game a round leave it. If half of the games still stand alone, openings were not played in pairs.
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
                without_partner: games.len() as u64 - 2 * pairs.pairs(),
            },
            None => FoundPairs { observations: Observations::Games(count(games)), without_partner: 0 },
        }
    }
}

/// Single games counted.
pub fn count(games: &[PlayedGame]) -> Wdl {
    let mut wdl = Wdl::default();
    for game in games {
        wdl.record(game.outcome);
    }
    wdl
}

/// Pairs each game with the oldest one that waits for it: the same opponent and key, the other colour.
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

    fn pairs(counts: [u64; 5], without_partner: u64) -> FoundPairs {
        FoundPairs { observations: Observations::Pairs(Pentanomial::new(counts)), without_partner }
    }

    #[test]
    fn games_of_one_round_are_a_pair_in_whatever_order_they_ended() {
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
    fn the_number_behind_the_point_is_that_of_a_game() {
        let games = [game(White, Win, "7.13", ""), game(Black, Win, "7.14", "")];
        assert_eq!(FoundPairs::of(&games), pairs([0, 0, 0, 0, 1], 0));
    }

    #[test]
    fn where_each_game_is_a_round_the_start_decides() {
        let games = [game(White, Win, "1", "a"), game(Black, Draw, "2", "a"), game(White, Loss, "3", "b")];
        assert_eq!(FoundPairs::of(&games), pairs([0, 0, 0, 1, 0], 1));
    }

    #[test]
    fn opponents_are_kept_apart() {
        let mut games = [game(White, Win, "1", "a"), game(Black, Win, "1", "a")];
        games[1].opponent = 1;
        assert_eq!(FoundPairs::of(&games).observations, Observations::Games(Wdl::new(2, 0, 0)));
    }

    #[test]
    fn games_without_order_are_single_games() {
        for games in [
            vec![],
            vec![game(White, Win, "", ""), game(Black, Win, "", "")],
            vec![game(White, Win, "1", "a"), game(White, Win, "1", "a")],
            vec![game(White, Win, "1", ""), game(Black, Draw, "2", "")],
        ] {
            let found = FoundPairs::of(&games);
            assert_eq!(
                found,
                FoundPairs { observations: Observations::Games(count(&games)), without_partner: 0 }
            );
        }
    }
}
