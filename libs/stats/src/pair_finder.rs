//! Finds the pairs among games: two games from one opening with colours reversed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::ops::AddAssign;

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

/// The pairs among the games of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPairs {
    /// The indices of the two games of each, with what they are known by.
    pub pairs: Vec<([usize; 2], PairedBy)>,
    /// The games whose round does not tell their pair.
    pub rounds: UnclearRounds,
}

/// Games whose round does not tell which other game is played with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct UnclearRounds {
    /// Games that share their round with games of the same players from other openings. Those of one opening are pairs.
    pub of_several_openings: u64,
    /// Games that share their round with more than one other of the same players, while nothing tells the openings. The
    /// round makes no pairs of them.
    pub crowded: u64,
}

impl AddAssign for UnclearRounds {
    fn add_assign(&mut self, other: UnclearRounds) {
        self.of_several_openings += other.of_several_openings;
        self.crowded += other.crowded;
    }
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

    fn players(&self) -> (u32, u32) {
        (self.white.min(self.black), self.white.max(self.black))
    }

    /// What tells the opening: the moves of the book, with the position that they start from, or that position alone.
    fn known_opening(&self) -> Option<(PairedBy, u64)> {
        self.opening.or_else(|| Some((PairedBy::Start, self.start?)))
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

/// The pairs among the games of one source, in their order.
///
/// Two games between the same players are a pair if colours are reversed and all that is known of them agrees: the round,
/// the start position, and the moves of the book as comments tell them. Games whose book moves differ are no pair,
/// whatever their round says, nor is a game with book moves and one without. First moves that differ are no such evidence
/// where no comment calls them moves of the book, since engines choose them freely from one start position.
///
/// A round is the number of a pair only where it stands for few games. Of more than two games of two players in one round,
/// those of one opening are pairs; where nothing tells the openings, none are.
///
/// If less than half of the games are paired, only the opening counts, because some programs give each game its own round;
/// it may also be that of [`note_shared_moves`]. If still less than half of the games are paired, there are no pairs: a
/// wrong pair is worse than none.
pub fn find_pairs(games: &[PairableGame]) -> FoundPairs {
    let round_of = |game: &PairableGame| Some((game.players(), game.round?));
    let opening_of = |game: &PairableGame| game.known_opening().map(|(_, opening)| opening);
    // The games of each round, the opening of the first of them, and whether another one has another.
    let mut rounds: HashMap<_, (u64, Option<u64>, bool), FxBuildHasher> = HashMap::default();
    for game in games {
        let Some(round) = round_of(game) else { continue };
        let (count, opening, differ) = rounds.entry(round).or_insert((0, opening_of(game), false));
        *count += 1;
        *differ |= *opening != opening_of(game);
    }
    let mut unclear = UnclearRounds::default();
    for round in rounds.values() {
        match *round {
            (games, _, true) => unclear.of_several_openings += games,
            (games @ 3.., None, false) => unclear.crowded += games,
            _ => (),
        }
    }
    let in_round = |game: &PairableGame| {
        let (games, _, differ) = rounds[&round_of(game)?];
        match game.known_opening() {
            Some((by, opening)) => Some((if differ { by } else { PairedBy::Round }, [game.round?, opening])),
            None => (games < 3 && !differ).then_some((PairedBy::Round, [game.round?, 0])),
        }
    };
    let by_opening = |game: &PairableGame| game.known_opening().map(|(by, opening)| (by, [opening, 0]));
    let mut pairs = pair(games, in_round);
    if !are_enough(pairs.len() as u64, games.len() as u64) {
        pairs = pair(games, by_opening);
    }
    if !are_enough(pairs.len() as u64, games.len() as u64) {
        pairs.clear();
    }
    FoundPairs { pairs, rounds: unclear }
}

/// The fewest moves that both games of a pair must share where nothing but the moves tells an opening.
const FEWEST_SHARED: usize = 4;

/// Sets the openings of those neighbours among the games of two players that have reversed colours and share more moves
/// with each other than with any other game of these players. A game whose opening is known keeps it. Returns those games
/// and how many moves they share.
pub fn note_shared_moves(games: &mut [PairableGame], moves: &[FirstMoves]) -> Vec<([usize; 2], usize)> {
    let mut place = vec![0_u32; games.len()];
    let mut played: HashMap<_, u32, FxBuildHasher> = HashMap::default();
    for (place, game) in place.iter_mut().zip(&*games) {
        let count = played.entry(game.players()).or_default();
        (*place, *count) = (*count, *count + 1);
    }
    let group = |index: usize| (games[index].players(), games[index].start);
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
) -> Vec<([usize; 2], PairedBy)> {
    let mut pairs = Vec::with_capacity(games.len() / 2);
    // The oldest and the newest of the unpaired games alike, and the next newer one of each. All have the same colours.
    let mut waiting: HashMap<_, [usize; 2], FxBuildHasher> = HashMap::default();
    let mut next = vec![0; games.len()];
    for (index, game) in games.iter().enumerate() {
        let Some(key) = key_of(game) else { continue };
        match waiting.entry((game.players(), key)) {
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

    /// Games of player 0, each as its colour, round, start and book: `W/7.13/a/1`.
    fn games(text: &str) -> Vec<PairableGame> {
        let game = |word: &str| {
            let [colour, round, start, book]: [&str; 4] =
                word.split('/').collect::<Vec<_>>().try_into().unwrap();
            let (white, black) = if colour == "W" { (0, 1) } else { (1, 0) };
            PairableGame {
                white,
                black,
                outcome: Outcome::Win,
                round: (!round.is_empty()).then(|| PairableGame::round_of_tag(round)),
                start: (!start.is_empty()).then(|| hash(start)),
                opening: (!book.is_empty()).then(|| (PairedBy::Book, hash(book))),
                moves: None,
            }
        };
        text.split_whitespace().map(game).collect()
    }

    fn found(games: &[PairableGame]) -> String {
        let FoundPairs { pairs, rounds } = find_pairs(games);
        let pairs = pairs.iter().map(|([one, other], by)| format!("{one}-{other} {by:?}, "));
        format!("{}{}|{}", pairs.collect::<String>(), rounds.of_several_openings, rounds.crowded)
    }

    #[test]
    fn games_are_pairs_by_round_and_opening_or_by_opening_unless_something_speaks_against_it() {
        for (text, expected) in [
            // In any order. The part of a round behind the point numbers the games.
            ("W/1/a/ W/2/b/ B/2/b/ B/1/a/", "1-2 Round, 0-3 Round, 0|0"),
            ("W/7.13// B/7.14//", "0-1 Round, 0|0"),
            // Each game has its own round.
            ("W/1/a/ B/2/a/ W/3/b/", "0-1 Start, 0|0"),
            ("W/1//e B/2//e", "0-1 Book, 0|0"),
            // All have one, and stand in the order in which they ended.
            ("W/1//e W/1//d B/1//d B/1//e", "1-2 Book, 0-3 Book, 4|0"),
            ("W/1/a/ W/1/b/ B/1/b/ B/1/a/", "1-2 Start, 0-3 Start, 4|0"),
            // Two of a round, each from an opening of its own; or nothing tells the opening of one.
            ("W/1//e B/1//d", "2|0"),
            ("W/1//e B/1//", "2|0"),
            // Other moves of the book lead away from one position.
            ("W/1/a/e B/2/a/d", "0|0"),
            // More than two of a round: pairs where the opening is known, and else nothing tells them.
            ("W/1/a/ B/1/a/ W/1/a/ B/1/a/", "0-1 Round, 2-3 Round, 0|0"),
            ("W/1// B/1// W/1// B/1//", "0|4"),
            ("", "0|0"),
            ("W/// B///", "0|0"),
            ("W/1/a/ W/1/a/", "0|0"),
            ("W/1// B/2//", "0|0"),
        ] {
            assert_eq!(found(&games(text)), expected, "{text}");
        }
        let mut apart = games("W/1/a/ B/1/a/");
        apart[1].white = 2;
        assert_eq!(found(&apart), "0|0", "other opponents");
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
        let played = |texts: &str, mut games: Vec<PairableGame>| {
            note_shared_moves(&mut games, &texts.split(' ').map(first).collect::<Vec<_>>());
            found(&games)
        };
        let in_turn = |moves: &str| {
            let colours = ["W/// ", "B/// "].into_iter().cycle();
            played(moves, games(&colours.take(moves.split(' ').count()).collect::<String>()))
        };
        let all = "0-1 Moves, 2-3 Moves, 4-5 Moves, 0|0";
        assert_eq!(in_turn("abcdxx abcdyy abcexx abceyyy fghix fghiyy"), all);
        // Three that share the same, games apart, and few shared moves.
        for moves in ["abcdxx abcdyy abcdzz fghij", "abcdxx fghij klmnop abcdyy", "abcx abcy fghix fghiyy"] {
            assert_eq!(in_turn(moves), "0|0");
        }
        assert_eq!(played("abcd abcd", games("W/1//e B/2//e")), "0-1 Book, 0|0");
    }

    #[test]
    fn pairs_are_observed_where_they_have_half_of_the_games() {
        let pairs = Pentanomial::new([0, 0, 1, 0, 0]);
        assert_eq!(Observations::of(pairs, Wdl::new(3, 0, 0)), Observations::Pairs(pairs));
        assert_eq!(Observations::of(pairs, Wdl::new(4, 0, 0)), Observations::Games(Wdl::new(4, 0, 0)));
        let game = PairableGame { outcome: Outcome::Win, ..games("B///")[0] };
        assert_eq!(game.outcome_for(0), Outcome::Loss);
    }
}
