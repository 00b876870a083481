//! Finds the pairs among games: two games from one opening with colours reversed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// The start and the opening moves as a hash, where a book or the moves that the games of a pair share tell them.
    pub opening: Option<(PairedBy, u64)>,
    /// The start, the moves and the result as a hash; `None` where they are not known.
    pub moves: Option<u64>,
}

/// The first moves of a game as hashes: each is that of all moves up to it, and 0 stands behind the last.
pub type FirstMoves = [u32; 32];

/// What the two games of a pair are known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairedBy {
    /// The round.
    Round,
    /// The start position.
    Start,
    /// The moves of the book.
    Book,
    /// The moves that both games share.
    Moves,
}

/// The pairs among games, by the indices of the two games, with what they are known by.
pub type FoundPairs = Vec<([usize; 2], PairedBy)>;

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
/// If still less than half of the games are paired, the opening is that of the moves, see [`note_shared_moves`].
/// If even so less than half of the games are paired, there are no pairs.
pub fn find_pairs(games: &[PairableGame]) -> FoundPairs {
    let by_round = pair(games, |game| Some((PairedBy::Round, [game.round?, game.start.unwrap_or(0)])));
    if are_enough(by_round.len() as u64, games.len() as u64) {
        return by_round;
    }
    let start = |game: &PairableGame| Some((PairedBy::Start, [game.start?, 0]));
    let by_start = pair(games, start);
    if are_enough(by_start.len() as u64, games.len() as u64) {
        return by_start;
    }
    let played = |game: &PairableGame| game.opening.map(|(by, moves)| (by, [moves, 0]));
    let by_opening = pair(games, |game| played(game).or_else(|| start(game)));
    if are_enough(by_opening.len() as u64, games.len() as u64) { by_opening } else { Vec::new() }
}

/// The fewest moves that both games of a pair must share where nothing but the moves tells an opening.
const FEWEST_SHARED: usize = 4;

/// Sets the openings of those neighbours among the games of two players that have reversed colours and share more moves
/// with each other than with any other game of these players. A game whose opening is known keeps it. Returns those games
/// and how many moves they share.
pub fn note_shared_moves(games: &mut [PairableGame], moves: &[FirstMoves]) -> Vec<([usize; 2], usize)> {
    let players = |game: &PairableGame| (game.white.min(game.black), game.white.max(game.black));
    let mut place = vec![0_u32; games.len()];
    let mut played: HashMap<_, u32, FxBuildHasher> = HashMap::default();
    for (place, game) in place.iter_mut().zip(&*games) {
        let count = played.entry(players(game)).or_default();
        (*place, *count) = (*count, *count + 1);
    }
    let group = |index: usize| (players(&games[index]), games[index].start);
    let mut order: Vec<usize> = (0..games.len()).filter(|&index| games[index].opening.is_none()).collect();
    order.sort_by_key(|&index| (group(index), moves[index]));
    let shared = |one: usize, other: usize| {
        let alike = |(one, other): &(&u32, &u32)| one == other && **one != 0;
        let both = moves[one].iter().zip(&moves[other]);
        if group(one) == group(other) { both.take_while(alike).count() } else { 0 }
    };
    let neighbours: Vec<usize> = order.windows(2).map(|two| shared(two[0], two[1])).collect();
    let mut found = Vec::new();
    for (index, &length) in neighbours.iter().enumerate() {
        let (one, other) = (order[index], order[index + 1]);
        let beside = [index.checked_sub(1), Some(index + 1)];
        let is_own =
            beside.iter().flatten().all(|&at| neighbours.get(at).is_none_or(|&other| other < length));
        if length >= FEWEST_SHARED
            && is_own
            && games[one].white == games[other].black
            && place[one].abs_diff(place[other]) == 1
        {
            found.push(([one, other], length));
        }
    }
    for &([one, other], length) in &found {
        let hash = FxBuildHasher.hash_one((games[one].start, &moves[one][..length]));
        games[one].opening = Some((PairedBy::Moves, hash));
        games[other].opening = games[one].opening;
    }
    found
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
fn pair(
    games: &[PairableGame],
    key_of: impl Fn(&PairableGame) -> Option<(PairedBy, [u64; 2])>,
) -> FoundPairs {
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
                pairs.push(([oldest, index], key.0));
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
            opening: None,
            moves: None,
        }
    }

    fn pairs(games: &[PairableGame]) -> Vec<[usize; 2]> {
        find_pairs(games).into_iter().map(|(pair, _)| pair).collect()
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
        assert_eq!(pairs(&games), [[1, 2], [0, 3]]);
        assert_eq!(games[3].outcome_for(0), Loss);
    }

    #[test]
    fn the_number_after_the_point_is_ignored() {
        let games = [game(true, Win, "7.13", ""), game(false, Win, "7.14", "")];
        assert_eq!(find_pairs(&games), [([0, 1], PairedBy::Round)]);
    }

    #[test]
    fn if_each_game_is_a_round_the_start_position_decides() {
        let games = [game(true, Win, "1", "a"), game(false, Draw, "2", "a"), game(true, Loss, "3", "b")];
        assert_eq!(find_pairs(&games), [([0, 1], PairedBy::Start)]);
    }

    #[test]
    fn games_of_different_opponents_are_no_pair() {
        let mut games = [game(true, Win, "1", "a"), game(false, Win, "1", "a")];
        games[1].white = 2;
        assert!(find_pairs(&games).is_empty());
    }

    #[test]
    fn neighbours_are_a_pair_by_the_moves_that_only_they_share() {
        let first = |text: &str| {
            let mut moves = FirstMoves::default();
            for (end, place) in (1..=text.len()).zip(&mut moves) {
                *place = hash(&text[..end]) as u32 | 1;
            }
            moves
        };
        let played = |moves: &[&str]| {
            let mut games: Vec<_> =
                (0..moves.len()).map(|number| game(number % 2 == 0, Win, "", "")).collect();
            note_shared_moves(&mut games, &moves.iter().map(|moves| first(moves)).collect::<Vec<_>>());
            find_pairs(&games)
        };
        let found = |pairs: &[[usize; 2]]| -> FoundPairs {
            pairs.iter().map(|&pair| (pair, PairedBy::Moves)).collect()
        };
        assert_eq!(
            played(&["abcdxx", "abcdyy", "abcexx", "abceyyy", "fghix", "fghiyy"]),
            found(&[[0, 1], [2, 3], [4, 5]])
        );
        // Three that share the same, games apart, and few shared moves.
        assert_eq!(played(&["abcdxx", "abcdyy", "abcdzz", "fghij"]), []);
        assert_eq!(played(&["abcdxx", "fghij", "klmnop", "abcdyy"]), []);
        assert_eq!(played(&["abcx", "abcy", "fghix", "fghiyy"]), found(&[[2, 3]])[..0]);
        let of_book = |game| PairableGame { opening: Some((PairedBy::Book, 7)), ..game };
        let mut book = [game(true, Win, "1", ""), game(false, Win, "2", "")].map(of_book);
        note_shared_moves(&mut book, &[first("abcd"), first("abcd")]);
        assert_eq!(find_pairs(&book), [([0, 1], PairedBy::Book)]);
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
