//! Encounters of two players, and clusters of games that are not independent.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::{
    FoundPairs, KnownMoves, Observations, Outcome, PairableGame, Pentanomial, UnclearRounds, Wdl, find_pairs,
};

/// The minimum effective number of openings to cluster by; with fewer, the scatter between them is meaningless.
const FEWEST_OPENINGS: f64 = 10.0;

/// The player with White, the player with Black, and the outcome for White.
type Played = (u32, u32, Outcome);

/// Games that are not independent: the two games of a pair, or all games from one opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// For each game, the player with White, the player with Black, and the outcome for White.
    pub games: Vec<(u32, u32, Outcome)>,
    /// The number of clusters with the same games.
    pub times: u64,
}

/// The clusters of games from several sources, and counts of what they were found from. Of games that repeat an
/// earlier one (see [`Repeats`](crate::Repeats)), the clusters contain only the first.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// The clusters.
    pub clusters: Vec<Cluster>,
    /// The pairs that were found.
    pub pairs: u64,
    /// The openings that form a cluster, because several pairs of players played them.
    pub openings: u64,
    /// The games that repeat the players, moves and result of an earlier one.
    pub repeated: u64,
    /// The games whose round does not determine their pair.
    pub rounds: UnclearRounds,
}

#[derive(Clone, Debug)]
struct OpeningKey {
    players: (u32, u32),
    is_shared: bool,
    games: Vec<Played>,
}

impl Clusters {
    /// Finds the pairs in each source, and joins games from one opening that several pairs of players played.
    pub fn of<'a>(sources: impl IntoIterator<Item = &'a [PairableGame]>) -> Clusters {
        // The part that is not generic is compiled in this crate, with optimization.
        Clusters::of_all(&sources.into_iter().collect::<Vec<_>>())
    }

    fn of_all(sources: &[&[PairableGame]]) -> Clusters {
        let found = Clusters::find(sources, true);
        if found.openings == 0 || effective_number(&found.clusters) >= FEWEST_OPENINGS {
            return found;
        }
        Clusters::find(sources, false)
    }

    fn find(sources: &[&[PairableGame]], joins_openings: bool) -> Clusters {
        let mut openings: HashMap<u64, OpeningKey, FxBuildHasher> = HashMap::default();
        if joins_openings {
            for game in sources.iter().copied().flatten() {
                let Some(start) = game.start else { continue };
                let players = (game.white.min(game.black), game.white.max(game.black));
                let new = OpeningKey { players, is_shared: false, games: Vec::new() };
                let opening = openings.entry(start).or_insert(new);
                opening.is_shared |= opening.players != players;
            }
        }
        let (mut found, mut known) = (Clusters::default(), KnownMoves::default());
        let mut alike: HashMap<[Option<Played>; 2], u64, FxBuildHasher> = HashMap::default();
        for &games in sources {
            let mut is_paired = vec![false; games.len()];
            let mut add = |one: &PairableGame, other: Option<&PairableGame>| {
                let both = [Some(one), other].map(|game| Some((game?.white, game?.black, game?.outcome)));
                let opening = one.start.and_then(|start| openings.get_mut(&start));
                if let Some(opening) = opening.filter(|opening| opening.is_shared) {
                    opening.games.extend(both.into_iter().flatten());
                    return;
                }
                let [first, second] = both;
                let ordered = if second.is_some() && second < first { [second, first] } else { both };
                *alike.entry(ordered).or_default() += 1;
            };
            let is_new: Vec<bool> = games.iter().map(|game| known.add(game.key())).collect();
            found.repeated += is_new.iter().filter(|is_new| !**is_new).count() as u64;
            let FoundPairs { pairs, rounds } = find_pairs(games);
            found.rounds += rounds;
            for ([one, other], _) in pairs {
                [is_paired[one], is_paired[other]] = [true, true];
                found.pairs += 1;
                if known.add_pair(games[one].key(), games[other].key()) {
                    add(&games[one], Some(&games[other]));
                }
            }
            let single = (0..games.len()).filter(|&game| !is_paired[game] && is_new[game]);
            single.for_each(|game| add(&games[game], None));
        }
        let shared = openings.into_values().filter(|opening| opening.is_shared);
        found.clusters.extend(shared.map(|opening| Cluster { games: opening.games, times: 1 }));
        found.openings = found.clusters.len() as u64;
        found.clusters.extend(
            alike
                .into_iter()
                .map(|(games, times)| Cluster { games: games.into_iter().flatten().collect(), times }),
        );
        // A hash map has no fixed order, and sums depend on the order in their last digits.
        found.clusters.sort_unstable_by(|one, other| one.games.cmp(&other.games));
        found
    }
}

/// The number of equally large clusters that would carry as much information.
pub(super) fn effective_number(clusters: &[Cluster]) -> f64 {
    let sum = |power: i32| {
        clusters.iter().map(|one| one.times as f64 * (one.games.len() as f64).powi(power)).sum::<f64>()
    };
    let squares = sum(2);
    if squares > 0.0 { sum(1).powi(2) / squares } else { 0.0 }
}

/// The games of every two players with the same colours, in the order of the players.
///
/// Games of a player vs. itself are left out.
pub(super) fn encounters(clusters: &[Cluster]) -> Vec<Encounter> {
    let mut results: HashMap<(u32, u32), Wdl, FxBuildHasher> = HashMap::default();
    for Cluster { games, times } in clusters {
        for &(white, black, outcome) in games {
            *results.entry((white, black)).or_default() += Wdl::of(outcome, *times);
        }
    }
    let encounter = |((white, black), results): ((u32, u32), Wdl)| Encounter {
        white: white as usize,
        black: black as usize,
        results,
    };
    let played =
        results.into_iter().filter(|((white, black), results)| white != black && results.games() > 0);
    let mut encounters: Vec<Encounter> = played.map(encounter).collect();
    encounters.sort_unstable_by_key(|encounter| (encounter.white, encounter.black));
    encounters
}

/// The results of two players that met nobody else, from the point of view of `one`: pairs, or single games.
pub(super) fn observations(clusters: &[Cluster], one: usize, other: usize) -> Observations {
    let (mut pairs, mut all) = (Pentanomial::default(), Wdl::default());
    let players = [one as u32, other as u32];
    for Cluster { games, times } in clusters {
        let theirs = games
            .iter()
            .filter(|(white, black, _)| players.contains(white) && players.contains(black) && white != black);
        // The two games of a pair are adjacent.
        let mut first: Option<(u32, Outcome)> = None;
        for &(white, _, outcome) in theirs {
            let outcome = if white == players[0] { outcome } else { outcome.reversed() };
            all += Wdl::of(outcome, *times);
            first = match first {
                Some((other, before)) if other != white => {
                    let mut counts = [0; 5];
                    counts[before.half_points() + outcome.half_points()] = *times;
                    pairs += Pentanomial::new(counts);
                    None
                }
                _ => Some((white, outcome)),
            };
        }
    }
    Observations::of(pairs, all)
}

#[cfg(test)]
pub(super) fn independent(encounters: &[Encounter]) -> Vec<Cluster> {
    let of = |&Encounter { white, black, results }: &Encounter| {
        [(results.wins, Outcome::Win), (results.draws, Outcome::Draw), (results.losses, Outcome::Loss)]
            .map(|(times, outcome)| Cluster { games: vec![(white as u32, black as u32, outcome)], times })
    };
    encounters.iter().flat_map(of).filter(|cluster| cluster.times > 0).collect()
}

/// The games of two players, given by index, with the same colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encounter {
    pub white: usize,
    pub black: usize,
    pub results: Wdl,
}

impl Encounter {
    /// Whether White took at least half a point.
    pub(super) const fn white_scored(&self) -> bool {
        self.results.wins > 0 || self.results.draws > 0
    }

    /// Whether Black took at least half a point.
    pub(super) const fn black_scored(&self) -> bool {
        self.results.losses > 0 || self.results.draws > 0
    }

    /// Who took points, and from whom.
    pub(super) fn points_taken(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let forth = self.white_scored().then_some((self.white, self.black));
        let back = self.black_scored().then_some((self.black, self.white));
        forth.into_iter().chain(back)
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Draw, Loss, Win};

    use super::*;

    fn game(white: u32, black: u32, outcome: Outcome, round: u64, start: u64) -> PairableGame {
        PairableGame {
            white,
            black,
            outcome,
            round: Some(round),
            start: (start > 0).then_some(start),
            opening: None,
            moves: None,
        }
    }

    #[test]
    fn a_pair_is_a_cluster_and_so_is_an_opening_that_several_pairings_had() {
        let pairs = |start: &dyn Fn(u64) -> u64| -> Vec<PairableGame> {
            let pair = |round: u64| {
                let black = 1 + (round % 2) as u32;
                let start = start(round);
                [game(0, black, Win, round, start), game(black, 0, Draw, round, start)]
            };
            (1..=40).flat_map(pair).collect()
        };
        let apart = pairs(&|_| 0);
        let found = Clusters::of([&apart[..]]);
        assert_eq!((found.pairs, found.openings, found.clusters.len()), (40, 0, 2));
        assert_eq!(found.clusters[0], Cluster { games: vec![(0, 1, Win), (1, 0, Draw)], times: 20 });
        let shared = pairs(&|round| round.div_ceil(2));
        let found = Clusters::of([&shared[..]]);
        assert_eq!((found.pairs, found.openings, found.clusters.len()), (40, 20, 20));
        // A single opening is not enough to cluster by.
        let same = pairs(&|_| 7);
        assert_eq!(Clusters::of([&same[..]]).clusters, Clusters::of([&apart[..]]).clusters);
        let of_two = observations(&Clusters::of([&shared[..]]).clusters, 1, 0);
        assert_eq!(of_two, Observations::Pairs(Pentanomial::new([0, 20, 0, 0, 0])));
    }

    #[test]
    fn what_has_no_partner_is_a_cluster_of_one() {
        let games = [game(0, 1, Win, 1, 0), game(1, 0, Loss, 1, 0), game(0, 1, Draw, 2, 0)];
        let found = Clusters::of([&games[..]]);
        assert_eq!(found.clusters.iter().map(|one| one.games.len()).collect::<Vec<_>>(), [1, 2]);
        let encounters = encounters(&found.clusters);
        assert_eq!(encounters.iter().map(|one| one.results.games()).sum::<u64>(), 3);
    }
}
