//! Finds the pairs among games: two games from one opening, with colours reversed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::{KnownMoves, Observations, Outcome, Pentanomial, Wdl};

/// A game between two players, given by their indices, with the data that show its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairableGame {
    /// The player with the white pieces.
    pub white: u32,
    /// The player with the black pieces.
    pub black: u32,
    /// The outcome for White.
    pub outcome: Outcome,
    /// The number of the pair or the `Round` tag, as a hash; `None` if unknown.
    pub round: Option<u64>,
    /// The start position as a hash; `None` for the standard one, which says nothing about the opening.
    pub start: Option<u64>,
    /// The start position and the opening moves as a hash, if the book moves or the moves that two games share are known.
    pub opening: Option<(PairedBy, u64)>,
    /// The start position, the moves and the result as a hash; `None` if unknown.
    pub moves: Option<u64>,
}

/// Hashes of a game's first moves: entry n covers the moves up to number n + 1, and is 0 after the last move.
pub type FirstMoves = [u32; 32];

/// How the two games of a pair were recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PairedBy {
    /// By the round.
    Round,
    /// By the start position.
    Start,
    /// By the moves of the book.
    Book,
    /// By the moves that both games share.
    Moves,
}

/// The pairs among the games of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPairs {
    /// The indices of the two games of each pair, and how the pair was recognized.
    pub pairs: Vec<([usize; 2], PairedBy)>,
    /// The games whose round does not determine their pair.
    pub rounds: UnclearRounds,
}

/// Games whose round does not identify their pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, derive_more::AddAssign)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct UnclearRounds {
    /// Games that share a round with games of the same players from other openings. Games with one opening are paired.
    pub of_several_openings: u64,
    /// Games that share a round with more than one other game of the same players, if their openings are unknown. They
    /// are not paired by their round.
    pub crowded: u64,
}

impl PairableGame {
    /// The hash of a `Round` tag. For a round such as `12.3`, only the part before the dot counts, because the other part
    /// numbers the games.
    pub fn round_of_tag(round: &str) -> u64 {
        hash(round.split_once('.').map_or(round, |(encounter, _)| encounter))
    }

    /// The hash of a start position in FEN, or of other text that identifies an opening.
    pub fn start_of(opening: &str) -> u64 {
        hash(opening)
    }

    fn players(&self) -> (u32, u32) {
        (self.white.min(self.black), self.white.max(self.black))
    }

    /// The opening and how it is known: the book moves with their start position, or the start position alone.
    fn known_opening(&self) -> Option<(PairedBy, u64)> {
        self.opening.or_else(|| Some((PairedBy::Start, self.start?)))
    }

    /// The key by which repeats of the game are found.
    pub fn key(&self) -> Option<u64> {
        KnownMoves::key([self.white, self.black].map(|player| player as usize), self.moves)
    }

    /// The outcome from a player's point of view.
    pub fn outcome_for(&self, player: u32) -> Outcome {
        if self.white == player { self.outcome } else { self.outcome.reversed() }
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// Finds the pairs among the games of one source, in order.
///
/// Two games of the same players are a pair if colours are reversed and everything known about them agrees: round, start
/// position, and book moves if comments mark them. Games with different book moves are not a pair, whatever their round,
/// nor are a game with book moves and one without. First moves that no comment marks as book moves may differ, since
/// engines choose them freely.
///
/// A round numbers a pair only if few games have it. Among more than two games of two players in one round, those from one
/// opening are pairs; if no opening is known, none are.
///
/// If less than half of the games are paired, only the opening counts, because some programs give each game a round of its
/// own; it may come from [`note_shared_moves`]. If still less than half are paired, there are no pairs: a wrong pair is
/// worse than none.
///
/// ```
/// use stats::{Outcome, PairableGame, PairedBy, find_pairs};
///
/// let (outcome, round) = (Outcome::Draw, Some(PairableGame::round_of_tag("7.1")));
/// let one = PairableGame { white: 0, black: 1, outcome, round, start: None, opening: None, moves: None };
/// let other = PairableGame { white: 1, black: 0, ..one };
/// assert_eq!(find_pairs(&[one, other]).pairs, [([0, 1], PairedBy::Round)]);
/// ```
pub fn find_pairs(games: &[PairableGame]) -> FoundPairs {
    let round_of = |game: &PairableGame| Some((game.players(), game.round?));
    let opening_of = |game: &PairableGame| game.known_opening().map(|(_, opening)| opening);
    // For each round: its number of games, the opening of the first game, and whether any game has a different opening.
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

/// The minimum number of moves that the games of a pair share if only their moves show the opening.
const FEWEST_SHARED: usize = 4;

/// Finds games of two players that are adjacent, have reversed colours, and share more moves with each other than with any
/// other game of these players, and sets the opening of both. A game with a known opening keeps it. Returns the games and
/// the number of moves they share.
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

/// Pairs each game with the oldest unpaired game of the same players and key with reversed colours.
fn pair(
    games: &[PairableGame],
    key_of: impl Fn(&PairableGame) -> Option<(PairedBy, [u64; 2])>,
) -> Vec<([usize; 2], PairedBy)> {
    let mut pairs = Vec::with_capacity(games.len() / 2);
    // The oldest and newest unpaired game of each key, and for each game the next newer one. All have the same colours.
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

    /// Games of player 0, each written as colour, round, start and book: `W/7.13/a/1`.
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
            // The order does not matter. The part of a round after the dot numbers the games.
            ("W/1/a/ W/2/b/ B/2/b/ B/1/a/", "1-2 Round, 0-3 Round, 0|0"),
            ("W/7.13// B/7.14//", "0-1 Round, 0|0"),
            // Every game has a round of its own.
            ("W/1/a/ B/2/a/ W/3/b/", "0-1 Start, 0|0"),
            ("W/1//e B/2//e", "0-1 Book, 0|0"),
            // All games have one round, and are in the order in which they ended.
            ("W/1//e W/1//d B/1//d B/1//e", "1-2 Book, 0-3 Book, 4|0"),
            ("W/1/a/ W/1/b/ B/1/b/ B/1/a/", "1-2 Start, 0-3 Start, 4|0"),
            // Two games in a round with different openings, or with one opening unknown.
            ("W/1//e B/1//d", "2|0"),
            ("W/1//e B/1//", "2|0"),
            // Different book moves from one start position.
            ("W/1/a/e B/2/a/d", "0|0"),
            // More than two games in a round: pairs if the opening is known, otherwise none.
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
        // Three games that share the same moves; games that are not adjacent; and too few shared moves.
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
