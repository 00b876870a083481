//! Finds the pairs among games: two games from one opening with colours reversed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::{KnownMoves, Observations, Outcome, Pentanomial, Wdl};

/// A game between two players, given by their indices, with what tells its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairableGame {
    /// The player with the white pieces.
    pub white: u32,
    /// The player with the black pieces.
    pub black: u32,
    /// The outcome for White.
    pub outcome: Outcome,
    /// The number of the pair, or the tag `Round`, as a hash; `None` if it is unknown.
    pub round: Option<u64>,
    /// The opening as a hash; `None` for the standard start position, which says nothing about the opening.
    pub start: Option<u64>,
    /// The start, the moves and the result as a hash; `None` where they are not known.
    pub moves: Option<u64>,
}

impl PairableGame {
    /// The hash of a tag `Round`. Of a round such as `12.3` the part before the point counts, because the other part
    /// numbers the games.
    pub fn round_of_tag(round: &str) -> u64 {
        hash(round.split_once('.').map_or(round, |(encounter, _)| encounter))
    }

    /// The hash of a start position, as FEN, or of what else tells an opening.
    pub fn start_of(opening: &str) -> u64 {
        hash(opening)
    }

    /// By what a game with the same players and moves is known.
    pub fn key(&self) -> Option<u64> {
        KnownMoves::key([self.white, self.black].map(|player| player as usize), self.moves)
    }

    /// The outcome for a player of the game.
    pub fn outcome_for(&self, player: u32) -> Outcome {
        if self.white == player { self.outcome } else { self.outcome.reversed() }
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// The pairs among the games of one source, in their order, by the indices of the two games.
///
/// Two games between the same players are a pair if colours are reversed, and the round and the opening are equal. If
/// less than half of the games are paired, only the opening counts, because some programs give each game its own round.
/// If still less than half of the games are paired, there are no pairs.
pub fn find_pairs(games: &[PairableGame]) -> Vec<[usize; 2]> {
    let by_round = pair(games, |game| Some((game.round?, game.start.unwrap_or(0))));
    if are_enough(by_round.len() as u64, games.len() as u64) {
        return by_round;
    }
    let by_start = pair(games, |game| Some((0, game.start?)));
    if are_enough(by_start.len() as u64, games.len() as u64) { by_start } else { Vec::new() }
}

/// Whether at least half of the games are paired.
const fn are_enough(pairs: u64, games: u64) -> bool {
    pairs > 0 && 4 * pairs > games
}

impl Observations {
    /// Pairs if at least half of the games are paired, otherwise single games.
    pub fn of(pairs: Pentanomial, games: Wdl) -> Observations {
        if are_enough(pairs.pairs(), games.games()) {
            Observations::Pairs(pairs)
        } else {
            Observations::Games(games)
        }
    }
}

/// Pairs each game with the oldest unpaired game with the same players and key and the other colours.
fn pair(games: &[PairableGame], key_of: impl Fn(&PairableGame) -> Option<(u64, u64)>) -> Vec<[usize; 2]> {
    let mut pairs = Vec::with_capacity(games.len() / 2);
    // The oldest and the newest of the unpaired games alike, and the next newer one of each. All have the same colours.
    let mut waiting: HashMap<_, [usize; 2], FxBuildHasher> = HashMap::default();
    let mut next = vec![0; games.len()];
    for (index, game) in games.iter().enumerate() {
        let Some(key) = key_of(game) else { continue };
        let players = (game.white.min(game.black), game.white.max(game.black));
        match waiting.entry((players, key)) {
            Entry::Vacant(place) => _ = place.insert([index; 2]),
            Entry::Occupied(mut place) => {
                let [oldest, newest] = *place.get();
                if games[oldest].white == game.white {
                    next[newest] = index;
                    place.insert([oldest, index]);
                    continue;
                }
                pairs.push([oldest, index]);
                if oldest == newest {
                    place.remove();
                } else {
                    place.insert([next[oldest], newest]);
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};

    /// A game of player 0, with its outcome for it.
    fn game(is_white: bool, outcome: Outcome, round: &str, start: &str) -> PairableGame {
        let (white, black) = if is_white { (0, 1) } else { (1, 0) };
        PairableGame {
            white,
            black,
            outcome: if is_white { outcome } else { outcome.reversed() },
            round: (!round.is_empty()).then(|| PairableGame::round_of_tag(round)),
            start: (!start.is_empty()).then(|| hash(start)),
            moves: None,
        }
    }

    #[test]
    fn games_of_one_round_are_a_pair_in_any_order() {
        let games = [
            game(true, Win, "1", "a"),
            game(true, Draw, "2", "b"),
            game(false, Draw, "2", "b"),
            game(false, Loss, "1", "a"),
            game(false, Win, "3", "a"),
        ];
        assert_eq!(find_pairs(&games), [[1, 2], [0, 3]]);
        assert_eq!(games[3].outcome_for(0), Loss);
    }

    #[test]
    fn the_number_after_the_point_is_ignored() {
        assert_eq!(find_pairs(&[game(true, Win, "7.13", ""), game(false, Win, "7.14", "")]), [[0, 1]]);
    }

    #[test]
    fn if_each_game_is_a_round_the_start_position_decides() {
        let games = [game(true, Win, "1", "a"), game(false, Draw, "2", "a"), game(true, Loss, "3", "b")];
        assert_eq!(find_pairs(&games), [[0, 1]]);
    }

    #[test]
    fn games_of_different_opponents_are_no_pair() {
        let mut games = [game(true, Win, "1", "a"), game(false, Win, "1", "a")];
        games[1].white = 2;
        assert!(find_pairs(&games).is_empty());
    }

    #[test]
    fn games_without_pairs_are_single_games() {
        for games in [
            vec![],
            vec![game(true, Win, "", ""), game(false, Win, "", "")],
            vec![game(true, Win, "1", "a"), game(true, Win, "1", "a")],
            vec![game(true, Win, "1", ""), game(false, Draw, "2", "")],
        ] {
            assert!(find_pairs(&games).is_empty());
        }
        let pairs = Pentanomial::new([0, 0, 1, 0, 0]);
        assert_eq!(Observations::of(pairs, Wdl::new(3, 0, 0)), Observations::Pairs(pairs));
        assert_eq!(Observations::of(pairs, Wdl::new(4, 0, 0)), Observations::Games(Wdl::new(4, 0, 0)));
    }
}
