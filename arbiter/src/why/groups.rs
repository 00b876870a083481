//! Divides the moves of a match into groups, to find groups in which one player loses more than the other.

use schemars::JsonSchema;
use serde::Serialize;
use stats::PairedSum;

use super::board::Balance;

/// The seed of the bootstrap and of random sign changes.
pub const SEED: u64 = 1;

/// The dimensions in which moves are grouped.
const DIMENSIONS: [&str; 10] = [
    "material", "score", "king", "passed pawns", "missed", "answer", "move number", "clock", "own score",
    "score drop",
];

/// The group of a move in each dimension; `None` if it is unknown.
pub type GroupNames = [Option<&'static str>; DIMENSIONS.len()];

#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Index of the game, and the number of moves before this one.
    pub game: usize,
    pub ply: usize,
    pub pair: usize,
    pub is_first: bool,
    /// The points that the move cost its player; negative if the referee likes the position better afterwards.
    pub cost: f64,
    pub worth: f64,
    /// The worth of the position by the player's own score.
    pub own_worth: Option<f64>,
    /// The player's feature counts minus the opponent's.
    pub balance: Balance,
    pub groups: GroupNames,
}

/// Groups by a number, each with its upper bound.
type Bands<const N: usize> = [(f64, &'static str); N];

pub const BY_NUMBER: Bands<5> = [
    (20.0, "moves up to 20"),
    (30.0, "moves 21 to 30"),
    (40.0, "moves 31 to 40"),
    (60.0, "moves 41 to 60"),
    (f64::INFINITY, "moves after 60"),
];

pub const BY_WORTH: Bands<5> = [
    (0.15, "holding a lost position"),
    (0.4, "worse positions"),
    (0.6, "level positions"),
    (0.85, "better positions"),
    (f64::INFINITY, "converting a win"),
];

pub const BY_CLOCK: Bands<4> = [
    (0.05, "under 5% of the time left"),
    (0.2, "5 to 20% of the time left"),
    (0.5, "20 to 50% of the time left"),
    (f64::INFINITY, "more than half of the time left"),
];

/// By the worth that the player's own score gives a position, minus the referee's.
pub const BY_OWN_ERROR: Bands<3> = [
    (-0.15, "positions that it underrates"),
    (0.15, "positions that it judges about right"),
    (f64::INFINITY, "positions that it overrates"),
];

/// By the drop of the player's own score since its last move, in centipawns.
pub const BY_DROP: Bands<2> =
    [(49.0, "no drop of its score"), (f64::INFINITY, "its score just dropped by half a pawn")];

pub fn band<const N: usize>(bands: &Bands<N>, value: f64) -> &'static str {
    bands.iter().find(|(most, _)| value <= *most).map_or("", |(_, name)| name)
}

/// Groups without the feature of their dimension, which are no place to look for a weakness.
const RESTS: [&str; 6] = [
    "no king attacked",
    "no far passed pawn",
    "the best move played",
    "positions that it judges about right",
    "no drop of its score",
    "answered by a quiet move",
];

/// A group of moves.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Group {
    pub dimension: &'static str,
    pub name: &'static str,
    /// The number of moves of each player.
    pub moves: [u64; 2],
    /// The share of all moves in the dimension.
    pub frequency: f64,
    /// The cost of each player's moves, in points per hundred moves.
    pub cost: [f64; 2],
    /// The points that the first player lost here minus the second's; over the groups of a dimension they add up to the
    /// total over all moves.
    pub lost: f64,
    /// The part of `lost` that comes from worse moves rather than more moves, with its 95% interval, p-value and z.
    pub worse: f64,
    pub interval: [f64; 2],
    pub p_value: f64,
    pub z: f64,
    /// Standard errors by which `worse` exceeds the group's share of the total. A group's share is the part of all lost
    /// points that both players together lose in it, so a player who is weaker everywhere exceeds no share.
    pub excess: f64,
    /// Whether the difference between the players is significant, given all comparisons.
    pub differs: bool,
    /// Whether the group has significantly more than its share.
    pub stands_out: bool,
}

impl Group {
    /// Whether the first player plays significantly worse here than the second.
    pub fn is_weakness(&self) -> bool {
        self.differs && self.worse > 0.0 && !RESTS.contains(&self.name)
    }
}

/// All groups that have moves, in all dimensions.
pub fn of_moves(moves: &[JudgedMove], pairs: usize) -> Vec<Group> {
    (0..DIMENSIONS.len()).flat_map(|dimension| of_dimension(dimension, moves, pairs)).collect()
}

struct Tally {
    name: &'static str,
    moves: [u64; 2],
    costs: [f64; 2],
    /// For each pair: the number and the cost of each player's moves.
    pairs: Vec<[[f64; 2]; 2]>,
}

impl Tally {
    fn add(&mut self, played: &JudgedMove) {
        let player = usize::from(!played.is_first);
        self.moves[player] += 1;
        self.costs[player] += played.cost;
        let [moves, cost] = &mut self.pairs[played.pair][player];
        *moves += 1.0;
        *cost += played.cost;
    }

    /// For each pair, the points that the first player lost more than the second through worse moves. The average cost of
    /// each player's moves is subtracted, so that playing here more often does not count as playing worse here.
    fn worse(&self) -> Vec<f64> {
        let usual = self.costs.iter().sum::<f64>() / self.moves.iter().sum::<u64>().max(1) as f64;
        let over = |[moves, cost]: [f64; 2]| cost - usual * moves;
        self.pairs.iter().map(|[first, second]| over(*first) - over(*second)).collect()
    }

    fn both(&self) -> Vec<f64> {
        self.pairs.iter().map(|[first, second]| first[1] + second[1]).collect()
    }
}

fn of_dimension(dimension: usize, moves: &[JudgedMove], pairs: usize) -> Vec<Group> {
    let mut found: Vec<Tally> = Vec::new();
    for played in moves {
        let Some(name) = played.groups[dimension] else { continue };
        let place = found.iter().position(|known| known.name == name).unwrap_or_else(|| {
            found.push(Tally { name, moves: [0; 2], costs: [0.0; 2], pairs: vec![[[0.0; 2]; 2]; pairs] });
            found.len() - 1
        });
        found[place].add(played);
    }
    let told: Vec<[Vec<f64>; 2]> = found.iter().map(|tally| [tally.worse(), tally.both()]).collect();
    let sums = |part: usize| -> Vec<f64> {
        (0..pairs).map(|pair| told.iter().map(|of_group| of_group[part][pair]).sum()).collect()
    };
    let all = [sums(0), sums(1)];
    let total: u64 = found.iter().flat_map(|tally| tally.moves).sum();
    let group = |(tally, of_group): (&Tally, &[Vec<f64>; 2])| {
        let PairedSum { sum, p_value, z } = PairedSum::new(&of_group[0], SEED);
        let per_hundred = |player: usize| 100.0 * tally.costs[player] / tally.moves[player].max(1) as f64;
        Group {
            dimension: DIMENSIONS[dimension],
            name: tally.name,
            moves: tally.moves,
            frequency: tally.moves.iter().sum::<u64>() as f64 / total as f64,
            cost: [per_hundred(0), per_hundred(1)],
            lost: tally.costs[0] - tally.costs[1],
            worse: sum,
            interval: PairedSum::interval(&of_group[0], SEED),
            p_value,
            z,
            excess: excess(of_group, &all),
            differs: false,
            stands_out: false,
        }
    };
    found.iter().zip(&told).map(group).collect()
}

/// How many standard errors the points lost in a group exceed its share of all points lost, which is its share of what
/// both players lose. Both arguments hold, by pair, the points lost and what both players lose: in the group, and in all
/// groups. The standard error is computed from the linearized ratio over pairs.
fn excess([lost, both]: &[Vec<f64>; 2], [all_lost, all_both]: &[Vec<f64>; 2]) -> f64 {
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let total = sum(all_both);
    if total <= 0.0 {
        return 0.0;
    }
    let (share, rate) = (sum(both) / total, sum(all_lost) / total);
    let squares = (0..lost.len()).map(|pair| {
        let told = lost[pair] - share * all_lost[pair] - rate * (both[pair] - share * all_both[pair]);
        told * told
    });
    let error = squares.sum::<f64>().sqrt();
    if error > 0.0 { (sum(lost) - share * sum(all_lost)) / error } else { 0.0 }
}

/// Whether a move belongs to a group; group names are unique across dimensions.
pub fn is_in(played: &JudgedMove, group: &Group) -> bool {
    played.groups.contains(&Some(group.name))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::board::FEATURES;
    use super::*;

    /// Moves of 60 pairs. The first player's moves in rook endings and elsewhere cost these multiples of the second's.
    fn moves(in_endings: f64, elsewhere: f64) -> Vec<JudgedMove> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        (0..4800)
            .map(|index| {
                let (is_first, is_ending) = (index % 2 == 0, index % 4 < 2);
                let factor = match (is_first, is_ending) {
                    (false, _) => 1.0,
                    (true, true) => in_endings,
                    (true, false) => elsewhere,
                };
                JudgedMove {
                    game: 0,
                    ply: index,
                    pair: index / 80,
                    is_first,
                    cost: factor * random.random_range(0.0..0.02),
                    worth: 0.5,
                    own_worth: None,
                    balance: [0.0; FEATURES.len()],
                    groups: std::array::from_fn(|dimension| {
                        (dimension == 0).then_some(if is_ending { "rook endings" } else { "openings" })
                    }),
                }
            })
            .collect()
    }

    fn material(in_endings: f64, elsewhere: f64) -> [Group; 2] {
        let groups = of_moves(&moves(in_endings, elsewhere), 60);
        let find = |name: &str| groups.iter().find(|group| group.name == name).unwrap().clone();
        assert!(groups.iter().all(|group| group.dimension != "clock"), "nothing is known of clocks");
        [find("rook endings"), find("openings")]
    }

    #[test]
    fn who_is_weaker_in_rook_endings_alone_stands_out_there_and_who_is_weaker_everywhere_nowhere() {
        let [endings, openings] = material(1.5, 1.0);
        assert!(
            endings.p_value < 0.001 && endings.excess > 4.0 && openings.p_value > 0.01,
            "{endings:?} {openings:?}"
        );
        assert!((endings.frequency - 0.5).abs() < 1e-12 && endings.moves == [1200, 1200]);
        assert!((endings.cost[0] / endings.cost[1] - 1.5).abs() < 0.1, "{endings:?}");
        let sum: f64 = moves(1.5, 1.0)
            .iter()
            .map(|played| if played.is_first { played.cost } else { -played.cost })
            .sum();
        assert!((endings.lost + openings.lost - sum).abs() < 1e-9, "groups of a dimension add up");
        assert!(endings.interval[0] < endings.worse && endings.interval[1] > endings.worse);
        for group in material(1.5, 1.5) {
            assert!(group.p_value < 0.001 && group.excess.abs() < 2.5, "{group:?}");
        }
        for group in material(1.0, 1.0) {
            assert!(group.p_value > 0.01, "{group:?}");
        }
        // A player who reaches rook endings more often but plays them no worse loses more points there, but is not worse.
        let mut moves = moves(1.0, 1.0);
        moves.retain(|played| {
            played.is_first || played.groups[0] != Some("rook endings") || played.ply % 8 != 1
        });
        let groups = of_moves(&moves, 60);
        let endings = groups.iter().find(|group| group.name == "rook endings").unwrap();
        assert!(endings.lost > 2.0 && endings.worse.abs() < 0.5 && endings.p_value > 0.01, "{endings:?}");
    }
}
